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
