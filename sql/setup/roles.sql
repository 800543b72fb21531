-- Roles, schemas and extensions. Runs as the administrator, inside the setup transaction; every statement may run again.
do $$
declare
  _role text;
begin
  foreach _role in array array['muniment_owner', 'muniment_analyst', 'muniment_ops', 'muniment_resolver', 'muniment_dispatcher',
                              'muniment_eraser'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = _role) then
      execute format('create role %I nologin nosuperuser nobypassrls', _role);
    end if;
  end loop;
  if not exists (select from pg_catalog.pg_roles where rolname = 'muniment_app') then
    create role muniment_app login nosuperuser nobypassrls;
  end if;
  -- Since PostgreSQL 16 creating a role gives its creator the right to administer it, not to become it.
  foreach _role in array array['muniment_owner', 'muniment_resolver', 'muniment_dispatcher', 'muniment_eraser'] loop
    if not pg_catalog.pg_has_role(current_user, _role, 'set') then
      execute format('grant %I to %I', _role, current_user);
    end if;
  end loop;
end $$;

create schema if not exists muniment authorization muniment_owner;
create schema if not exists muniment_auth authorization muniment_owner;
create schema if not exists muniment_jobs authorization muniment_owner;
create schema if not exists analytics authorization muniment_owner;
create schema if not exists ops authorization muniment_owner;

create extension if not exists vector with schema public;
create extension if not exists pg_trgm with schema public;
create extension if not exists btree_gist with schema public;

-- What crosses tenants is created by the narrow roles themselves.
grant usage, create on schema muniment_auth to muniment_resolver;
grant usage, create on schema muniment_jobs to muniment_dispatcher;
grant usage, create on schema muniment to muniment_eraser;
grant usage on schema muniment_auth to muniment_eraser;
revoke create on schema public from public;
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
  execute format('grant connect on database %I to muniment_app, muniment_analyst, muniment_ops', current_database());
end $$;

-- SQL users hold no locks that we wait for, and store nothing beside the tables. Only a superuser can take these from
-- everybody; a managed server keeps them, and an SQL user there can delay a set-up.
do $$
declare
  _function regprocedure;
begin
  if not (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user) then
    return;
  end if;
  for _function in
    select p.oid::regprocedure from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::regnamespace
       and (p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea') or p.proname ~ '^pg_(try_)?advisory_')
       and pg_catalog.has_function_privilege('public', p.oid, 'execute')
  loop
    execute format('revoke execute on function %s from public', _function);
    if _function::text ~ 'advisory' then
      execute format('grant execute on function %s to muniment_owner, muniment_app', _function);
    end if;
  end loop;
end $$;
