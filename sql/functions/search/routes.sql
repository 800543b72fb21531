-- What the routes of the default profile find, each route's best first with ranks from 1: lexical; semantic where there is a _vector;
-- temporal where there is a window or the question asks when; graph, a hop from the five best of each of these. _within are the records
-- that a filter leaves, null for all; _terms with _weights and _held as score_coverage takes them. Cost: those of the routes.
create or replace function muniment.find_by_routes(
  _tenant bigint, _spaces bigint[], _question text, _language text, _known_at bigint, _within bigint[], _top_k integer,
  _terms text[], _weights double precision[], _held boolean[], _documents bigint, _mean_length double precision,
  _model integer, _vector public.halfvec, _from timestamptz, _to timestamptz)
returns table (route text, record_no bigint, score double precision, rank integer)
language plpgsql stable security invoker set search_path = '' as $$
declare
  _words constant integer := greatest(200, 5 * _top_k);  -- how many of each it is worth to rank: as the profile does
  _nearest constant integer := greatest(100, 2 * _top_k);
  _cues constant text := muniment.when_cues();
  _asks_when constant boolean := _question collate pg_unicode_fast ~* _cues;
  _lexical bigint[] := '{}';
  _lexical_scores double precision[] := '{}';
  _semantic bigint[] := '{}';
  _cosines double precision[] := '{}';
  _temporal bigint[] := '{}';
  _temporal_scores double precision[] := '{}';
begin
  if _within is null then
    select array_agg(l.record_no), array_agg(l.score) into _lexical, _lexical_scores
      from muniment.search_lexical(_tenant, _spaces, _question, _language, _known_at, 1.5, 0.75, _words,
                                   greatest(4000, round(0.013 * _documents))::integer) l;
  else
    select array_agg(l.record_no), array_agg(l.score) into _lexical, _lexical_scores
      from muniment.score_records(
             _tenant, _within, array(select t.term from unnest(_terms, _held) t (term, held) where t.held),
             array(select t.weight from unnest(_weights, _held) t (weight, held) where t.held), _mean_length, 1.5, 0.75, _words) l;
  end if;
  if _vector is not null then
    if _within is null then
      select array_agg(s.record_no), array_agg(s.cosine) into _semantic, _cosines
        from muniment.search_vector(_tenant, _spaces, _model, _vector, _known_at, _nearest, _documents <= 20000) s;
    else
      select array_agg(s.record_no), array_agg(s.cosine) into _semantic, _cosines
        from (select c.record_no, c.cosine
                from muniment.cosines(_tenant, _model, _within, _vector) c
               order by c.cosine desc, c.record_no
               limit _nearest) s;
    end if;
  end if;
  if _asks_when or _from is not null or _to is not null then
    select array_agg(t.record_no), array_agg(t.score) into _temporal, _temporal_scores
      from muniment.search_times(
             _tenant, _spaces, _known_at, regexp_replace(_question, _cues, ' ', 'gi'), _language, _from, _to,
             greatest(coalesce(extract(epoch from _to - _from), 0), 86400)::double precision, _asks_when, '{0.55,0.35,0.10,0.45}',
             500, _lexical[1:200] || _semantic[1:200], _within, 500) t;
  end if;
  return query
    select f.route, u.record_no, u.score, u.n::integer
      from (values ('lexical', _lexical, _lexical_scores), ('semantic', _semantic, _cosines),
                   ('temporal', _temporal, _temporal_scores)) f (route, records, scores)
     cross join lateral unnest(f.records, f.scores) with ordinality u (record_no, score, n)
    union all
    select 'graph', g.record_no, g.score, (row_number() over (order by g.score desc, g.hops, g.record_no))::integer
      from muniment.walk_graph(
             _tenant, _spaces, array(select distinct u from unnest(_lexical[1:5] || _semantic[1:5] || _temporal[1:5]) u order by u),
             _known_at, 1, 80) g
     where _within is null or g.record_no in (select w.record_no from unnest(_within) w (record_no));
end $$;

-- Those of _records, best first, that no better one has the same words as, at most _limit of them, live at _known_at. Reads the texts of
-- a few more than are wanted at a time.
create or replace function muniment.first_of_each_text(
  _tenant bigint, _records bigint[], _known_at bigint, _limit integer)
returns bigint[] language plpgsql stable security invoker set search_path = '' as $$
declare
  _chosen bigint[] := '{}';
  _keys text[] := '{}';
  _start integer := 0;
begin
  while cardinality(_chosen) < _limit and _start < cardinality(_records) loop
    with read as materialized (
      select b.n, b.record_no,
             coalesce(nullif(btrim(regexp_replace(casefold(c.text collate pg_unicode_fast), '\W+', ' ', 'g')), ''), c.text) as key
        from unnest(_records[_start + 1 : _start + _limit + 20]) with ordinality b (record_no, n)
       cross join lateral (
             select c.text
               from muniment.record_content c
               join muniment.liveness l
                 on l.tenant_id = c.tenant_id
                and l.record_no = c.record_no
              where c.tenant_id = _tenant
                and c.record_no = b.record_no
                and l.tenant_id = _tenant
                and l.live_from_commit <= _known_at
                and (l.live_to_commit is null or l.live_to_commit > _known_at)
              limit 1) c),
    fresh as (
      select distinct on (r.key) r.n, r.record_no, r.key from read r where r.key <> all (_keys) order by r.key, r.n)
    select _chosen || coalesce(array_agg(f.record_no order by f.n), '{}'), _keys || coalesce(array_agg(f.key), '{}')
      into _chosen, _keys
      from fresh f;
    _start := _start + _limit + 20;
  end loop;
  return _chosen[1:_limit];
end $$;
