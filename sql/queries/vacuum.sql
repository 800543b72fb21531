-- name: size
-- How many bytes the tables have. The catalog.
select coalesce(sum(pg_catalog.pg_total_relation_size(c.oid)), 0)::bigint
  from pg_catalog.pg_class c
 where c.relkind = 'r'
   and c.relnamespace in ('muniment'::regnamespace, 'muniment_auth'::regnamespace, 'muniment_jobs'::regnamespace);

-- name: tables
-- The tables that may hold what tenants wrote. The catalog.
select n.nspname, c.relname
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
 where c.relkind = 'r'
   and n.nspname in ('muniment', 'muniment_auth', 'muniment_jobs')
 order by 1, 2;

-- name: unlimited
-- Rewriting takes as long as it takes. No table.
select set_config('statement_timeout', '0', false);

-- name: mark
-- The transaction before which all was erased that is to be in no file. No table.
select set_config('muniment.erased_before', pg_catalog.pg_current_xact_id()::xid::text, false);

-- name: holders
-- Who may still see rows that were deleted before the mark, so that rewriting keeps them: transactions (those elsewhere by their
-- number, which later ones here look back to), standbys, slots, prepared transactions. The oldest first; null where this role
-- is not shown them. The catalog.
select h.holder
  from (select 'process ' || a.pid || coalesce(' of ' || a.usename, ''),
               greatest(pg_catalog.age(a.backend_xid),
                        case when a.datname = current_database() or a.backend_type = 'walsender' then pg_catalog.age(a.backend_xmin) end)
          from pg_catalog.pg_stat_activity a
         where a.pid <> pg_catalog.pg_backend_pid()
         union all
        select 'replication slot ' || s.slot_name, greatest(pg_catalog.age(s.xmin), pg_catalog.age(s.catalog_xmin))
          from pg_catalog.pg_replication_slots s
         union all
        select 'prepared transaction ' || p.gid, pg_catalog.age(p.transaction)
          from pg_catalog.pg_prepared_xacts p
         union all
        select null, 2147483647
         where not pg_catalog.pg_has_role('pg_read_all_stats', 'usage')) h (holder, age)
 where h.age > pg_catalog.age(current_setting('muniment.erased_before')::xid)
 order by h.age desc;

-- name: forget_statements
-- The texts of statements, where they are collected: plain SQL may quote what it looks for. The catalog.
do $$
begin
  if exists (select from pg_catalog.pg_extension where extname = 'pg_stat_statements') then
    perform public.pg_stat_statements_reset();
  end if;
end $$;

-- name: switch_log
-- Begins a new file of the log of writes. No table.
select pg_catalog.pg_switch_wal();
