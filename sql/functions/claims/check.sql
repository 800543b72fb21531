-- Of up to so many facts after a number: the last one's number, null after all; how many they are; and the claims of their keys
-- that are not what the definition says at the last commit, or are missing. Keys that wait to be recompiled are left out. For
-- validation. Cost: the definition's.
create or replace function muniment.check_claims(_tenant bigint, _after bigint, _limit integer)
returns table (last bigint, looked bigint, wrong uuid[])
language plpgsql stable security invoker set search_path = '' as $$
#variable_conflict use_column
declare
  _head bigint := (select h.commits from muniment.log_head h where h.tenant_id = _tenant);
  _records bigint[] := array(
    select f.record_no from muniment.fact f where f.tenant_id = _tenant and f.record_no > _after order by f.record_no limit _limit);
  _spaces bigint[]; _types text[]; _subjects text[]; _relations text[];
begin
  with fact as materialized (
    select f.space_id, f.subject_type, f.subject_key, f.object_type, f.object_key, f.relation
      from muniment.fact f
     where f.tenant_id = _tenant
       and f.record_no = any (_records)
       and f.kind <> 'intention'
  ),
  meant as materialized (
    select n.name, n.relation, n.swapped
      from muniment.relation_names(_tenant) n
     where n.live_from_commit <= _head
       and (n.live_to_commit is null or n.live_to_commit > _head)
  ),
  placed as (
    select f.space_id, coalesce(m.relation, f.relation) as relation,
           case when m.swapped then f.object_type else f.subject_type end as subject_type,
           case when m.swapped then f.object_key else f.subject_key end as subject_key
      from fact f
      left join meant m on m.name = f.relation
  ),
  key as materialized (
    select distinct p.space_id, p.subject_type,
           muniment.entity_root(_tenant, p.space_id, p.subject_type, p.subject_key, _head) as subject_key, p.relation
      from placed p
    union
    select c.space_id, c.subject_type, c.subject_key, c.relation
      from muniment.claim c
     where c.tenant_id = _tenant
       and c.anchor_no = any (_records)
       and c.live_to_commit is null
  )
  select array_agg(k.space_id), array_agg(k.subject_type), array_agg(k.subject_key), array_agg(k.relation)
    into _spaces, _types, _subjects, _relations
    from key k
   where (select true
            from muniment.claim_dirty d
           where d.tenant_id = _tenant and d.space_id = k.space_id and d.subject_type = k.subject_type
             and d.subject_key = k.subject_key and d.relation = k.relation
           limit 1) is null;
  if _spaces is null then
    return query select _records[cardinality(_records)], cardinality(_records)::bigint, '{}'::uuid[];
    return;
  end if;
  return query
  with defined as materialized (
    select d.claim_id,
           row(d.space_id, d.subject_type, d.subject_key, d.subject, d.relation, d.object_type, d.object_key, d.object, d.negated,
               d.status, d.contested_during, d.valid_from, d.valid_to, d.from_basis, d.facts, d.groups, d.fact_confidence,
               d.last_said_at, d.anchor_commit, d.anchor_no) as said,
           d.evidence, d.decisions
      from muniment.claim_definition(_tenant, _spaces, _types, _subjects, _relations, array_fill(_head, array[cardinality(_spaces)])) d
  ),
  held as materialized (
    select c.claim_id,
           row(c.space_id, c.subject_type, c.subject_key, c.subject, c.relation, c.object_type, c.object_key, c.object, c.negated,
               c.status, c.contested_during, c.valid_from, c.valid_to, c.from_basis, c.facts, c.groups, c.fact_confidence,
               c.last_said_at, c.anchor_commit, c.anchor_no) as said,
           array(select e.record_no
                   from muniment.claim_evidence e
                  where e.tenant_id = _tenant and e.claim_id = c.claim_id and e.live_to_commit is null
                  order by e.record_no) as evidence,
           array(select x.decision_id
                   from muniment.claim_decision x
                  where x.tenant_id = _tenant and x.claim_id = c.claim_id and x.live_to_commit is null
                  order by x.decision_id) as decisions
      from unnest(_spaces, _types, _subjects, _relations) as k (space_id, subject_type, subject_key, relation)
      join muniment.claim c
        on c.tenant_id = _tenant
       and c.space_id = k.space_id
       and c.subject_key = k.subject_key
       and c.relation = k.relation
       and c.subject_type = k.subject_type
       and c.live_to_commit is null
  )
  select _records[cardinality(_records)], cardinality(_records)::bigint,
         array(select coalesce(d.claim_id, h.claim_id)
                 from defined d
                 full join held h on h.claim_id = d.claim_id
                where d.claim_id is null
                   or h.claim_id is null
                   or row(d.said, d.evidence, d.decisions) is distinct from row(h.said, h.evidence, h.decisions));
end $$;
