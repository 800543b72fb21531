-- The best _limit of the records by BM25, measured on their forward rows with the terms' weights (weight * idf) given. For
-- narrowed searches: linear in the records.
create or replace function muniment.score_records(
  _tenant bigint, _records bigint[], _terms text[], _weights double precision[], _mean_length double precision,
  _k1 double precision, _b double precision, _limit integer)
returns table (record_no bigint, score double precision)
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
  select p.record_no, sum(p.weight * p.count * (_k1 + 1) / (p.count + _k1 * (1 - _b + _b * p.length / _mean_length)))
    from (select m.record_no, m.length, case when m.count < 0 then m.weight + m.as_stem else m.weight end as weight,
                 abs(m.count) as count
            from (select h.record_no, h.length, h.weight, h.as_stem, h.counts[h.place] as count
                    from (select d.record_no, d.length, d.hashes, d.counts, q.hash, q.weight, q.as_stem,
                                 pg_catalog.width_bucket(q.hash, d.hashes) as place
                            from (select f.record_no, f.length, f.hashes, f.counts
                                    from muniment.lexical_document f
                                   where f.tenant_id = _tenant
                                     and f.record_no = any (_records)
                                  offset 0) d,
                                 (select w.hash, w.weight, w.as_stem from muniment.weigh_hashes(_terms, _weights) w offset 0) q
                          offset 0) h
                   where h.hashes[h.place] = h.hash
                  offset 0) m) p
   where p.weight > 0
   group by p.record_no
   order by 2 desc, 1
   limit _limit;
$$;
