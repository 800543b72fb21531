-- The terms of the question that are the day, the month or the year of a day since 1970: one row a day and term. A month is known by
-- its English name, as the service knows it. Days times terms, and nothing where no term looks like a part of a date.
create or replace function muniment.date_terms(_days integer[], _terms text[], _language text)
returns table (day integer, place integer)
language sql stable security invoker set search_path = '' as $$
  with month_term as materialized (
    select m.chunk_no as month, f.term
      from muniment.tokenize_chunks('{January,February,March,April,May,June,July,August,September,October,November,December}') m
     cross join lateral (
           select m.term
           union all
           select '~' || muniment.stem_of(muniment.stem_dictionary(l.language), m.term)
             from string_to_table(_language, ',') l (language)) f (term)),
  dated as materialized (
    select t.place::integer as place, t.term
      from unnest(_terms) with ordinality t (term, place)
     where t.term ~ '^[0-9]{1,5}$' or t.term in (select m.term from month_term m))
  select d.day, t.place
    from (select distinct u.day, '1970-01-01'::date + u.day as date from unnest(_days) u (day) where u.day is not null) d
   cross join dated t
   where t.term in (extract(year from d.date)::integer::text, extract(day from d.date)::integer::text)
      or exists (select from month_term m where m.term = t.term and m.month = extract(month from d.date));
$$;

-- The scores of the candidates by the default profile's ranking, version 3, on the facts that describe_candidates gives of them; the
-- arrays are over the candidates, of which only those _within count where that is given; _terms, their _weights (weight * idf) and whether any document has them, _held, over the terms.
--   score = coverage + 0.7 * cosine + 0.2 * [a named speaker's] + 0.2 * [the asker's own] - 0.07 * [asks] * min(1, 15 / length)
--   coverage = sum of w * tf / (tf + 1.2 * (0.25 + 0.75 * least(3, L / mean L))) / sum of w
-- tf and L are the record's own with those of the candidates up to 4 positions away in its group, times 0.5, 0.3, 0.2 and 0.1, and of the
-- question that it replies to, times 0.4; a neighbour of more than 40 tokens counts as one of 40. A term in the record's date adds 1 to
-- tf. A reply's cosine is lifted by 0.3 towards its question's. No table is read; about 15 microseconds a candidate.
create or replace function muniment.score_coverage(
  _records bigint[], _within bigint[], _groups bigint[], _positions integer[], _lengths integer[], _days integer[], _asks boolean[], _named boolean[], _mine boolean[],
  _cosines double precision[], _count_candidates bigint[], _count_terms integer[], _counts smallint[],
  _terms text[], _weights double precision[], _held boolean[], _mean_length double precision, _language text)
returns table (record_no bigint, score double precision)
language sql stable security invoker
set search_path = '' set plan_cache_mode = force_generic_plan
set enable_nestloop = off set enable_mergejoin = off set jit = off
as $$
  with candidate as materialized (
    select c.n::integer as n, c.record_no, c.group_no, c.position, c.length::double precision as length, c.day, c.asks, c.named, c.mine,
           coalesce(c.cosine, 0) as cosine, least(1, 40.0::double precision / greatest(c.length, 1)) as damped
      from unnest(_records, _groups, _positions, _lengths, _days, _asks, _named, _mine, _cosines)
             with ordinality c (record_no, group_no, position, length, day, asks, named, mine, cosine, n)
     where _within is null or c.record_no in (select w.record_no from unnest(_within) w (record_no))),
  offset_weight (distance, weight) as (
    values (-4, 0.1::double precision), (-3, 0.2), (-2, 0.3), (-1, 0.5), (1, 0.5), (2, 0.3), (3, 0.2), (4, 0.1)),
  near as materialized (
    select i.n, j.n as neighbour, (i.weight + r.reply) * j.damped as weight, (i.weight + r.reply) * least(j.length, 40) as longer,
           case when r.reply > 0 then 0.3 * i.damped * greatest(0, j.cosine - i.cosine) else 0 end as nearer
      from (select c.n, c.group_no, c.position + o.distance as position, o.distance, o.weight, c.damped, c.cosine
              from candidate c
             cross join offset_weight o) i
      join candidate j
        on j.group_no = i.group_no
       and j.position = i.position
     cross join lateral (select case when i.distance = -1 and j.asks then 0.4 * i.damped else 0 end as reply) r),
  gain as materialized (
    select a.n, sum(a.longer) as longer, sum(a.nearer) as nearer from near a group by a.n),
  measured as materialized (
    select c.*, c.length + coalesce(g.longer, 0) as spread, c.cosine + coalesce(g.nearer, 0) as lifted,
           _mean_length + avg(coalesce(g.longer, 0)) over () as mean
      from candidate c
      left join gain g
        on g.n = c.n),
  own as materialized (
    select u.n::integer as n, u.place, u.count::double precision as count
      from unnest(_count_candidates, _count_terms, _counts) u (n, place, count)),
  dated as materialized (
    select c.n, d.place
      from muniment.date_terms(_days, _terms, _language) d
      join candidate c
        on c.day = d.day),
  term as materialized (
    select t.place::integer as place, case when t.held or e.place is not null then t.weight else 0 end as weight
      from unnest(_weights, _held) with ordinality t (weight, held, place)
      left join (select distinct d.place from dated d) e
        on e.place = t.place),
  spread as materialized (
    select s.n, s.place, sum(s.count) as count
      from (select o.n, o.place, o.count from own o
            union all
            select a.n, o.place, a.weight * o.count from near a join own o on o.n = a.neighbour
            union all
            select d.n, d.place, 1 from dated d) s
     group by s.n, s.place),
  covered as materialized (
    select s.n, sum(t.weight * s.count / (s.count + 1.2 * (0.25 + 0.75 * least(3, m.spread / m.mean))))
                  / nullif((select sum(w.weight) from term w), 0) as share
      from spread s
      join term t
        on t.place = s.place
      join measured m
        on m.n = s.n
     group by s.n)
  select m.record_no,
         coalesce(c.share, 0) + 0.7 * m.lifted + 0.2 * coalesce(m.named, false)::integer + 0.2 * coalesce(m.mine, false)::integer
           - 0.07 * m.asks::integer * least(1, 15 / greatest(m.length, 1))
    from measured m
    left join covered c
      on c.n = m.n;
$$;
