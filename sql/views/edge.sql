-- The graph as it is now, all three kinds of edges between live records in one place; both ends lie in the same space.
-- A record's edges cost a few look-ups: ask for them with tenant_id and record_no.
create or replace view muniment.edge with (security_invoker = true) as
  -- to the next and to the previous live record of the group
  select l.tenant_id, l.space_id, l.record_no, n.record_no as neighbour_no, 'followed_by' as kind, n.weight
    from muniment.liveness l
   cross join lateral (
           (select c.record_no, 1.0::double precision as weight
              from muniment.liveness c
             where c.tenant_id = l.tenant_id
               and c.group_no = l.group_no
               and c.position > l.position
               and c.live_to_commit is null
             order by c.position, c.record_no
             limit 1)
           union all
           (select c.record_no, 0.8::double precision
              from muniment.liveness c
             where c.tenant_id = l.tenant_id
               and c.group_no = l.group_no
               and c.position < l.position
               and c.live_to_commit is null
             order by c.position desc, c.record_no desc
             limit 1)) n
   where l.live_to_commit is null
  union all
  -- to the six most recent live records that name the same entity
  select l.tenant_id, l.space_id, l.record_no, n.record_no, 'about_same_entity', 0.92::double precision
    from muniment.liveness l
   cross join lateral (
           select distinct r.record_no
             from muniment.record_entity e
            cross join lateral (
                    select o.record_no
                      from muniment.record_entity o
                      join muniment.liveness c
                        on c.tenant_id = o.tenant_id
                       and c.record_no = o.record_no
                     where o.tenant_id = e.tenant_id
                       and o.entity = e.entity
                       and o.space_id = e.space_id
                       and c.live_to_commit is null
                     order by o.record_no desc
                     limit 6) r
            where e.tenant_id = l.tenant_id
              and e.record_no = l.record_no) n
   where l.live_to_commit is null
     and n.record_no <> l.record_no
  union all
  -- to the five most similar live records, whichever of the two was linked
  select l.tenant_id, l.space_id, l.record_no, n.record_no, 'similar_to', n.weight
    from muniment.liveness l
   cross join lateral (
           select s.record_no, max(s.weight)::double precision as weight
             from (select f.neighbour_no as record_no, f.weight
                     from muniment.similarity f
                    where f.tenant_id = l.tenant_id
                      and f.record_no = l.record_no
                   union all
                   select b.record_no, b.weight
                     from muniment.similarity b
                    where b.tenant_id = l.tenant_id
                      and b.neighbour_no = l.record_no) s
             join muniment.liveness c
               on c.tenant_id = l.tenant_id
              and c.record_no = s.record_no
            where c.live_to_commit is null
            group by s.record_no
            order by weight desc, s.record_no
            limit 5) n
   where l.live_to_commit is null;

comment on view muniment.edge is 'Edges between live records: followed_by, about_same_entity, similar_to.';
grant select on muniment.edge to muniment_app, muniment_analyst;
