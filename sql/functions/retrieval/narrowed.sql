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
