-- Drops what the applied files define. Runs before they are applied again, so that nothing of an earlier version stays
-- behind: no overload with yesterday's parameters, no policy that the list no longer has, no view with a lost column.
do $$
declare
  _schemas constant name[] := array['muniment', 'muniment_auth', 'muniment_jobs', 'analytics', 'ops'];
  _statement text;
begin
  for _statement in
    select format('drop policy %I on %I.%I', policyname, schemaname, tablename) from pg_catalog.pg_policies
     where schemaname = any (_schemas)
    union all
    select 'drop view ' || string_agg(c.oid::regclass::text, ', ') from pg_catalog.pg_class c
     where c.relkind = 'v' and c.relnamespace in (select n.oid from pg_catalog.pg_namespace n where n.nspname = any (_schemas))
    union all
    select 'drop materialized view ' || string_agg(c.oid::regclass::text, ', ') from pg_catalog.pg_class c
     where c.relkind = 'm' and c.relnamespace in (select n.oid from pg_catalog.pg_namespace n where n.nspname = any (_schemas))
    union all
    select 'drop routine ' || string_agg(p.oid::regprocedure::text, ', ') from pg_catalog.pg_proc p
     where p.pronamespace in (select n.oid from pg_catalog.pg_namespace n where n.nspname = any (_schemas))
       and p.prorettype <> 'event_trigger'::regtype  -- made by roles.sql, and an event trigger needs it
  loop
    if _statement is not null then
      execute _statement;
    end if;
  end loop;
end $$;
