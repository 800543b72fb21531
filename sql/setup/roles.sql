-- Roles, schemas and extensions. Runs as the administrator, inside the setup transaction; every statement may run again.
do $$
declare
  _role text;
begin
  foreach _role in array array['muniment_owner', 'muniment_analyst', 'muniment_ops', 'muniment_resolver', 'muniment_dispatcher',
                              'muniment_eraser', 'muniment_watchdog', 'muniment_reporter', 'muniment_remover'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = _role) then
      execute format('create role %I nologin nosuperuser nobypassrls', _role);
    end if;
  end loop;
  if not exists (select from pg_catalog.pg_roles where rolname = 'muniment_app') then
    create role muniment_app login nosuperuser nobypassrls;
  end if;
  -- Since PostgreSQL 16 creating a role gives its creator the right to administer it, not to become it.
  foreach _role in array array['muniment_owner', 'muniment_resolver', 'muniment_dispatcher', 'muniment_eraser', 'muniment_watchdog',
                              'muniment_reporter', 'muniment_remover'] loop
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
grant usage, create on schema muniment_auth to muniment_resolver, muniment_watchdog, muniment_remover;
grant usage, create on schema muniment_jobs to muniment_dispatcher;
grant usage, create on schema muniment to muniment_eraser;
grant usage, create on schema ops to muniment_reporter;
grant usage on schema muniment, muniment_auth, muniment_jobs to muniment_reporter;
grant usage on schema muniment_auth to muniment_eraser, muniment_dispatcher;
grant usage on schema muniment to muniment_remover;
revoke create on schema public from public;
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
  execute format('grant connect on database %I to muniment_app, muniment_analyst, muniment_ops', current_database());
end $$;

-- SQL users hold no locks that we wait for, store nothing beside the tables, write nothing into the log of the server's writes,
-- and notify nobody in a loop. Only a superuser can take these from everybody; a managed server keeps them, and
-- sql_logins.gaps says so.
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
       and (p.proname ~ '^(lo_|loread$|lowrite$)' or p.proname ~ '^pg_(try_)?advisory_' or p.proname in ('pg_notify', 'pg_logical_emit_message'))
       and pg_catalog.has_function_privilege('public', p.oid, 'execute')
  loop
    execute format('revoke execute on function %s from public', _function);
    if _function::text ~ 'advisory' then
      execute format('grant execute on function %s to muniment_owner, muniment_app', _function);
    end if;
  end loop;
  grant execute on function pg_catalog.pg_notify(text, text) to muniment_app, muniment_dispatcher;
  revoke usage on language plpgsql from public;
  grant usage on language plpgsql to muniment_owner, muniment_resolver, muniment_dispatcher, muniment_eraser, muniment_watchdog,
                                  muniment_reporter, muniment_remover;
end $$;

-- SQL users do not count what others have: statistics and sizes are of whole tables, and pg_locks tells who works on what. Their own
-- sessions they still see (pg_stat_activity). Only a superuser can take these from everybody; else sql_logins.gaps says so. Who
-- watches the server keeps them by pg_read_all_stats, of which pg_monitor is a member.
do $$
declare
  _readers constant text := 'muniment_owner, muniment_app, muniment_ops, pg_read_all_stats';
  _views text;
  _functions text;
begin
  if not (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user) then
    return;
  end if;
  select string_agg(c.oid::regclass::text, ', ')
    into _views
    from pg_catalog.pg_class c
   where c.relnamespace = 'pg_catalog'::regnamespace
     and c.relkind = 'v'
     and (c.relname ~ '^pg_stat(io)?_' or c.relname = 'pg_locks')
     and c.relname <> 'pg_stat_activity'
     and pg_catalog.has_table_privilege('public', c.oid, 'select');
  select string_agg(p.oid::regprocedure::text, ', ')
    into _functions
    from pg_catalog.pg_proc p
   where p.pronamespace = 'pg_catalog'::regnamespace
     and (p.proname ~ '^pg_stat_get_' or p.proname ~ '^pg_(relation|table|indexes|total_relation|database|tablespace)_size$'
          or p.proname in ('pg_lock_status', 'pg_stat_have_stats'))
     and p.proname !~ '^pg_stat_get_(activity$|backend_|snapshot_timestamp$)'
     and pg_catalog.has_function_privilege('public', p.oid, 'execute');
  if _views is not null then
    execute format('revoke select on %s from public', _views);
    execute format('grant select on %s to %s', _views, _readers);
  end if;
  if _functions is not null then
    execute format('revoke execute on function %s from public', _functions);
    execute format('grant execute on function %s to %s', _functions, _readers);
  end if;
end $$;

-- A member of a role may DROP OWNED BY it, which takes the policies of muniment_analyst from everybody; that needs no privilege that
-- could be revoked. An event trigger refuses all definitions to SQL logins. Only a superuser can make one.
-- Made anew only where it differs, for this runs at every start.
do $do$
declare
  _body constant text := $body$
begin
  if exists (
       select from pg_catalog.pg_auth_members m
         join pg_catalog.pg_roles r on r.oid = m.member
        where r.rolname = session_user
          and m.roleid = (select g.oid from pg_catalog.pg_roles g where g.rolname = 'muniment_analyst')
          and m.inherit_option
          and not r.rolcreaterole
          and not r.rolsuper) then
    raise insufficient_privilege using message = 'permission denied: an SQL login defines and drops nothing';
  end if;
end $body$;
begin
  if (select p.prosrc from pg_catalog.pg_proc p where p.oid = to_regprocedure('muniment_auth.refuse_definitions()'))
     is distinct from _body then
    execute format(
      $$create or replace function muniment_auth.refuse_definitions() returns event_trigger
        language plpgsql volatile security invoker set search_path = '' as %L$$, _body);
    alter function muniment_auth.refuse_definitions() owner to muniment_owner;
    revoke all on function muniment_auth.refuse_definitions() from public;
  end if;
end $do$;
do $$
begin
  if (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user)
     and not exists (select from pg_catalog.pg_event_trigger t where t.evtname = 'muniment_refuse_definitions') then
    create event trigger muniment_refuse_definitions on ddl_command_start execute function muniment_auth.refuse_definitions();
  end if;
end $$;
