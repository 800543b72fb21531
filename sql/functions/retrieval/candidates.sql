-- The facts that ranking needs of the candidates, one row of arrays over them in the order of record numbers: where each stands,
-- its length, the local day it was said as days since 1970, whether it ends by asking, whether one of _speakers or the role user
-- said it, and its cosine (null without a vector). The last three arrays are the counts of _terms in the records _counted, or in
-- all candidates where that is null: candidate and term from 1, count. Candidates are _records and the live records of the same
-- group within _reach positions of _anchors. One look-up in five tables a candidate, and the terms of the counted forward rows.
create or replace function muniment.describe_candidates(
  _tenant bigint, _spaces bigint[], _records bigint[], _anchors bigint[], _reach integer, _known_at bigint,
  _counted bigint[], _terms text[], _documents bigint[], _speakers text[], _model integer, _vector public.halfvec)
returns table (records bigint[], groups bigint[], positions integer[], lengths integer[], days integer[], asks boolean[],
               named boolean[], by_user boolean[], kinds text[], modalities text[], trusts real[], cosines double precision[],
               count_candidates bigint[], count_terms integer[], counts smallint[])
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
  with anchor as materialized (
    select l.group_no, l.position - _reach as first, l.position + _reach as last
      from unnest(_anchors) a (record_no)
      join muniment.liveness l
        on l.tenant_id = _tenant
       and l.record_no = a.record_no
     where _reach > 0),
  candidate as materialized (
    select u.record_no from unnest(_records) u (record_no)
    union
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
              and (l.live_to_commit is null or l.live_to_commit > _known_at)) n),
  fact as materialized (
    select row_number() over (order by r.record_no) as n,
           r.record_no, r.group_no, r.position, r.kind, r.modality, r.trust,
           coalesce(d.length, 0) as length,
           ((r.said_at at time zone 'UTC') + pg_catalog.make_interval(mins => coalesce(r.said_offset, 0)))::date - '1970-01-01'::date as day,
           coalesce(d.asks, false) as asks,
           coalesce(r.speaker = any (_speakers), false) as named,
           coalesce(r.role = 'user', false) as by_user,
           1 - (e.vector operator(public.<=>) _vector) as cosine
      from candidate c
      join muniment.record r
        on r.tenant_id = _tenant
       and r.record_no = c.record_no
      left join muniment.lexical_document d
        on d.tenant_id = _tenant
       and d.record_no = c.record_no
      left join muniment.embedding e
        on e.tenant_id = _tenant
       and e.record_no = c.record_no
       and e.model_no = _model
     where r.space_id = any (_spaces)),
  term_count as materialized (
    select f.n, c.place, c.count
      from muniment.count_terms(
             _tenant, _spaces, coalesce(_counted, (select pg_catalog.array_agg(k.record_no) from candidate k)), _terms, _documents) c
      join fact f
        on f.record_no = c.record_no)
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

-- How often each of _terms stands in each of the records: one row a term that does, place being its place in _terms from 1. Rare
-- terms are counted in their postings, 0.25 microseconds a posting; frequent ones in the records' forward rows, whose sorted
-- terms are searched by halving: 0.6 microseconds a record and term. _documents says how many visible documents hold each term.
create or replace function muniment.count_terms(
  _tenant bigint, _spaces bigint[], _records bigint[], _terms text[], _documents bigint[])
returns table (record_no bigint, place integer, count smallint)
language plpgsql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
declare
  _most constant bigint := 2 * coalesce(pg_catalog.cardinality(_records), 0);
  _rare text[];
  _rare_places integer[];
  _frequent text[];
  _frequent_places integer[];
begin
  select array_agg(t.term) filter (where t.documents <= _most), array_agg(t.place) filter (where t.documents <= _most),
         array_agg(t.term) filter (where t.documents > _most), array_agg(t.place) filter (where t.documents > _most)
    into _rare, _rare_places, _frequent, _frequent_places
    from unnest(_terms, _documents) with ordinality t (term, documents, place)
   where t.documents > 0;
  if _rare is not null then
    return query
      select p.record_no, p.place, p.tf
        from (select q.place, unnest(t.records) as record_no, unnest(t.counts) as tf
                from muniment.tail_postings(_tenant, _spaces, _rare) t
                join unnest(_rare, _rare_places) q (term, place)
                  on q.term = t.term
              union all
              select q.place, unnest(k.records), unnest(k.counts)
                from muniment.posting_block k
                join unnest(_rare, _rare_places) q (term, place)
                  on q.term = k.term
               where k.tenant_id = _tenant
                 and k.term = any (_rare)
                 and k.space_id = any (_spaces)) p
        join (select unnest(_records) as record_no) c
          on c.record_no = p.record_no;
  end if;
  if _frequent is not null then
    return query
      select p.record_no, p.place, p.counts[p.at]
        from (select d.record_no, d.terms, d.counts, q.term, q.place,
                     pg_catalog.width_bucket(q.term collate "C", d.terms) as at
                from (select e.record_no, e.terms, e.counts
                        from muniment.lexical_document e
                       where e.tenant_id = _tenant
                         and e.record_no = any (_records)
                      offset 0) d,
                     unnest(_frequent, _frequent_places) q (term, place)
              offset 0) p
       where p.terms[p.at] = p.term;
  end if;
end $$;
