-- The tables that hold rows of tenants, each before those that it refers to, the table of tenants itself left out. Reads the catalog.
create or replace function muniment_auth.tenant_tables()
returns table (place bigint, name text)
language sql stable security invoker set search_path = '' as $$
  with recursive
  tables as (
    select c.oid
      from pg_catalog.pg_class c
      join pg_catalog.pg_attribute a
        on a.attrelid = c.oid
       and a.attname = 'tenant_id'
     where c.relkind in ('r', 'p')
       and c.relnamespace in ('muniment'::regnamespace, 'muniment_auth'::regnamespace)),
  refers as (
    select distinct k.conrelid as child, k.confrelid as parent
      from pg_catalog.pg_constraint k
     where k.contype = 'f'
       and k.conrelid <> k.confrelid
       and k.conrelid in (select t.oid from tables t)
       and k.confrelid in (select t.oid from tables t)),
  depths as (
    select t.oid, 0 as depth
      from tables t
     union
    select r.child, d.depth + 1
      from depths d
      join refers r
        on r.parent = d.oid)
  select row_number() over (order by max(d.depth) desc, d.oid::regclass::text), d.oid::regclass::text
    from depths d
   where d.oid <> 'muniment_auth.tenant'::regclass
   group by d.oid;
$$;

-- The tables with rows of a tenant, and how many of its rows each has. Reads the tenant's part of all of them.
create or replace function muniment_auth.rows_left(_tenant bigint)
returns table (name text, rows bigint)
language plpgsql stable security invoker set search_path = '' as $$
begin
  for name in
    select t.name from muniment_auth.tenant_tables() t order by t.place
  loop
    execute pg_catalog.format('select count(*) from %s where tenant_id = $1', name) into rows using _tenant;
    if rows > 0 then
      return next;
    end if;
  end loop;
end $$;

-- The scope's tenant, where it is to be removed or is gone; null while it lives. Primary key.
create or replace function muniment_auth.condemned_tenant()
returns bigint language sql stable security invoker set search_path = '' as $$
  select muniment_auth.scope_tenant()
   where not exists (
           select from muniment_auth.tenant t
            where t.tenant_id = muniment_auth.scope_tenant()
              and t.state <> 'deleted');
$$;

-- Removing a tenant. Created, and so run, as a role whose policies show it the rows of the scope's tenant alone, and these only where that
-- tenant was given up, or is gone already.
set local role muniment_remover;

-- Deletes rows of a condemned tenant from one of its tables, at most _limit; how many. Reads them by the prefix of the primary key.
create or replace function muniment_auth.remove_rows(_tenant bigint, _table text, _limit integer)
returns bigint language plpgsql volatile security definer set search_path = '' set enable_seqscan = off as $$
declare
  _count bigint;
begin
  if _table not in (select t.name from muniment_auth.tenant_tables() t) then
    raise exception 'no table of tenants' using errcode = 'undefined_table';
  end if;
  execute pg_catalog.format(
    'delete from %1$s where ctid = any (array(select r.ctid from %1$s r where r.tenant_id = $1 limit $2)) and tenant_id = $1', _table)
    using _tenant, _limit;
  get diagnostics _count = row_count;
  return _count;
end $$;

-- Deletes the row of the tenant itself, of which no other table has a row any more; whether it was there. Primary key.
create or replace function muniment_auth.remove_tenant(_tenant bigint)
returns boolean language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from muniment_auth.tenant t
   where t.tenant_id = _tenant
     and t.tenant_id = muniment_auth.condemned_tenant();
  return found;
end $$;

revoke all on function muniment_auth.remove_rows(bigint, text, integer), muniment_auth.remove_tenant(bigint) from public;
grant execute on function muniment_auth.remove_rows(bigint, text, integer), muniment_auth.remove_tenant(bigint) to muniment_app;

set local role muniment_owner;
