-- For each term its documents in these spaces, and their total length (0, 0 where there are none); the term '' gives N and the
-- total length of all. One range of postings a term; the documents' arrays are not read.
create or replace function muniment.lexical_statistics(_tenant bigint, _spaces bigint[], _terms text[])
returns table (term text, documents bigint, total_length bigint)
language sql stable security invoker set search_path = '' as $$
  select w.term, coalesce(sum(p.documents), 0)::bigint, coalesce(sum(p.total_length), 0)::bigint
    from (select distinct t.term collate "C" as term from unnest(_terms) t(term)) w
    left join (
      select p.term, p.documents, p.total_length
        from muniment.posting_tail p
       where p.tenant_id = _tenant and p.term = any(_terms) and p.space_id = any(_spaces)
      union all
      select p.term, p.documents, p.total_length
        from muniment.posting_block p
       where p.tenant_id = _tenant and p.term = any(_terms) and p.space_id = any(_spaces)
    ) p on p.term = w.term
   group by w.term;
$$;

-- The terms of a question that these spaces hold, rarest first and at most 64, with weight * idf of BM25 as Lucene writes it:
-- idf = ln(1 + (N - df + 0.5) / (df + 0.5)). Cost: the statistics of the question's terms.
create or replace function muniment.weigh_terms(_tenant bigint, _spaces bigint[], _question text, _language text)
returns table (term text, weight double precision, documents bigint, mean_length double precision)
language sql stable security invoker set search_path = '' as $$
  with question as materialized (
    select q.term, q.weight from muniment.question_terms(_question, _language) q
  ),
  counted as materialized (
    select s.term, s.documents, s.total_length
      from muniment.lexical_statistics(_tenant, _spaces, (select array_agg(q.term) || array[''] from question q)) s
  )
  select q.term,
         q.weight * ln(1 + (a.documents - s.documents + 0.5::double precision) / (s.documents + 0.5::double precision)),
         s.documents,
         greatest(a.total_length, 1)::double precision / greatest(a.documents, 1)
    from question q
    join counted s on s.term = q.term
   cross join (select c.documents, c.total_length from counted c where c.term = '') a
   where s.documents > 0
   order by s.documents, q.term
   limit 64;
$$;

-- The best _limit records by BM25 over all postings of the question's terms, none left out: what search_lexical must equal.
-- Linear in those postings. A score is rounded to 1e-9, so that ties do not hang on the order of addition.
create or replace function muniment.search_lexical_exhaustive(
  _tenant bigint, _spaces bigint[], _question text, _language text, _known_at bigint,
  _k1 double precision, _b double precision, _limit integer)
returns table (record_no bigint, score double precision)
language sql stable security invoker set search_path = '' as $$
  with term as materialized (
    select t.term, t.weight, t.mean_length from muniment.weigh_terms(_tenant, _spaces, _question, _language) t
  ),
  posting as (
    select p.term, unnest(p.records) as record_no, unnest(p.counts) as tf, unnest(p.lengths) as length
      from muniment.posting_tail p
     where p.tenant_id = _tenant and p.term = any((select array_agg(t.term) from term t)::text[]) and p.space_id = any(_spaces)
    union all
    select p.term, unnest(p.records), unnest(p.counts), unnest(p.lengths)
      from muniment.posting_block p
     where p.tenant_id = _tenant and p.term = any((select array_agg(t.term) from term t)::text[]) and p.space_id = any(_spaces)
  ),
  scored as (
    select p.record_no,
           sum(t.weight * p.tf * (_k1 + 1) / (p.tf + _k1 * (1 - _b + _b * p.length / t.mean_length))) as score
      from posting p join term t on t.term = p.term
     group by p.record_no
  )
  select s.record_no, floor(s.score * 1e9 + 0.5) / 1e9
    from scored s
    join muniment.liveness l on l.tenant_id = _tenant and l.record_no = s.record_no
   where (_known_at is null and l.live_to_commit is null)
      or (l.live_from_commit <= _known_at and (l.live_to_commit is null or l.live_to_commit > _known_at))
   order by 2 desc, 1
   limit _limit;
$$;

-- The best _limit records by BM25, best first, as search_lexical_exhaustive gives them, by MaxScore: the terms are added in the order
-- of their upper bounds until the terms left cannot lift a record not yet found into the best _limit, or _cap visible, live
-- candidates are found; these alone are finished, from their forward rows. A large _cap makes it exact. One snapshot throughout.
-- The plans are made once and always by the keys (a new session may plan while the tables are small). Cost: the postings of the
-- rarer terms, about 0.3 microseconds each, and about 5 microseconds a candidate.
create or replace function muniment.search_lexical(
  _tenant bigint, _spaces bigint[], _question text, _language text, _known_at bigint,
  _k1 double precision, _b double precision, _limit integer, _cap integer)
returns table (record_no bigint, score double precision)
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_mergejoin = off set jit = off
as $$
declare
  _terms text[];
  _bounds double precision[];  -- weight * (k1 + 1), which no score of the term reaches
  _rest double precision[];  -- the sum of this bound and those after it
  _documents bigint[];
  _flat double precision := _k1 * (1 - _b);
  _slope double precision;
  _count integer;
  _done integer := 0;
  _next integer;
  _postings bigint;
  _found bigint[] := '{}';
  _scores double precision[] := '{}';
  _threshold double precision;
begin
  select array_agg(t.term), array_agg(t.bound), array_agg(t.rest), array_agg(t.documents), _k1 * _b / min(t.mean_length), count(*)
    into _terms, _bounds, _rest, _documents, _slope, _count
    from (
      select w.term, w.weight * (_k1 + 1) as bound, w.documents, w.mean_length,
             sum(w.weight * (_k1 + 1)) over (order by w.weight, w.term desc) as rest
        from muniment.weigh_terms(_tenant, _spaces, _question, _language) w
       order by w.weight desc, w.term
    ) t;
  if _count = 0 or _limit < 1 then
    return;
  end if;
  loop
    _next := _done + 1;
    _postings := _documents[_next];
    while _next < _count and _postings + _documents[_next + 1] <= 2 * _cap loop
      _next := _next + 1;
      _postings := _postings + _documents[_next];
    end loop;
    select array_agg(c.record_no), array_agg(c.score)
      into _found, _scores
      from (
        select s.record_no, s.score
          from (
            select a.record_no, sum(a.score) as score
              from (
                select unnest(_found) as record_no, unnest(_scores) as score
                union all
                select p.record_no, p.bound * p.tf / (p.tf + _flat + _slope * p.length)
                  from (
                    select q.bound, unnest(t.records) as record_no, unnest(t.counts) as tf, unnest(t.lengths) as length
                      from unnest(_terms[_done + 1 : _next], _bounds[_done + 1 : _next]) q(term, bound)
                      join muniment.posting_tail t
                        on t.tenant_id = _tenant and t.term = q.term and t.space_id = any(_spaces)
                    union all
                    select q.bound, unnest(k.records), unnest(k.counts), unnest(k.lengths)
                      from unnest(_terms[_done + 1 : _next], _bounds[_done + 1 : _next]) q(term, bound)
                      join muniment.posting_block k
                        on k.tenant_id = _tenant and k.term = q.term and k.space_id = any(_spaces)
                  ) p
              ) a
             group by a.record_no
          ) s
         where exists (
           select from muniment.liveness l
            where l.tenant_id = _tenant and l.record_no = s.record_no
              and l.live_from_commit <= coalesce(_known_at, l.live_from_commit)
              and (l.live_to_commit is null or l.live_to_commit > _known_at))
      ) c;
    _done := _next;
    _found := coalesce(_found, '{}');
    _scores := coalesce(_scores, '{}');
    _threshold := coalesce((select s from unnest(_scores) s order by s desc offset _limit - 1 limit 1), 0);
    exit when _done = _count or _rest[_done + 1] < _threshold - 1e-8 or cardinality(_found) >= _cap;
  end loop;
  if _done = _count then
    return query
      select c.record_no, floor(c.score * 1e9 + 0.5) / 1e9
        from unnest(_found, _scores) c(record_no, score)
       order by 2 desc, 1
       limit _limit;
    return;
  end if;
  return query
    with candidate as materialized (
      select c.record_no, c.score
        from unnest(_found, _scores) c(record_no, score)
       where c.score + _rest[_done + 1] >= _threshold - 1e-8
       order by c.score desc, c.record_no
       limit _cap
    )
    select c.record_no, floor((c.score + coalesce(f.score, 0)) * 1e9 + 0.5) / 1e9
      from candidate c
      left join (
        select d.record_no, sum(d.bound * d.counts[d.place] / (d.counts[d.place] + _flat + _slope * d.length)) as score
          from (
            select e.record_no, e.length, e.terms, e.counts, q.term, q.bound, width_bucket(q.term collate "C", e.terms) as place
              from (
                select d.record_no, d.length, d.terms, d.counts
                  from muniment.lexical_document d
                 where d.tenant_id = _tenant and d.record_no = any((select array_agg(c.record_no) from candidate c)::bigint[])
                offset 0
              ) e,
              unnest(_terms[_done + 1 :], _bounds[_done + 1 :]) q(term, bound)
            offset 0
          ) d
         where d.terms[d.place] = d.term
         group by d.record_no
      ) f on f.record_no = c.record_no
     order by 2 desc, 1
     limit _limit;
end $$;
