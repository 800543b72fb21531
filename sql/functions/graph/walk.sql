-- Returns the records within _hops edges of the live and visible _seeds, with the largest product of edge weights on any path
-- from a seed and the hop at which it was found, best first. Each hop keeps the _frontier best records that it improved.
-- Cost: a hop is about 30 index look-ups for each record kept, whatever the size of the store, and reads all similarity edges that end at
-- it: five in the mean, since equal texts make a chain.
create or replace function muniment.walk_graph(
  _tenant bigint, _spaces bigint[], _seeds bigint[], _known_at bigint, _hops integer, _frontier integer)
returns table (record_no bigint, score double precision, hops integer)
language plpgsql stable security invoker
set search_path = ''
as $$
declare
  _nodes bigint[];     -- the frontier: what the last hop improved
  _scores double precision[];
  _reached bigint[];   -- everything so far
  _best double precision[];
  _found_at integer[];
begin
  select array_agg(l.record_no), array_agg(1.0::double precision), array_agg(0)
    into _reached, _best, _found_at
    from muniment.liveness l
   where l.tenant_id = _tenant
     and l.record_no = any (_seeds)
     and l.space_id = any (_spaces)
     and (_known_at is null or l.live_from_commit <= _known_at)
     and (l.live_to_commit is null or l.live_to_commit > _known_at);
  _nodes := _reached;
  _scores := _best;
  for _hop in 1 .. _hops loop
    exit when _nodes is null;
    select array_agg(b.record_no), array_agg(b.score)
      into _nodes, _scores
      from (select s.record_no, s.score
              from muniment.step_graph(_tenant, _spaces, _nodes, _scores, _known_at) s
              left join unnest(_reached, _best) r (record_no, score)
                on r.record_no = s.record_no
             where r.record_no is null or s.score > r.score
             order by s.score desc, s.record_no
             limit _frontier) b;
    select array_agg(m.record_no), array_agg(m.score), array_agg(m.hop)
      into _reached, _best, _found_at
      from (select distinct on (u.record_no) u.record_no, u.score, u.hop
              from (select r.record_no, r.score, r.hop from unnest(_reached, _best, _found_at) r (record_no, score, hop)
                    union all
                    select n.record_no, n.score, _hop from unnest(_nodes, _scores) n (record_no, score)) u
             order by u.record_no, u.score desc, u.hop) m;
  end loop;
  return query
    select r.record_no, r.score, r.hop
      from unnest(_reached, _best, _found_at) r (record_no, score, hop)
     order by r.score desc, r.record_no;
end $$;

-- Returns the live and visible records one edge away from _nodes, each with the largest of a node's score times the edge's
-- weight: the edges of the view muniment.edge, as they were at _known_at. About 30 index look-ups a node. Never reads on past
-- 256 closed records of a group, an entity or an edge list, so that no pile of closed records makes it slow. Every table is
-- reached by a lateral look-up with a limit, which leaves the planner no other way, whatever it knows of the tables: so one plan
-- serves all calls.
create or replace function muniment.step_graph(
  _tenant bigint, _spaces bigint[], _nodes bigint[], _scores double precision[], _known_at bigint)
returns table (record_no bigint, score double precision)
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
  with node as materialized (
    select n.record_no, n.score, l.space_id, l.group_no, l.position
      from unnest(_nodes, _scores) n (record_no, score)
     cross join lateral (
             select l.space_id, l.group_no, l.position
               from muniment.liveness l
              where l.tenant_id = _tenant
                and l.record_no = n.record_no
              limit 1) l
     where l.space_id = any (_spaces)),
  -- many nodes of one frontier name the same entity: each is looked up once, for the best of them
  named as materialized (
    select e.entity, e.space_id, max(n.score) as score
      from node n
     cross join lateral (
             select e.entity, e.space_id
               from muniment.record_entity e
              where e.tenant_id = _tenant
                and e.record_no = n.record_no
              limit 256) e
     group by e.entity, e.space_id),
  reached as (
    select c.record_no, n.score
      from node n
     cross join lateral (
             select w.record_no
               from (select c.record_no, c.position, c.live_from_commit, c.live_to_commit
                       from muniment.liveness c
                      where c.tenant_id = _tenant
                        and c.group_no = n.group_no
                        and c.position > n.position
                      order by c.position
                      limit 256) w
              where (_known_at is null or w.live_from_commit <= _known_at)
                and (w.live_to_commit is null or w.live_to_commit > _known_at)
              order by w.position
              limit 1) c
    union all
    select c.record_no, n.score * 0.8
      from node n
     cross join lateral (
             select w.record_no
               from (select c.record_no, c.position, c.live_from_commit, c.live_to_commit
                       from muniment.liveness c
                      where c.tenant_id = _tenant
                        and c.group_no = n.group_no
                        and c.position < n.position
                      order by c.position desc
                      limit 256) w
              where (_known_at is null or w.live_from_commit <= _known_at)
                and (w.live_to_commit is null or w.live_to_commit > _known_at)
              order by w.position desc
              limit 1) c
    union all
    select c.record_no, e.score * 0.92
      from named e
     cross join lateral (
             select o.record_no
               from (select o.record_no
                       from muniment.record_entity o
                      where o.tenant_id = _tenant
                        and o.entity = e.entity
                        and o.space_id = e.space_id
                      order by o.record_no desc
                      limit 256) o
              cross join lateral (
                      select from muniment.liveness l
                       where l.tenant_id = _tenant
                         and l.record_no = o.record_no
                         and (_known_at is null or l.live_from_commit <= _known_at)
                         and (l.live_to_commit is null or l.live_to_commit > _known_at)
                       limit 1) l
              order by o.record_no desc
              limit 6) c
    union all
    select c.record_no, n.score * c.weight
      from node n
     cross join lateral (
             select s.record_no, max(s.weight)::double precision as weight
               from ((select f.neighbour_no as record_no, f.weight
                        from muniment.similarity f
                       where f.tenant_id = _tenant
                         and f.record_no = n.record_no
                       limit 256)
                     union all
                     (select b.record_no, b.weight
                        from muniment.similarity b
                       where b.tenant_id = _tenant
                         and b.neighbour_no = n.record_no
                       order by b.weight desc, b.record_no
                       limit 256)) s
              cross join lateral (
                      select from muniment.liveness l
                       where l.tenant_id = _tenant
                         and l.record_no = s.record_no
                         and l.space_id = any (_spaces)
                         and (_known_at is null or l.live_from_commit <= _known_at)
                         and (l.live_to_commit is null or l.live_to_commit > _known_at)
                       limit 1) l
              group by s.record_no
              order by weight desc, s.record_no
              limit 5) c)
  select r.record_no, max(r.score)
    from reached r
   group by r.record_no;
$$;
