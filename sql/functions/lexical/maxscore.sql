-- Search by MaxScore. The functions here plan once, for any parameters, and always reach rows by their keys: a session may have
-- planned while the tables were small, and the planner knows nothing of arrays handed in. A term's bound is weight * (k1 + 1), which
-- its score bound * tf / (tf + flat + slope * length) never reaches, with flat = k1 * (1 - b) and slope = k1 * b / mean length.

-- The records found so far with their scores, and to them all the postings of these lists. About 0.4 microseconds a posting.
create or replace function muniment.add_postings(
  _tenant bigint, _spaces bigint[], _lists text[], _bounds double precision[], _flat double precision, _slope double precision,
  _records bigint[], _scores double precision[], out matched bigint[], out scores double precision[])
language sql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
  select coalesce(array_agg(s.record_no), '{}'), coalesce(array_agg(s.score), '{}')
    from (
      select a.record_no, sum(a.score) as score
        from (
          select unnest(_records) as record_no, unnest(_scores) as score
          union all
          select p.record_no, p.bound * p.tf / (p.tf + _flat + _slope * p.length)
            from (
              select q.bound, unnest(t.records) as record_no, unnest(t.counts) as tf, unnest(t.lengths) as length
                from muniment.tail_postings(_tenant, _spaces, _lists) t
                join unnest(_lists, _bounds) q(list, bound) on q.list = t.term
              union all
              select q.bound, unnest(k.records), unnest(k.counts), unnest(k.lengths)
                from muniment.posting_block k
                join unnest(_lists, _bounds) q(list, bound) on q.list = k.term
               where k.tenant_id = _tenant and k.term = any(_lists) and k.space_id = any(_spaces)
            ) p
        ) a
       group by a.record_no
    ) s;
$$;

-- Those of the records that count at _known_at (null: now), with their scores. Looks only closed records up where _known_at is not
-- in the past: a record is indexed in the transaction that seals it. About 0.2 microseconds a record, 1 in the past.
create or replace function muniment.drop_closed(
  _tenant bigint, _records bigint[], _scores double precision[], _known_at bigint,
  out matched bigint[], out scores double precision[])
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
declare
  _closed bigint[];
begin
  if _known_at is null or _known_at >= (select h.commits from muniment.log_head h where h.tenant_id = _tenant) then
    select array_agg(l.record_no) into _closed
      from muniment.liveness l
     where l.tenant_id = _tenant and l.record_no = any(_records) and l.live_to_commit is not null and not l.reopened;
  else
    -- those whose last stretch is not of then, but for those of which an earlier one is
    select array_agg(x.record_no) into _closed
      from (select l.record_no
              from muniment.liveness l
             where l.tenant_id = _tenant and l.record_no = any(_records) and not l.reopened
               and (l.live_from_commit > _known_at or l.live_to_commit <= _known_at)
            except
            select l.record_no
              from muniment.liveness l
             where l.tenant_id = _tenant and l.record_no = any(_records) and l.reopened and l.live_to_commit is not null
               and l.live_from_commit <= _known_at and l.live_to_commit > _known_at) x;
  end if;
  if _closed is null then
    matched := _records;
    scores := _scores;
    return;
  end if;
  select coalesce(array_agg(s.record_no), '{}'), coalesce(array_agg(s.score), '{}') into matched, scores
    from unnest(_records, _scores) s(record_no, score)
    left join unnest(_closed) c(record_no) on c.record_no = s.record_no
   where c.record_no is null;
end $$;

-- The candidates with what these lists add to their scores, from the postings. About 0.25 microseconds a posting.
create or replace function muniment.finish_by_postings(
  _tenant bigint, _spaces bigint[], _lists text[], _bounds double precision[], _flat double precision, _slope double precision,
  _records bigint[], _scores double precision[])
returns table (record_no bigint, score double precision)
language sql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
  select f.record_no, sum(f.score)
    from (
      select unnest(_records) as record_no, unnest(_scores) as score
      union all
      select p.record_no, p.bound * p.tf / (p.tf + _flat + _slope * p.length)
        from (
          select q.bound, unnest(t.records) as record_no, unnest(t.counts) as tf, unnest(t.lengths) as length
            from muniment.tail_postings(_tenant, _spaces, _lists) t
            join unnest(_lists, _bounds) q(list, bound) on q.list = t.term
          union all
          select q.bound, unnest(k.records), unnest(k.counts), unnest(k.lengths)
            from muniment.posting_block k
            join unnest(_lists, _bounds) q(list, bound) on q.list = k.term
           where k.tenant_id = _tenant and k.term = any(_lists) and k.space_id = any(_spaces)
        ) p
        join (select unnest(_records) as record_no) c on c.record_no = p.record_no
    ) f
   group by f.record_no;
$$;

-- The candidates with what these terms add to their scores, from their forward rows, whose sorted hashes are searched by halving.
-- About 3 microseconds a candidate and 0.3 a candidate and term.
create or replace function muniment.finish_by_documents(
  _tenant bigint, _terms text[], _bounds double precision[], _flat double precision, _slope double precision,
  _records bigint[], _scores double precision[])
returns table (record_no bigint, score double precision)
language sql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
  select f.record_no, sum(f.score)
    from (
      select unnest(_records) as record_no, unnest(_scores) as score
      union all
      select m.record_no, case when m.count < 0 then m.weight + m.as_stem else m.weight end
                            * abs(m.count) / (abs(m.count) + _flat + _slope * m.length)
        from (
          select p.record_no, p.length, p.weight, p.as_stem, p.counts[p.place] as count
            from (
              select d.record_no, d.length, d.hashes, d.counts, q.hash, q.weight, q.as_stem, width_bucket(q.hash, d.hashes) as place
                from (
                  select e.record_no, e.length, e.hashes, e.counts
                    from muniment.lexical_document e
                   where e.tenant_id = _tenant and e.record_no = any (_records)
                  offset 0
                ) d,
                (select w.hash, w.weight, w.as_stem from muniment.weigh_hashes(_terms, _bounds) w offset 0) q
              offset 0
            ) p
           where p.hashes[p.place] = p.hash
          offset 0
        ) m
    ) f
   group by f.record_no;
$$;

-- The best _limit records by BM25, best first, as search_lexical_exhaustive gives them: terms are added from the highest bound on
-- until those left cannot lift a record not yet found into the best _limit, or _cap visible, live candidates are found; only these
-- are finished, from the postings or the forward rows, whichever is cheaper. A large _cap makes it exact. One snapshot throughout.
-- _weights are weight * idf of the terms, _documents how many visible documents hold each.
create or replace function muniment.search_lexical_terms(
  _tenant bigint, _spaces bigint[], _weighed text[], _weights double precision[], _documents bigint[],
  _mean_length double precision, _known_at bigint, _k1 double precision, _b double precision, _limit integer, _cap integer)
returns table (record_no bigint, score double precision)
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
declare
  _terms text[];
  _bounds double precision[];
  _rest double precision[];  -- this bound and those after it, summed
  _postings bigint[];  -- this term's documents and those of the terms after it, summed
  _flat double precision := _k1 * (1 - _b);
  _slope double precision := _k1 * _b / _mean_length;
  _count integer := cardinality(_weighed);
  _done integer := 0;
  _next integer;
  _found bigint[] := '{}';
  _scores double precision[] := '{}';
  _threshold double precision;
begin
  if _count = 0 or _limit < 1 then
    return;
  end if;
  select array_agg(t.term), array_agg(t.bound), array_agg(t.rest), array_agg(t.postings)
    into _terms, _bounds, _rest, _postings
    from (
      select w.term, w.weight * (_k1 + 1) as bound,
             sum(w.weight * (_k1 + 1)) over later as rest, sum(w.documents) over later as postings
        from (
          select u.term collate "C" as term, u.weight, u.documents
            from unnest(_weighed, _weights, _documents) u(term, weight, documents)
        ) w
      window later as (order by w.weight, w.term desc)
       order by w.weight desc, w.term
    ) t;
  loop
    _next := _done + 1;
    -- light terms together, but few enough at a time that the bound is looked at before the long lists are read
    while _next < _count and _postings[_done + 1] - coalesce(_postings[_next + 2], 0) <= _cap loop
      _next := _next + 1;
    end loop;
    select a.matched, a.scores into _found, _scores
      from muniment.weigh_lists(_terms[_done + 1 : _next], _bounds[_done + 1 : _next]) w
     cross join lateral muniment.add_postings(_tenant, _spaces, w.lists, w.weights, _flat, _slope, _found, _scores) a;
    select d.matched, d.scores into _found, _scores from muniment.drop_closed(_tenant, _found, _scores, _known_at) d;
    _done := _next;
    exit when _done = _count or cardinality(_found) >= _cap;
    _threshold := coalesce((select s from unnest(_scores) s order by s desc offset _limit - 1 limit 1), 0);
    exit when _rest[_done + 1] < _threshold - 1e-8;
  end loop;
  if _done < _count then
    _threshold := coalesce((select s from unnest(_scores) s order by s desc offset _limit - 1 limit 1), 0);
    select array_agg(c.record_no), array_agg(c.score) into _found, _scores
      from (
        select c.record_no, c.score
          from unnest(_found, _scores) c(record_no, score)
         where c.score + _rest[_done + 1] >= _threshold - 1e-8
         order by c.score desc, c.record_no
         limit _cap
      ) c;
    if _postings[_done + 1] < cardinality(_found) * (12 + 2.5 * (_count - _done)) then
      return query
        select f.record_no, floor(f.score * 1e9 + 0.5) / 1e9
          from muniment.weigh_lists(_terms[_done + 1 :], _bounds[_done + 1 :]) w
         cross join lateral muniment.finish_by_postings(_tenant, _spaces, w.lists, w.weights, _flat, _slope, _found, _scores) f
         order by 2 desc, 1
         limit _limit;
    else
      return query
        select f.record_no, floor(f.score * 1e9 + 0.5) / 1e9
          from muniment.finish_by_documents(
            _tenant, _terms[_done + 1 :], _bounds[_done + 1 :], _flat, _slope, _found, _scores) f
         order by 2 desc, 1
         limit _limit;
    end if;
    return;
  end if;
  return query
    select f.record_no, floor(f.score * 1e9 + 0.5) / 1e9
      from unnest(_found, _scores) f(record_no, score)
     order by 2 desc, 1
     limit _limit;
end $$;

-- search_lexical_terms for a question that is not cut into terms yet.
create or replace function muniment.search_lexical(
  _tenant bigint, _spaces bigint[], _question text, _language text, _known_at bigint,
  _k1 double precision, _b double precision, _limit integer, _cap integer)
returns table (record_no bigint, score double precision)
language sql stable security invoker set search_path = ''
as $$
  select f.record_no, f.score
    from (
      select array_agg(w.term) as terms, array_agg(w.weight) as weights, array_agg(w.documents) as documents,
             min(w.mean_length) as mean_length
        from muniment.weigh_terms(_tenant, _spaces, _question, _language) w
      having count(*) > 0
    ) q
   cross join lateral muniment.search_lexical_terms(
           _tenant, _spaces, q.terms, q.weights, q.documents, q.mean_length, _known_at, _k1, _b, _limit, _cap) f;
$$;
