-- name: due
-- Facts that changed the profile of an entity, after one, with its key. Primary keys.
select d.record_no, d.as_object, d.space_id, f.entity_key
  from muniment.profile_due d
 cross join lateral (
       select case when d.as_object then m.object_key else m.subject_key end as entity_key
         from muniment.fact m
        where m.tenant_id = :tenant
          and m.record_no = d.record_no
       offset 0) f
 where d.tenant_id = :tenant
   and (d.record_no, d.as_object) > (cast(:after as bigint), cast(:after_object as boolean))
 order by d.record_no, d.as_object
 limit cast(:limit as integer);

-- name: lock_due
-- What makes the profile of an entity due, locked against others that compile it. Indexes fact_subject_key, fact_object_key; primary key.
select d.record_no
  from muniment.fact_side f
 cross join lateral (
       select m.record_no
         from muniment.profile_due m
        where m.tenant_id = :tenant
          and m.record_no = f.record_no
          and m.as_object = f.as_object
          for update) d
 where f.tenant_id = :tenant
   and f.space_id = cast(:space as bigint)
   and f.entity_key = cast(:entity_key as text)
 order by d.record_no;

-- name: done
-- The profile of an entity is compiled. Indexes fact_subject_key, fact_object_key; primary key.
delete from muniment.profile_due d
 where d.tenant_id = :tenant
   and (d.record_no, d.as_object) in (
         select f.record_no, f.as_object from muniment.fact_side f
          where f.tenant_id = :tenant and f.space_id = cast(:space as bigint) and f.entity_key = cast(:entity_key as text));

-- name: facts
-- The live facts that tell of an entity, at most :most of each side, in the order of their records, with what the registry says of their relations
-- now: of those that tell of it as their object, turned round. Indexes fact_subject_key, fact_object_key; primary keys; reads the
-- registry.
with name as materialized (
  select distinct on (r.name, r.swapped) r.name, r.relation, r.single, r.swapped
    from muniment.relation_names(cast(:tenant as bigint)) r
   where r.live_to_commit is null
   order by r.name, r.swapped
)
select latest.*,
       case when latest.as_object then coalesce(t.relation, u.relation, 'inverse of ' || coalesce(n.relation, latest.relation))
            else coalesce(n.relation, t.relation, latest.relation) end as meant,
       case when latest.as_object then coalesce(t.single, u.single, false)
            when n.relation is null and t.relation is not null then false
            else coalesce(n.single, muniment.single_by_name(latest.relation)) end as single,
       exists (select from muniment.relation_default d where d.relation = coalesce(n.relation, t.relation) and d.refined) as refined
  from (
  select f.*, p.event_to, c.text,
         (select b.said_offset
            from muniment.evidence e
           cross join lateral (
                 select m.said_offset from muniment.record m where m.tenant_id = :tenant and m.record_no = e.basis_no offset 0) b
           where e.tenant_id = :tenant
             and e.record_no = f.record_no
           order by e.basis_no
           limit 1) as said_offset,
         (select min(e.basis_no || ' ' || e.span_start || ' ' || e.span_end) from muniment.evidence e
           where e.tenant_id = :tenant and e.record_no = f.record_no) as words
    from (values (false), (true)) side (as_object)
   cross join lateral (  -- of each side as many: what others say of somebody is no reason to forget their own
         select f.record_no, f.as_object, f.entity, f.entity_type, f.relation, f.other, f.other_key, f.other_type, f.negated, f.kind,
                f.event_from, f.said_at
           from muniment.fact_side f
          cross join lateral (
                select true from muniment.liveness m
                 where m.tenant_id = :tenant and m.record_no = f.record_no and m.live_to_commit is null offset 0) l
          where f.tenant_id = :tenant
            and f.space_id = cast(:space as bigint)
            and f.entity_key = cast(:entity_key as text)
            and f.as_object = side.as_object
            and f.entity_type not in ('time', 'quantity')
          order by f.record_no desc
          limit cast(:most as integer)) f
   cross join lateral (
         select m.text from muniment.record_content m where m.tenant_id = :tenant and m.record_no = f.record_no offset 0) c
   cross join lateral (
         select m.event_to from muniment.fact m where m.tenant_id = :tenant and m.record_no = f.record_no offset 0) p) latest
  left join name n on n.name = latest.relation and not n.swapped
  left join name t on t.name = latest.relation and t.swapped
  left join name u on u.name = n.relation and u.swapped
 order by latest.record_no, latest.as_object;

-- name: last_commit
-- The last commit that changed the facts that tell of an entity. Indexes fact_subject_key, fact_object_key; primary key.
select max(greatest(l.live_from_commit, l.live_to_commit))
  from muniment.fact_side f
 cross join lateral (
       select m.live_from_commit, m.live_to_commit
         from muniment.liveness m where m.tenant_id = :tenant and m.record_no = f.record_no offset 0) l
 where f.tenant_id = :tenant
   and f.space_id = cast(:space as bigint)
   and f.entity_key = cast(:entity_key as text);

-- name: hold
-- The groups of facts and of what they rest on: nothing in them is closed or erased until the transaction ends. Primary keys.
select g.group_no
  from muniment.record_group g
 where g.tenant_id = :tenant
   and g.group_no = any (array(
         select r.group_no from muniment.record r where r.tenant_id = :tenant and r.record_no = any (cast(:records as bigint[]))
         union
         select b.group_no
           from muniment.evidence v
          cross join lateral (
                select m.group_no from muniment.record m where m.tenant_id = :tenant and m.record_no = v.basis_no offset 0) b
          where v.tenant_id = :tenant
            and v.record_no = any (cast(:records as bigint[]))))
 order by g.group_no
   for share;

-- name: current
-- The profile of an entity that counts now. Index summary_entity.
select s.summary_no, s.kind, s.part, s.title, s.text, s.phrasings, s.detail, s.records, s.inputs, s.form, s.live_from_commit
  from muniment.summary s
 where s.tenant_id = :tenant
   and s.space_id = cast(:space as bigint)
   and s.entity_key = cast(:entity_key as text)
   and s.kind = 'profile'
   and s.live_to_commit is null;

-- name: due_all
-- Makes the profiles of all of whom facts tell due. Reads all facts.
insert into muniment.profile_due (tenant_id, space_id, record_no, as_object)
select f.tenant_id, f.space_id, f.record_no, f.as_object from muniment.fact_side f where f.tenant_id = :tenant
on conflict (tenant_id, record_no, as_object) do nothing;

-- name: entities
-- Those of whom live facts tell, after one, and whether their profiles are due. Indexes fact_subject_key and fact_object_key, each in
-- its order.
with entity as (
  (select f.space_id, f.subject_key as entity_key
     from muniment.fact f
     join muniment.liveness l on l.tenant_id = :tenant and l.record_no = f.record_no and l.live_to_commit is null
    where f.tenant_id = :tenant
      and (f.space_id, f.subject_key) > (cast(:after_space as bigint), cast(:after_key as text))
      and f.subject_type not in ('time', 'quantity')
    group by f.space_id, f.subject_key
    order by f.space_id, f.subject_key
    limit cast(:limit as integer))
   union
  (select f.space_id, f.object_key
     from muniment.fact f
     join muniment.liveness l on l.tenant_id = :tenant and l.record_no = f.record_no and l.live_to_commit is null
    where f.tenant_id = :tenant
      and (f.space_id, f.object_key) > (cast(:after_space as bigint), cast(:after_key as text))
      and f.object_type = 'person'
      and f.subject_type = 'person'
      and f.kind = 'statement'
      and f.subject_key <> f.object_key
    group by f.space_id, f.object_key
    order by f.space_id, f.object_key
    limit cast(:limit as integer))
   order by space_id, entity_key
   limit cast(:limit as integer)
)
select e.space_id, e.entity_key,
       exists (select from muniment.profile_due d
                 join muniment.fact_side m
                   on m.tenant_id = :tenant and m.record_no = d.record_no and m.as_object = d.as_object
                where d.tenant_id = :tenant and m.space_id = e.space_id and m.entity_key = e.entity_key) as due
  from entity e
 order by e.space_id, e.entity_key;
