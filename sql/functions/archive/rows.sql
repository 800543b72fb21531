-- The columns of a table of the archive that are written: neither the tenant's number nor what is computed. Reads the catalog.
create or replace function muniment.archive_columns(_table text)
returns setof text language sql stable security invoker set search_path = '' as $$
  select a.attname::text
    from pg_catalog.pg_attribute a
   where a.attrelid = pg_catalog.to_regclass(pg_catalog.format('muniment.%I', _table))
     and a.attnum > 0
     and not a.attisdropped
     and a.attgenerated = ''
     and a.attname <> 'tenant_id'
     and _table in (select t.name from muniment.archive_tables() t)
   order by a.attnum;
$$;

-- Opens the cursor "archive" over a tenant's rows of one table, each as JSON in the order of its key. Reads them as they are fetched.
create or replace function muniment.open_archive(_tenant bigint, _table text)
returns refcursor language plpgsql volatile security invoker set search_path = '' as $$
declare
  _rows refcursor := 'archive';
  _columns text[] := array(select muniment.archive_columns(_table));
  _key text;
begin
  if pg_catalog.cardinality(_columns) = 0 then
    raise exception 'no table of the archive' using errcode = 'undefined_table';
  end if;
  select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by k.place)
    into _key
    from pg_catalog.pg_index i
   cross join lateral pg_catalog.unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
   where i.indrelid = pg_catalog.to_regclass(pg_catalog.format('muniment.%I', _table))
     and i.indisprimary;
  open _rows for execute pg_catalog.format(
    'select pg_catalog.to_jsonb(r)::text as row from (select %s from muniment.%I where tenant_id = $1 order by %s) r',
    (select pg_catalog.string_agg(pg_catalog.quote_ident(c), ', ') from pg_catalog.unnest(_columns) c), _table, _key)
    using _tenant;
  return _rows;
end $$;

-- Puts rows of an archive into a table of the tenant; how many. Numbers of embedding models are this database's, by _models.
-- One insert; fails with undefined_column where the rows have a column that the table has not.
create or replace function muniment.restore_rows(_tenant bigint, _table text, _rows jsonb, _models jsonb)
returns bigint language plpgsql volatile security invoker set search_path = '' as $$
declare
  _given text[] := array(select pg_catalog.jsonb_object_keys(_rows -> 0));
  _known text[] := array(select muniment.archive_columns(_table));
  _count bigint;
begin
  if pg_catalog.cardinality(_known) = 0 or not _given operator(pg_catalog.<@) _known then
    raise exception 'no such table or column in this schema' using errcode = 'undefined_column';
  end if;
  execute pg_catalog.format(
    'insert into muniment.%1$I (tenant_id, %2$s) select $1, %3$s from pg_catalog.jsonb_populate_recordset(null::muniment.%1$I, $2) r',
    _table,
    (select pg_catalog.string_agg(pg_catalog.quote_ident(c), ', ') from pg_catalog.unnest(_given) c),
    (select pg_catalog.string_agg(
              case when c = 'model_no' then '($3 ->> r.model_no::text)::integer'
                   when _table = 'query_run' and c = 'pinned'
                   then 'case when r.pinned ->> ''model'' is null then r.pinned'
                        ' else pg_catalog.jsonb_set(r.pinned, ''{model}'', coalesce($3 -> (r.pinned ->> ''model''), ''null'')) end'
                   else 'r.' || pg_catalog.quote_ident(c) end, ', ')
       from pg_catalog.unnest(_given) c))
    using _tenant, _rows, _models;
  get diagnostics _count = row_count;
  return _count;
end $$;
