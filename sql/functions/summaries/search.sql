-- The summaries of a kind that fit a question best: what they cover of its terms, by BM25's saturation and weight, and the cosine of their
-- vectors times _cosine. Live at _known_at, of the given spaces. At most _cap postings a term and space and _exact vectors a space are
-- looked at, the latest. Cost: these.
create or replace function muniment.search_summaries(
  _tenant bigint, _kind text, _spaces bigint[], _terms text[], _weights double precision[], _model integer, _vector public.halfvec,
  _cosine double precision, _known_at bigint, _limit integer, _cap integer, _exact integer)
returns table (summary_no bigint, score double precision)
language sql stable security invoker set search_path = '' as $$
  with posting as materialized (
    select t.n, t.weight, p.summary_no, p.tf, p.length
      from unnest(_terms, _weights) with ordinality as t (term, weight, n)
     cross join unnest(_spaces) as v (space_id)
     cross join lateral (
           select o.summary_no, o.tf, o.length
             from muniment.summary_posting o
            cross join lateral (
                  select
                    from muniment.summary s
                   where s.tenant_id = _tenant
                     and s.summary_no = o.summary_no
                     and s.live_from_commit <= _known_at
                     and (s.live_to_commit is null or s.live_to_commit > _known_at)
                  offset 0) s
            where o.tenant_id = _tenant
              and o.kind = _kind
              and o.hash = muniment.term_hash(t.term)
              and o.space_id = v.space_id
            order by o.summary_no desc
            limit _cap) p
  ),
  covered as materialized (
    select p.summary_no,
           sum(p.weight * w.idf * p.tf / (p.tf + 0.9 + 0.3 * p.length / greatest(m.mean, 1))) / nullif(max(w.whole), 0) as score
      from posting p
      join (select c.n, c.idf, sum(c.idf * c.weight) over () as whole
              from (select o.n, max(o.weight) as weight, 1 / ln(2.0 + count(*)) as idf from posting o group by o.n) c) w on w.n = p.n
     cross join (select avg(o.length) as mean from posting o) m
     group by p.summary_no
  ),
  near as materialized (
    select e.summary_no, 1 - (e.vector operator(public.<=>) _vector) as cosine
      from unnest(_spaces) as v (space_id)
     cross join lateral (
           select o.summary_no, o.vector
             from muniment.summary_vector o
            where o.tenant_id = _tenant
              and o.kind = _kind
              and o.model_no = _model
              and o.space_id = v.space_id
            order by o.summary_no desc
            limit _exact) e
     where _vector is not null
       and (select true
              from muniment.summary s
             where s.tenant_id = _tenant
               and s.summary_no = e.summary_no
               and s.live_from_commit <= _known_at
               and (s.live_to_commit is null or s.live_to_commit > _known_at)
             limit 1) is not null
  )
  select coalesce(c.summary_no, n.summary_no), coalesce(c.score, 0) + _cosine * greatest(coalesce(n.cosine, 0), 0)
    from covered c
    full join near n on n.summary_no = c.summary_no
   order by 2 desc, 1
   limit _limit;
$$;
