-- The facts that ranking needs of the candidates, one row of arrays over them in the order of record numbers: where each stands,
-- its length, the local day it was said as days since 1970, whether it ends by asking, whether one of _speakers or the role user
-- said it, and its cosine (null without a vector). The last three arrays are the counts of _terms in the records _counted, or in
-- all candidates where that is null: candidate and term from 1, count. Candidates are _records and the live records of the same
-- group within _reach positions of _anchors. One look-up in five tables a candidate, and the terms of the counted forward rows.
create or replace function muniment.describe_candidates(
  _tenant bigint, _spaces bigint[], _records bigint[], _anchors bigint[], _reach integer, _known_at bigint,
  _counted bigint[], _terms text[], _speakers text[], _model integer, _vector public.halfvec)
returns table (records bigint[], groups bigint[], positions integer[], lengths integer[], days integer[], asks boolean[],
               named boolean[], by_user boolean[], kinds text[], trusts real[], cosines double precision[],
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
           r.record_no, r.group_no, r.position, r.kind, r.trust,
           coalesce(d.length, 0) as length,
           ((r.said_at at time zone 'UTC') + pg_catalog.make_interval(mins => coalesce(r.said_offset, 0)))::date - '1970-01-01'::date as day,
           pg_catalog.right(pg_catalog.rtrim(t.text), 1) in ('?', '？', '؟') as asks,
           coalesce(r.speaker = any (_speakers), false) as named,
           coalesce(r.role = 'user', false) as by_user,
           1 - (e.vector operator(public.<=>) _vector) as cosine
      from candidate c
      join muniment.record r
        on r.tenant_id = _tenant
       and r.record_no = c.record_no
      join muniment.record_content t
        on t.tenant_id = _tenant
       and t.record_no = c.record_no
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
      from muniment.count_terms(_tenant, coalesce(_counted, (select pg_catalog.array_agg(k.record_no) from candidate k)), _terms) c
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
         coalesce(pg_catalog.array_agg(f.trust order by f.n), '{}'),
         coalesce(pg_catalog.array_agg(f.cosine order by f.n), '{}'),
         (select coalesce(pg_catalog.array_agg(c.n), '{}') from term_count c),
         (select coalesce(pg_catalog.array_agg(c.place), '{}') from term_count c),
         (select coalesce(pg_catalog.array_agg(c.count), '{}') from term_count c)
    from fact f;
$$;

-- How often each of _terms stands in each of the records: one row a term that does, place being its place in _terms from 1.
-- Linear in the records' forward rows. Planned anew each time, since only a constant array of terms is looked up by hash.
create or replace function muniment.count_terms(_tenant bigint, _records bigint[], _terms text[])
returns table (record_no bigint, place integer, count smallint)
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
  select d.record_no, pg_catalog.array_position(_terms, w.term), w.count
    from muniment.lexical_document d
   cross join lateral unnest(d.terms, d.counts) w (term, count)
   where d.tenant_id = _tenant
     and d.record_no = any (_records)
     and w.term = any (_terms);
$$;
