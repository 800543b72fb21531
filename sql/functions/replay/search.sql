-- Searches as they were made before: by the statistics that a query run kept, at its commit.

-- The best _limit records that counted at _known_at by BM25 with the terms' weights (weight * idf) and the mean length given: what
-- search_lexical gave when these were the statistics. Linear in the postings of the terms: about 0.5 microseconds each.
create or replace function muniment.search_lexical_again(
  _tenant bigint, _spaces bigint[], _terms text[], _weights double precision[], _mean_length double precision,
  _known_at bigint, _k1 double precision, _b double precision, _limit integer)
returns table (record_no bigint, score double precision)
language sql stable security invoker
set search_path = ''
as $$
  select f.record_no, pg_catalog.floor(f.score * 1e9 + 0.5) / 1e9
    from muniment.add_postings(
           _tenant, _spaces, _terms, array(select w.weight * (_k1 + 1) from unnest(_weights) w (weight)),
           _k1 * (1 - _b), _k1 * _b / _mean_length, '{}', '{}') a
   cross join lateral muniment.drop_closed(_tenant, a.matched, a.scores, _known_at) d
   cross join lateral unnest(d.matched, d.scores) f (record_no, score)
   order by 2 desc, 1
   limit _limit;
$$;

-- The _limit records that counted at _known_at nearest to _query, best first, without those in _lacking, which had no vector then.
-- Measures every vector of the visible spaces: about 1 ms per 1,000.
create or replace function muniment.search_vector_again(
  _tenant bigint, _spaces bigint[], _model integer, _query public.halfvec, _known_at bigint, _limit integer,
  _lacking int8multirange)
returns table (record_no bigint, cosine double precision)
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_custom_plan set jit = off
as $$
  select e.record_no, 1 - (e.vector operator(public.<=>) _query)
    from muniment.embedding e
    join muniment.liveness l
      on l.tenant_id = _tenant
     and l.record_no = e.record_no
   where e.tenant_id = _tenant
     and e.model_no = _model
     and e.space_id = any (_spaces)
     and not e.record_no operator(pg_catalog.<@) _lacking
     and l.live_from_commit <= _known_at
     and (l.live_to_commit is null or l.live_to_commit > _known_at)
   order by e.vector operator(public.<=>) _query, e.record_no
   limit _limit;
$$;
