-- The facts that ranking needs of the candidates, one row of arrays over them in the order of record numbers: where each stands,
-- its length, the local day it was said as days since 1970, whether it ends by asking, whether one of _speakers or the role user
-- said it, and its cosine (null without a vector). The last three arrays are the counts of _terms in the records _counted, or in
-- all candidates where that is null: candidate and term from 1, count. Candidates are _records and the live records of the same
-- group within _reach positions of _anchors.
-- Each of the three tables is read in one pass over its key, about 5 microseconds a candidate, and the sorted hashes of a forward
-- row are searched by halving, about 0.3 a candidate and term.
create or replace function muniment.describe_candidates(
  _tenant bigint, _spaces bigint[], _records bigint[], _anchors bigint[], _reach integer, _known_at bigint,
  _counted bigint[], _terms text[], _speakers text[], _model integer, _vector public.halfvec)
returns table (records bigint[], groups bigint[], positions integer[], lengths integer[], days integer[], asks boolean[],
               named boolean[], by_user boolean[], kinds text[], modalities text[], trusts real[], cosines double precision[],
               count_candidates bigint[], count_terms bigint[], counts smallint[])
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
  with anchor as materialized (
    select l.group_no, l.position - _reach as first, l.position + _reach as last
      from muniment.liveness l
     where l.tenant_id = _tenant
       and l.record_no = any (_anchors)
       and _reach > 0),
  candidate as materialized (
    select pg_catalog.array_agg(distinct c.record_no) as records
      from (select u.record_no from unnest(_records) u (record_no)
            union all
            select n.record_no
              from anchor a
             cross join lateral (
                   select l.record_no
                     from muniment.liveness l
                    where l.tenant_id = _tenant
                      and l.group_no = a.group_no
                      and l.position between a.first and a.last
                      and l.space_id = any (_spaces)
                      and l.live_from_commit <= _known_at
                      and (l.live_to_commit is null or l.live_to_commit > _known_at)
                   offset 0) n) c),
  document as materialized (
    select d.record_no, d.length, d.asks, d.hashes, d.counts
      from muniment.lexical_document d
     where d.tenant_id = _tenant
       and d.record_no = any ((select c.records from candidate c)::bigint[])),
  measured as (
    select e.record_no, 1 - (e.vector operator(public.<=>) _vector) as cosine
      from muniment.embedding e
     where e.tenant_id = _tenant
       and e.record_no = any ((select c.records from candidate c)::bigint[])
       and e.model_no = _model),
  fact as materialized (
    select row_number() over (order by r.record_no) as n,
           r.record_no, r.group_no, r.position, r.kind, r.modality, r.trust,
           coalesce(d.length, 0) as length,
           ((r.said_at at time zone 'UTC') + pg_catalog.make_interval(mins => coalesce(r.said_offset, 0)))::date - '1970-01-01'::date as day,
           coalesce(d.asks, false) as asks,
           coalesce(r.speaker = any (_speakers), false) as named,
           coalesce(r.role = 'user', false) as by_user,
           m.cosine
      from muniment.record r
      left join document d
        on d.record_no = r.record_no
      left join measured m
        on m.record_no = r.record_no
     where r.tenant_id = _tenant
       and r.record_no = any ((select c.records from candidate c)::bigint[])
       and r.space_id = any (_spaces)),
  sought as materialized (  -- a stem by its own hash, and by that of the word of its letters, where it has a count below 0
    select t.place, muniment.term_hash(t.term) as hash, false as as_stem
      from unnest(_terms) with ordinality t (term, place)
    union all
    select t.place, muniment.term_hash(pg_catalog.substr(t.term, 2)), true
      from unnest(_terms) with ordinality t (term, place)
     where pg_catalog.starts_with(t.term, '~')),
  term as materialized (
    select distinct s.hash from sought s),
  held as materialized (
    select h.record_no, h.hash, h.counts[h.at] as count
      from (select d.record_no, d.hashes, d.counts, t.hash, pg_catalog.width_bucket(t.hash, d.hashes) as at
              from (select d.record_no, d.hashes, d.counts
                      from document d
                     where _counted is null
                    union all
                    select d.record_no, d.hashes, d.counts
                      from document d
                      join unnest(_counted) c (record_no)
                        on c.record_no = d.record_no) d
             cross join term t
            offset 0) h
     where h.hashes[h.at] = h.hash),
  term_count as materialized (
    select f.n, s.place, abs(h.count) as count
      from held h
      join fact f
        on f.record_no = h.record_no
      join sought s
        on s.hash = h.hash
     where h.count < 0 or not s.as_stem)
  select coalesce(pg_catalog.array_agg(f.record_no order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.group_no order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.position order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.length order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.day order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.asks order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.named order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.by_user order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.kind order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.modality order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.trust order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.cosine order by f.n), '{}'),
         (select coalesce(pg_catalog.array_agg(c.n), '{}') from term_count c),
         (select coalesce(pg_catalog.array_agg(c.place), '{}') from term_count c),
         (select coalesce(pg_catalog.array_agg(c.count), '{}') from term_count c)
    from fact f;
$$;
