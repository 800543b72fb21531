-- For each term its documents in these spaces (0 where there are none); the term '' gives N, and alone the total length of all. One
-- range of blocks a list of a term, whose arrays are not read, and the tail.
create or replace function muniment.lexical_statistics(_tenant bigint, _spaces bigint[], _terms text[])
returns table (term text, documents bigint, total_length bigint)
language sql stable security invoker set search_path = '' set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
  with list as materialized (
    select t.term collate "C" as term, unnest(muniment.lists_of(t.term)) collate "C" as list
      from (select distinct u.term from unnest(_terms) u (term)) t
  ),
  asked as materialized (
    select array_agg(distinct l.list) as lists from list l
  )
  select l.term, coalesce(sum(p.documents), 0)::bigint, coalesce(sum(p.total_length), 0)::bigint
    from list l
    left join (
      select t.term as list, t.documents, t.total_length
        from muniment.tail_postings(_tenant, _spaces, (select a.lists from asked a)) t
      union all
      select b.term, b.documents, case when b.term = '' then b.total_length else 0 end
        from muniment.posting_block b
       where b.tenant_id = _tenant and b.term = any((select a.lists from asked a)::text[]) and b.space_id = any(_spaces)
    ) p on p.list = l.list
   group by l.term;
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
  list as materialized (
    select unnest(muniment.lists_of(t.term)) as list, t.weight, t.mean_length from term t
  ),
  posting as (
    select p.term as list, unnest(p.records) as record_no, unnest(p.counts) as tf, unnest(p.lengths) as length
      from muniment.tail_postings(_tenant, _spaces, (select array_agg(distinct l.list) from list l)) p
    union all
    select p.term, unnest(p.records), unnest(p.counts), unnest(p.lengths)
      from muniment.posting_block p
     where p.tenant_id = _tenant and p.term = any((select array_agg(l.list) from list l)::text[]) and p.space_id = any(_spaces)
  ),
  scored as (
    select p.record_no,
           sum(l.weight * p.tf * (_k1 + 1) / (p.tf + _k1 * (1 - _b + _b * p.length / l.mean_length))) as score
      from posting p join list l on l.list = p.list
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
