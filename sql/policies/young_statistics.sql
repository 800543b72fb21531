-- Statistics of tables that nobody has analyzed yet. Every key begins with the tenant; without statistics the planner takes a look-up
-- by the tenant alone for as good as one by a whole key, picks either, and a session keeps that plan while the tables grow: each check
-- of a foreign key then reads the tenant's whole index. One tenant in all rows is the opposite guess, and safe. The first analyze
-- replaces it.
do $$
declare
  _table record;
begin
  for _table in
    select n.nspname, c.relname
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c
        on c.oid = a.attrelid
      join pg_catalog.pg_namespace n
        on n.oid = c.relnamespace
     where n.nspname in ('muniment', 'muniment_auth')
       and c.relkind = 'r'
       and a.attname = 'tenant_id'
       and not a.attisdropped
       and c.reltuples < 0  -- never analyzed, never vacuumed
  loop
    perform pg_catalog.pg_restore_attribute_stats(
      'schemaname', _table.nspname::text, 'relname', _table.relname::text, 'attname', 'tenant_id', 'inherited', false,
      'null_frac', 0::real, 'avg_width', 8, 'n_distinct', 1::real);
  end loop;
end $$;
