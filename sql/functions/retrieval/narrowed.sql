-- The live records of one group, of one session, or of one session's part of a group, among the visible spaces. One index range.
create or replace function muniment.narrow_records(_tenant bigint, _spaces bigint[], _group text, _session text, _known_at bigint)
returns table (record_no bigint)
language plpgsql stable security invoker
set search_path = ''
as $$
begin
  if _group is null then
    return query
      select r.record_no
        from muniment.record r
        join muniment.liveness l
          on l.tenant_id = _tenant
         and l.record_no = r.record_no
       where r.tenant_id = _tenant
         and r.session_id = _session
         and r.space_id = any (_spaces)
         and l.live_from_commit <= _known_at
         and (l.live_to_commit is null or l.live_to_commit > _known_at);
    return;
  end if;
  return query
    select r.record_no
      from muniment.record_group g
      join muniment.record r
        on r.tenant_id = _tenant
       and r.group_no = g.group_no
      join muniment.liveness l
        on l.tenant_id = _tenant
       and l.record_no = r.record_no
     where g.tenant_id = _tenant
       and g.space_id = any (_spaces)
       and g.group_key = _group
       and (_session is null or r.session_id = _session)
       and l.live_from_commit <= _known_at
       and (l.live_to_commit is null or l.live_to_commit > _known_at);
end $$;

-- The best _limit of the records by BM25, measured on their forward rows with the terms' weights (weight * idf) given. For
-- narrowed searches: linear in the records.
create or replace function muniment.score_records(
  _tenant bigint, _records bigint[], _terms text[], _weights double precision[], _mean_length double precision,
  _k1 double precision, _b double precision, _limit integer)
returns table (record_no bigint, score double precision)
language sql stable security invoker
set search_path = ''
as $$
  select f.record_no,
         sum(q.weight * w.count * (_k1 + 1) / (w.count + _k1 * (1 - _b + _b * f.length / _mean_length)))
    from muniment.lexical_document f
   cross join lateral unnest(f.terms, f.counts) w (term, count)
    join unnest(_terms, _weights) q (term, weight)
      on q.term = w.term
   where f.tenant_id = _tenant
     and f.record_no = any (_records)
   group by f.record_no
   order by 2 desc, 1
   limit _limit;
$$;
