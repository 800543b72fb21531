-- name: liveness
-- Makes liveness anew. Cost: the function's.
select muniment.rebuild_liveness(cast(:tenant as bigint));

-- name: lexical
-- Makes the forward rows and postings of a space anew. Cost: the function's.
select muniment.rebuild_lexical(cast(:tenant as bigint), cast(:space as bigint));

-- name: spaces
-- All spaces of the tenant. Primary key.
select space_id from muniment.space where tenant_id = :tenant order by space_id;

-- name: contents
-- How many records have content. Primary key.
select count(*) from muniment.record_content where tenant_id = :tenant;

-- name: texts
-- Up to :limit records after :after with their texts, with :fields also a line a field, in order. Primary key.
select space_id, record_no,
       case when cast(:fields as boolean) then muniment.indexed_text(text, fields) else text end as text
  from muniment.record_content c
 where tenant_id = :tenant
   and record_no > cast(:after as bigint)
   and (select f.kind from muniment.record f where f.tenant_id = :tenant and f.record_no = c.record_no) <> 'fact'
 order by record_no
 limit cast(:limit as integer);

-- name: delete_vectors
-- The vectors of records under a model, to be stored anew. Index embedding_record.
delete from muniment.embedding
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]))
   and model_no = cast(:model as integer);

-- name: sizes
-- The rows of each projection. Prefixes of the primary keys.
select (select count(*) from muniment.liveness where tenant_id = :tenant) as liveness,
       (select count(*) from muniment.lexical_document where tenant_id = :tenant) as lexical,
       (select count(*) from muniment.embedding where tenant_id = :tenant and model_no = cast(:model as integer)) as embeddings,
       (select count(*) from muniment.record_entity where tenant_id = :tenant) as entities,
       (select count(*) from muniment.record_time where tenant_id = :tenant) as times,
       (select count(*) from muniment.record_subject where tenant_id = :tenant) as subjects,
       (select count(*) from muniment.similarity where tenant_id = :tenant) as similarity,
       (select count(*) from muniment.claim where tenant_id = :tenant) as claims,
       (select count(*) from muniment.summary where tenant_id = :tenant and live_to_commit is null) as summaries;
