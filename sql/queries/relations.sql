-- name: list
-- Every relation in force: the tenant's own, and the defaults that it did not replace. Reads the registry.
select r.relation, r.single, r.aliases, r.inverses, r.set_by, r.live_from_commit as commit_no
  from muniment.relation r
 where r.tenant_id = :tenant
   and r.live_to_commit is null
union all
select d.relation, d.single, d.aliases, d.inverses, 'default', null
  from muniment.relation_default d
 where not exists (select from muniment.relation r where r.tenant_id = :tenant and r.relation = d.relation)
 order by relation;

-- name: current
-- What the tenant itself says of a relation. Prefix of the primary key.
select relation, single, aliases, inverses, set_by, live_from_commit as commit_no
  from muniment.relation
 where tenant_id = :tenant
   and relation = cast(:relation as text)
   and live_to_commit is null;

-- name: close
-- Ends what the tenant said of a relation. Prefix of the primary key.
update muniment.relation
   set live_to_commit = cast(:commit as bigint)
 where tenant_id = :tenant
   and relation = cast(:relation as text)
   and live_to_commit is null;

-- name: insert
-- What the tenant says of a relation from a commit on. Primary key.
insert into muniment.relation (tenant_id, relation, live_from_commit, single, aliases, inverses, set_by)
values (cast(:tenant as bigint), cast(:relation as text), cast(:commit as bigint), cast(:single as boolean), cast(:aliases as text[]),
        cast(:inverses as text[]), cast(:set_by as text));

-- name: mark
-- Notes the claims that a change of these names makes stale; how many keys. Cost: the function's.
select muniment.mark_relations(cast(:tenant as bigint), cast(:commit as bigint), cast(:names as text[]));

-- name: mark_profiles
-- Makes due the profiles of those of whom facts of these relations tell. Index fact_relation.
insert into muniment.profile_due (tenant_id, space_id, record_no, as_object)
select f.tenant_id, f.space_id, f.record_no, f.as_object
  from muniment.fact_side f
 where f.tenant_id = :tenant
   and f.relation = any (cast(:names as text[]))
 order by f.record_no, f.as_object
on conflict (tenant_id, record_no, as_object) do nothing;

-- name: unsaid
-- Relations of stale keys that the defaults do not know, at most :most. Prefix of the primary key.
select array(select distinct k.relation
               from (select d.relation
                       from muniment.claim_dirty d
                      where d.tenant_id = :tenant
                      order by d.space_id, d.subject_type, d.subject_key, d.relation
                      limit 5 * cast(:most as integer)) k
              where k.relation not in (select r.relation from muniment.relation_default r)
              limit cast(:most as integer));

-- name: to_learn
-- What facts show of relations that neither the defaults nor a person told of. Cost: the function's.
select l.relation, l.replaced, l.beside, l.single
  from muniment.relations_to_learn(cast(:tenant as bigint), cast(:relations as text[]), cast(:most as integer)) l;
