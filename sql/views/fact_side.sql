-- Each fact beside those of whom it tells: its subject, and the object too where it states how one person stands to another (wife of,
-- boss of). other is who stands on the other side. Ask for it with tenant_id and record_no, or space_id and entity_key.
create or replace view muniment.fact_side with (security_invoker = true) as
  select f.tenant_id, f.space_id, f.record_no, false as as_object, f.subject as entity, f.subject_type as entity_type,
         f.subject_key as entity_key, f.object as other, f.object_key as other_key, f.object_type as other_type, f.relation, f.negated,
         f.kind, f.event_from, f.said_at
    from muniment.fact f
  union all
  select f.tenant_id, f.space_id, f.record_no, true, f.object, f.object_type, f.object_key, f.subject, f.subject_key, f.subject_type,
         f.relation, f.negated, f.kind, f.event_from, f.said_at
    from muniment.fact f
   where f.subject_type = 'person'
     and f.object_type = 'person'
     and f.kind = 'statement'
     and f.subject_key <> f.object_key;

comment on view muniment.fact_side is 'Facts by those of whom they tell: the subject, and the object where both are persons.';
grant select on muniment.fact_side to muniment_app, muniment_analyst, muniment_eraser;
