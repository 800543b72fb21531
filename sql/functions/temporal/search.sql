-- How near a time [_from_at, _to_at) is to the window [_from, _to), of which one end may be open: the mean over the time of
-- 1 / (1 + distance / unit), where the distance to the window is 0 inside it and _unit is in seconds. 1 for a time inside, and
-- for one of at most 31 days that holds the whole window. A time of no length is a moment. A few microseconds; reads nothing.
create or replace function muniment.time_proximity(
  _from_at timestamptz, _to_at timestamptz, _from timestamptz, _to timestamptz, _unit double precision)
returns double precision
language plpgsql immutable parallel safe security invoker
set search_path = ''
as $$
declare
  _first double precision := extract(epoch from _from_at);
  _last double precision := extract(epoch from _to_at);
  _lower double precision := coalesce(extract(epoch from _from)::double precision, '-infinity');
  _upper double precision := coalesce(extract(epoch from _to)::double precision, 'infinity');
  _sum double precision := 0;
begin
  if _first <= _lower and _last >= _upper and _last - _first <= 31 * 86400 then
    return 1;
  end if;
  if _last <= _first then
    return 1 / (1 + greatest(_lower - _first, _first - _upper, 0) / _unit);
  end if;
  if _first < _lower then
    _sum := _unit * pg_catalog.ln((_unit + _lower - _first) / (_unit + _lower - least(_last, _lower)));
  end if;
  if _last > _upper then
    _sum := _sum + _unit * pg_catalog.ln((_unit + _last - _upper) / (_unit + greatest(_first, _upper) - _upper));
  end if;
  return least(1, (_sum + greatest(0, least(_last, _upper) - greatest(_first, _lower))) / (_last - _first));
end $$;

-- The records of the visible spaces whose times are nearest to the window, by their own times or, where a record has none, by when
-- it was said: at most _limit, live at _known_at, each once. Five index ranges of at most _limit rows a space.
create or replace function muniment.near_times(
  _tenant bigint, _spaces bigint[], _from timestamptz, _to timestamptz, _known_at bigint, _limit integer)
returns table (record_no bigint)
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
  with edge as materialized (
    select coalesce(_from, _to) as lower, coalesce(_to, _from) as upper),
  near as materialized (
    select f.record_no, min(f.gap) as gap
      from unnest(_spaces) s (space_id)
     cross join edge e
     cross join lateral (
             -- begins in the window or after it
             (select t.record_no, greatest(t.from_at - e.upper, interval '0') as gap
                from muniment.record_time t
               where t.tenant_id = _tenant
                 and t.space_id = s.space_id
                 and t.from_at >= e.lower
               order by t.from_at
               limit _limit)
             union all
             -- began before the window and reaches into it, or further
             (select t.record_no, greatest(t.from_at - e.upper, interval '0')
                from muniment.record_time t
               where t.tenant_id = _tenant
                 and t.space_id = s.space_id
                 and t.to_at > e.lower
               order by t.to_at
               limit _limit)
             union all
             -- was over before the window
             (select t.record_no, e.lower - t.to_at
                from muniment.record_time t
               where t.tenant_id = _tenant
                 and t.space_id = s.space_id
                 and t.to_at <= e.lower
               order by t.to_at desc
               limit _limit)
             union all
             (select r.record_no, r.gap
                from (select r.record_no, greatest(r.said_at - e.upper, interval '0') as gap
                        from muniment.record r
                       where r.tenant_id = _tenant
                         and r.space_id = s.space_id
                         and r.said_at >= e.lower
                       order by r.said_at
                       limit _limit) r
               where not exists (select from muniment.record_time t
                                  where t.tenant_id = _tenant and t.record_no = r.record_no offset 0))
             union all
             (select r.record_no, r.gap
                from (select r.record_no, e.lower - r.said_at as gap
                        from muniment.record r
                       where r.tenant_id = _tenant
                         and r.space_id = s.space_id
                         and r.said_at < e.lower
                       order by r.said_at desc
                       limit _limit) r
               where not exists (select from muniment.record_time t
                                  where t.tenant_id = _tenant and t.record_no = r.record_no offset 0))) f
     group by f.record_no)
  select n.record_no
    from near n
   cross join lateral (
           select from muniment.liveness l
            where l.tenant_id = _tenant
              and l.record_no = n.record_no
              and l.live_from_commit <= _known_at
              and (l.live_to_commit is null or l.live_to_commit > _known_at)
            limit 1) l
   order by n.gap, n.record_no
   limit _limit;
$$;

-- The best _limit of those of _records that are visible and live at _known_at, by
--   s = w1 * proximity + w2 * overlap + w3 * [has a time];  * w4 where the question asks when and the record has no time
-- with _weights = {w1, w2, w3, w4}. Proximity is that of the nearest of a record's own times, where it has none of when it was said
-- (0 without a window); overlap is the share of the terms of _text, by weight, that the record holds; a record has a time where its
-- text tells of one: when it was said is no answer to when something was. Five index look-ups a record.
create or replace function muniment.score_times(
  _tenant bigint, _spaces bigint[], _records bigint[], _known_at bigint, _text text, _language text,
  _from timestamptz, _to timestamptz, _unit double precision, _asks_when boolean, _weights double precision[], _limit integer)
returns table (record_no bigint, score double precision, proximity double precision, overlap double precision, timed boolean)
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
  with question as materialized (
    select a.whole, h.hashes, h.weights, h.as_stems
      from (select array_agg(q.term) as terms, array_agg(q.weight) as weights, sum(q.weight) as whole
              from muniment.question_terms(_text, _language) q) a
     cross join lateral (
             select array_agg(w.hash) as hashes, array_agg(w.weight) as weights, array_agg(w.as_stem) as as_stems
               from muniment.weigh_hashes(a.terms, a.weights) w) h),
  judged as (
    select c.record_no,
           case
             when _from is null and _to is null then 0
             else coalesce(t.proximity,
                           case when r.said_at is not null
                             then muniment.time_proximity(r.said_at, r.said_at, _from, _to, _unit) end,
                           0)
           end as proximity,
           coalesce(o.held / q.whole, 0) as overlap,
           t.times > 0 as timed
      from (select distinct u.record_no from unnest(_records) u (record_no)) c
     cross join question q
     cross join lateral (
             select from muniment.liveness l
              where l.tenant_id = _tenant
                and l.record_no = c.record_no
                and l.space_id = any (_spaces)
                and l.live_from_commit <= _known_at
                and (l.live_to_commit is null or l.live_to_commit > _known_at)
              limit 1) l
     cross join lateral (
             select r.said_at
               from muniment.record r
              where r.tenant_id = _tenant
                and r.record_no = c.record_no
              limit 1) r
     cross join lateral (
             select count(*) as times, max(muniment.time_proximity(t.from_at, t.to_at, _from, _to, _unit)) as proximity
               from muniment.record_time t
              where t.tenant_id = _tenant
                and t.record_no = c.record_no) t
      left join lateral (
             select d.hashes, d.counts
               from muniment.lexical_document d
              where d.tenant_id = _tenant
                and d.record_no = c.record_no
              limit 1) d on true
     cross join lateral (
             select sum(case when d.counts[w.place] < 0 then w.weight + w.as_stem else w.weight end) as held
               from (select u.hash, u.weight, u.as_stem, width_bucket(u.hash, d.hashes) as place
                       from unnest(q.hashes, q.weights, q.as_stems) u (hash, weight, as_stem)
                     offset 0) w
              where d.hashes[w.place] = w.hash) o)
  select j.record_no,
         (_weights[1] * j.proximity + _weights[2] * j.overlap + _weights[3] * j.timed::integer)
           * case when _asks_when and not j.timed then _weights[4] else 1 end,
         j.proximity, j.overlap, j.timed
    from judged j
   order by 2 desc, j.record_no
   limit _limit;
$$;

-- The temporal route: score_times over the records near the window and _also, or over _within alone where that is given. Without a
-- window only _also and _within are scored. Cost: those of near_times and score_times.
create or replace function muniment.search_times(
  _tenant bigint, _spaces bigint[], _known_at bigint, _text text, _language text, _from timestamptz, _to timestamptz,
  _unit double precision, _asks_when boolean, _weights double precision[], _near integer, _also bigint[], _within bigint[],
  _limit integer)
returns table (record_no bigint, score double precision, proximity double precision, overlap double precision, timed boolean)
language plpgsql stable security invoker
set search_path = ''
as $$
declare
  _records bigint[] := coalesce(_within, _also);
begin
  if _within is null and (_from is not null or _to is not null) then
    _records := _records || array(
      select n.record_no from muniment.near_times(_tenant, _spaces, _from, _to, _known_at, _near) n);
  end if;
  return query
    select s.record_no, s.score, s.proximity, s.overlap, s.timed
      from muniment.score_times(_tenant, _spaces, _records, _known_at, _text, _language, _from, _to, _unit, _asks_when,
                                _weights, _limit) s;
end $$;
