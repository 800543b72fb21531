-- Of relations that neither the defaults nor a person told of, what their facts show: of how many subjects one value was denied and
-- another told (replaced), and of how many two values were told at once, or one again after the other, and neither denied (beside); and
-- whether they count as having one value now. Looks at each relation's last _most facts.
create or replace function muniment.relations_to_learn(_tenant bigint, _relations text[], _most integer)
returns table (relation text, replaced bigint, beside bigint, single boolean)
language sql stable security invoker set search_path = '' as $$
  with open as materialized (
    select u.relation, coalesce(r.single, muniment.single_by_name(u.relation)) as single
      from (select distinct x.relation from unnest(_relations) x (relation)) u
      left join muniment.relation r on r.tenant_id = _tenant and r.relation = u.relation and r.live_to_commit is null
     where coalesce(r.set_by, 'learned') = 'learned'
       and not exists (select from muniment.relation_names(_tenant) n
                        where n.name = u.relation and n.live_to_commit is null and (r.relation is null or n.relation <> u.relation))
       and not exists (select from muniment.relation_default d where d.relation = u.relation)
  ),
  told as materialized (
    select o.relation, f.space_id, f.subject_type, f.subject_key, f.object_key, f.negated, coalesce(f.event_from, f.said_at) as at
      from open o
     cross join lateral (
             select f.record_no, f.space_id, f.subject_type, f.subject_key, f.object_key, f.negated, f.event_from, f.said_at
               from muniment.fact f
              where f.tenant_id = _tenant
                and f.relation = o.relation
              order by f.record_no desc
              limit _most) f
      join muniment.liveness l on l.tenant_id = _tenant and l.record_no = f.record_no and l.live_to_commit is null
  ),
  value as (
    select t.relation, t.space_id, t.subject_type, t.subject_key, t.object_key,
           min(t.at) filter (where not t.negated) as first_at, max(t.at) filter (where not t.negated) as last_at, bool_or(t.negated) as denied
      from told t
     group by 1, 2, 3, 4, 5
    having bool_or(not t.negated)
  ),
  subject as (
    select v.relation, v.space_id, v.subject_type, v.subject_key,
           bool_or(v.denied and not w.denied) as replaced,
           bool_or(not v.denied and not w.denied
                   and (v.first_at = w.first_at or (v.first_at < w.first_at and v.last_at > w.first_at))) as beside
      from value v
      join value w
        on w.relation = v.relation
       and w.space_id = v.space_id
       and w.subject_type = v.subject_type
       and w.subject_key = v.subject_key
       and w.object_key <> v.object_key
     group by 1, 2, 3, 4
  )
  select o.relation, count(s.subject_key) filter (where s.replaced and not s.beside), count(s.subject_key) filter (where s.beside), o.single
    from open o
    left join subject s on s.relation = o.relation
   group by o.relation, o.single
 order by o.relation;
$$;
