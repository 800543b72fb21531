-- Returns the _limit live records of the visible spaces nearest to _query with their cosine, best first, ties by record_no.
-- Exact: an index range over the visible vectors, about 1 ms per 1,000. Otherwise the tenant's HNSW index where there is one,
-- a few ms whatever the size; where that finds fewer than _limit, the exact scan answers.
create or replace function muniment.search_vector(
  _tenant bigint, _spaces bigint[], _model integer, _query public.halfvec, _known_at bigint, _limit integer, _exact boolean)
returns table (record_no bigint, cosine double precision)
language plpgsql stable security invoker
set search_path = ''
as $$
declare
  _records bigint[];
  _cosines double precision[];
begin
  if not _exact then
    select array_agg(n.record_no order by n.cosine desc, n.record_no), array_agg(n.cosine order by n.cosine desc, n.record_no)
      into _records, _cosines
      from muniment.search_vector_index(_tenant, _spaces, _model, _query, _known_at, _limit) n;
    if pg_catalog.cardinality(_records) >= _limit then
      return query select u.record_no, u.cosine from unnest(_records, _cosines) u (record_no, cosine);
      return;
    end if;
  end if;
  return query select s.record_no, s.cosine from muniment.search_vector_scan(_tenant, _spaces, _model, _query, _known_at, _limit) s;
end $$;

-- Returns what search_vector returns, by measuring every vector of the visible spaces. The nearest are looked at first, without
-- asking of all whether they are live; only where too many of them are closed does a second pass ask.
create or replace function muniment.search_vector_scan(
  _tenant bigint, _spaces bigint[], _model integer, _query public.halfvec, _known_at bigint, _limit integer)
returns table (record_no bigint, cosine double precision)
language plpgsql stable security invoker
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  _nearest integer := 2 * _limit + 64;
  _records bigint[];
  _cosines double precision[];
  _measured bigint;
begin
  with near as materialized (
    select e.record_no, e.vector operator(public.<=>) _query as distance
      from muniment.embedding e
     where e.tenant_id = _tenant
       and e.model_no = _model
       and e.space_id = any (_spaces)
     order by distance, e.record_no
     limit _nearest),
  live as (
    select n.record_no, 1 - n.distance as cosine
      from near n
     cross join lateral (
             select from muniment.liveness l
              where l.tenant_id = _tenant
                and l.record_no = n.record_no
                and (_known_at is null or l.live_from_commit <= _known_at)
                and (l.live_to_commit is null or l.live_to_commit > _known_at)
              limit 1) l
     order by n.distance, n.record_no
     limit _limit)
  select (select count(*) from near),
         array_agg(v.record_no order by v.cosine desc, v.record_no),
         array_agg(v.cosine order by v.cosine desc, v.record_no)
    into _measured, _records, _cosines
    from live v;
  if _measured < _nearest or pg_catalog.cardinality(_records) >= _limit then
    return query select u.record_no, u.cosine from unnest(_records, _cosines) u (record_no, cosine);
    return;
  end if;
  return query
    select e.record_no, 1 - (e.vector operator(public.<=>) _query)
      from muniment.embedding e
      join muniment.liveness l
        on l.tenant_id = e.tenant_id
       and l.record_no = e.record_no
     where e.tenant_id = _tenant
       and e.model_no = _model
       and e.space_id = any (_spaces)
       and l.tenant_id = _tenant
       and (_known_at is null or l.live_from_commit <= _known_at)
       and (l.live_to_commit is null or l.live_to_commit > _known_at)
     order by e.vector operator(public.<=>) _query, e.record_no
     limit _limit;
end $$;

-- Returns at most _limit live records near _query by the tenant's HNSW index, nearly always the nearest; the index is walked on
-- until enough are visible and live, at most 20,000 vectors far (hnsw.max_scan_tuples). Half as many again as are wanted are kept
-- on the way: of 100,000 clustered vectors the 100 nearest are then among the 200 found to 99.8 %, as with twice as many.
create or replace function muniment.search_vector_index(
  _tenant bigint, _spaces bigint[], _model integer, _query public.halfvec, _known_at bigint, _limit integer)
returns table (record_no bigint, cosine double precision)
language plpgsql stable security invoker
set search_path = ''
set enable_sort = off  -- a young table's statistics would have it read all vectors and sort them
as $$
declare
  _dimensions integer;
begin
  select m.dimensions into _dimensions from muniment.embedding_model m where m.model_no = _model;
  if _dimensions is null then
    return;
  end if;
  perform pg_catalog.set_config('hnsw.iterative_scan', 'relaxed_order', true),
          pg_catalog.set_config('hnsw.ef_search', least(1000, greatest(200, _limit + _limit / 2))::text, true);
  -- The index is on a cast to the model's dimensions, which must stand in the statement as a literal: an integer of the
  -- registry, nothing else. Liveness is asked by a scalar subquery, since a join might lose the index's order.
  return query execute pg_catalog.format($statement$
    with near as materialized (
      select e.record_no, e.vector::public.halfvec(%1$s) operator(public.<=>) $4::public.halfvec(%1$s) as distance
        from muniment.embedding e
       where e.tenant_id = $1
         and e.model_no = $2
         and e.space_id = any ($3)
         and (select true
                from muniment.liveness l
               where l.tenant_id = $1
                 and l.record_no = e.record_no
                 and ($5 is null or l.live_from_commit <= $5)
                 and (l.live_to_commit is null or l.live_to_commit > $5)
               limit 1) is true
       order by e.vector::public.halfvec(%1$s) operator(public.<=>) $4::public.halfvec(%1$s)
       limit $6)
    select n.record_no, 1 - n.distance from near n order by n.distance, n.record_no
    $statement$, _dimensions)
    using _tenant, _model, _spaces, _query, _known_at, _limit;
end $$;

-- Returns the cosine of each of _records that has a vector of the model, in no order. One index look-up a record.
create or replace function muniment.cosines(_tenant bigint, _model integer, _records bigint[], _query public.halfvec)
returns table (record_no bigint, cosine double precision)
language sql stable security invoker
set search_path = ''
as $$
  select r.record_no, 1 - (e.vector operator(public.<=>) _query)
    from (select distinct u.record_no from unnest(_records) u (record_no)) r
   cross join lateral (
           select e.vector
             from muniment.embedding e
            where e.tenant_id = _tenant
              and e.record_no = r.record_no
              and e.model_no = _model
            limit 1) e;
$$;
