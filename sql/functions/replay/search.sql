-- Searches as they were made before: by the statistics that a query run kept, at its commit.

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
