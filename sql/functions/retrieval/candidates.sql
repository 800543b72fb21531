-- The facts that ranking needs of each candidate, one row each, in the order of record numbers: where it stands, who said it
-- when, its length, whether it ends by asking, and the counts of _terms in it (in their order). Candidates are _records and the
-- live records of the same group within _reach positions of one of _anchors. One look-up in four tables a candidate, and the
-- forward row's terms are compared with _terms.
create or replace function muniment.describe_candidates(
  _tenant bigint, _spaces bigint[], _records bigint[], _anchors bigint[], _reach integer, _known_at bigint, _terms text[])
returns table (record_no bigint, group_no bigint, "position" integer, speaker text, role text, said_at timestamptz,
               said_offset smallint, kind text, trust real, length integer, asks boolean, counts smallint[])
language sql stable security invoker
set search_path = ''
as $$
  with anchor as materialized (
    select l.group_no, l.position
      from unnest(_anchors) a (record_no)
      join muniment.liveness l
        on l.tenant_id = _tenant
       and l.record_no = a.record_no),
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
              and l.position between a.position - _reach and a.position + _reach
              and l.space_id = any (_spaces)
              and l.live_from_commit <= _known_at
              and (l.live_to_commit is null or l.live_to_commit > _known_at)) n
     where _reach > 0)
  select r.record_no, r.group_no, r.position, r.speaker, r.role, r.said_at, r.said_offset, r.kind, r.trust,
         coalesce(d.length, 0),
         pg_catalog.right(pg_catalog.rtrim(t.text), 1) in ('?', '？', '؟'),
         coalesce(d.counts, '{}')
    from candidate c
    join muniment.record r
      on r.tenant_id = _tenant
     and r.record_no = c.record_no
    join muniment.record_content t
      on t.tenant_id = _tenant
     and t.record_no = c.record_no
    left join lateral (
         select f.length,
                (select pg_catalog.array_agg(coalesce(w.count, 0::smallint) order by q.ordinal)
                   from unnest(_terms) with ordinality q (term, ordinal)
                   left join unnest(f.terms, f.counts) w (term, count)
                     on w.term = q.term) as counts
           from muniment.lexical_document f
          where f.tenant_id = _tenant
            and f.record_no = c.record_no) d
      on true
   where r.space_id = any (_spaces)
   order by r.record_no;
$$;
