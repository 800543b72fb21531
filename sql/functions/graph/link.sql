-- Stores the similarity edges of those of _records that have a vector, and returns how many edges are new. What a record's edges
-- are depends on the log alone, not on the order or the number of the calls: to the 5 nearest records of its space with smaller
-- numbers that were live when it was sealed, of a cosine of at least 0.58. So a record that is linked late also becomes the
-- neighbour of later ones. Serialised by space. A record costs a scan of at most 20,000 vectors, 0.5 ms per 1,000: the most
-- recent before it, and the next 2,000 after it.
create or replace function muniment.link_similar(_tenant bigint, _model integer, _records bigint[])
returns bigint
language plpgsql volatile security invoker
set search_path = ''
as $$
declare
  _record record;
  _added bigint := 0;
begin
  -- a statement that starts after the lock is held sees what the call before it stored
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('link ' || s.space_id, _tenant))
     from (select distinct e.space_id
             from muniment.embedding e
            where e.tenant_id = _tenant
              and e.model_no = _model
              and e.record_no = any (_records)
            order by e.space_id) s;
  for _record in
    select e.record_no, e.space_id, e.vector, l.live_from_commit
      from muniment.embedding e
     cross join lateral (
             select w.live_from_commit
               from muniment.liveness w
              where w.tenant_id = _tenant
                and w.record_no = e.record_no
              order by w.live_from_commit
              limit 1) l
     where e.tenant_id = _tenant
       and e.model_no = _model
       and e.record_no = any (_records)
     order by e.record_no
  loop
    _added := _added
      + muniment.link_record(_tenant, _model, _record.space_id, _record.record_no, _record.vector, _record.live_from_commit)
      + muniment.link_to_record(_tenant, _model, _record.space_id, _record.record_no, _record.vector);
    insert into muniment.similarity_linked (tenant_id, record_no, space_id)
    values (_tenant, _record.record_no, _record.space_id)
    on conflict (tenant_id, record_no) do nothing;
  end loop;
  return _added;
end $$;

-- Stores the edges from a record sealed by the commit _sealed to its nearest before it, and returns how many are new. One
-- descending index range of at most 20,000 vectors.
create or replace function muniment.link_record(
  _tenant bigint, _model integer, _space bigint, _record bigint, _vector public.halfvec, _sealed bigint)
returns bigint
language plpgsql volatile security invoker
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  _added bigint;
begin
  with near as materialized (
    select w.record_no, w.cosine
      from (select e.record_no, 1 - (e.vector operator(public.<=>) _vector) as cosine
              from muniment.embedding e
             where e.tenant_id = _tenant
               and e.model_no = _model
               and e.space_id = _space
               and e.record_no < _record
             order by e.record_no desc
             limit 20000) w
     where w.cosine >= 0.58)
  insert into muniment.similarity (tenant_id, record_no, neighbour_no, space_id, weight)
  select _tenant, _record, n.record_no, _space, least(1, n.cosine)::real as weight
    from near n
   cross join lateral (
           select from muniment.liveness l
            where l.tenant_id = _tenant
              and l.record_no = n.record_no
              and l.live_from_commit <= _sealed
              and (l.live_to_commit is null or l.live_to_commit > _sealed)
            limit 1) l
   order by weight desc, n.record_no desc
   limit 5
  on conflict (tenant_id, record_no, neighbour_no) do nothing;
  get diagnostics _added = row_count;
  return _added;
end $$;

-- Stores the edges to a record from those after it that were linked without it, where it is among their 5 nearest; returns by
-- how many the edges grew. One ascending index range of at most 2,000 vectors; nearly always none is linked.
create or replace function muniment.link_to_record(
  _tenant bigint, _model integer, _space bigint, _record bigint, _vector public.halfvec)
returns bigint
language plpgsql volatile security invoker
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  _linked bigint[];
  _added bigint;
  _removed bigint;
begin
  with near as materialized (
    select w.record_no, w.cosine
      from (select e.record_no, 1 - (e.vector operator(public.<=>) _vector) as cosine
              from muniment.embedding e
             where e.tenant_id = _tenant
               and e.model_no = _model
               and e.space_id = _space
               and e.record_no > _record
             order by e.record_no
             limit 2000) w
     where w.cosine >= 0.58),
  stored as (
    insert into muniment.similarity (tenant_id, record_no, neighbour_no, space_id, weight)
    select _tenant, n.record_no, _record, _space, least(1, n.cosine)::real
      from near n
     cross join lateral (
             select from muniment.similarity_linked s
              where s.tenant_id = _tenant
                and s.record_no = n.record_no
              limit 1) s
     cross join lateral (
             select l.live_from_commit
               from muniment.liveness l
              where l.tenant_id = _tenant
                and l.record_no = n.record_no
              order by l.live_from_commit
              limit 1) l
     cross join lateral (
             select from muniment.liveness own
              where own.tenant_id = _tenant
                and own.record_no = _record
                and own.live_from_commit <= l.live_from_commit
                and (own.live_to_commit is null or own.live_to_commit > l.live_from_commit)
              limit 1) own
    on conflict (tenant_id, record_no, neighbour_no) do nothing
    returning record_no)
  select array_agg(s.record_no), count(*) into _linked, _added from stored s;
  if _added = 0 then
    return 0;
  end if;
  delete from muniment.similarity d
   where d.tenant_id = _tenant
     and d.record_no = any (_linked)
     and (d.record_no, d.neighbour_no) in (
           select r.record_no, r.neighbour_no
             from (select s.record_no, s.neighbour_no,
                          row_number() over (partition by s.record_no order by s.weight desc, s.neighbour_no desc) as place
                     from muniment.similarity s
                    where s.tenant_id = _tenant
                      and s.record_no = any (_linked)) r
            where r.place > 5);
  get diagnostics _removed = row_count;
  return _added - _removed;
end $$;
