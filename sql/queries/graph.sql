-- name: insert_entities
-- The entities that records name, one pair a row; a pair that is there stays. Primary key.
insert into muniment.record_entity (tenant_id, entity, space_id, record_no)
select cast(:tenant as bigint), e.entity, e.space_id, e.record_no
  from unnest(cast(:entities as text[]), cast(:spaces as bigint[]), cast(:records as bigint[])) e (entity, space_id, record_no)
 order by e.entity, e.space_id, e.record_no
on conflict (tenant_id, entity, space_id, record_no) do nothing;

-- name: delete_entities
-- For a rebuild: the entities of records. Index record_entity_record.
delete from muniment.record_entity
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]));

-- name: delete_similarity
-- For a rebuild: the similarity edges that start at records, and that they were stored. Primary keys.
with edges as (
  delete from muniment.similarity
   where tenant_id = :tenant
     and record_no = any (cast(:records as bigint[])))
delete from muniment.similarity_linked
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]));

-- name: link
-- Stores the similarity edges of records; how many are new. Primary key of embedding.
select muniment.link_similar(cast(:tenant as bigint), cast(:model as integer), cast(:records as bigint[]));

-- name: walk
-- What lies around the seeds, best first. Keys of liveness, record_entity and similarity.
select record_no, score, hops
  from muniment.walk_graph(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:seeds as bigint[]), cast(:known_at as bigint),
         cast(:hops as integer), cast(:frontier as integer));

-- name: edges
-- The edges of records as they are now. Keys of liveness, record_entity and similarity.
select record_no, neighbour_no, kind, weight
  from muniment.edge
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]))
 order by record_no, kind, weight desc, neighbour_no;
