-- name: insert_embeddings
-- Vectors of records under a model, as texts '[x,y,...]' in the order of the records; what is there stays. Primary key.
-- A record erased meanwhile makes the foreign key refuse the statement.
insert into muniment.embedding (tenant_id, model_no, space_id, record_no, vector)
select cast(:tenant as bigint), cast(:model as integer), v.space_id, v.record_no, cast(v.vector as public.halfvec)
  from unnest(cast(:spaces as bigint[]), cast(:records as bigint[]), cast(:vectors as text[])) v (space_id, record_no, vector)
 order by v.space_id, v.record_no
on conflict (tenant_id, model_no, space_id, record_no) do nothing;

-- name: insert_pending
-- Records that wait for their vector. Primary key.
insert into muniment.embedding_pending (tenant_id, space_id, record_no)
select cast(:tenant as bigint), v.space_id, v.record_no
  from unnest(cast(:spaces as bigint[]), cast(:records as bigint[])) v (space_id, record_no)
 order by v.space_id, v.record_no
on conflict (tenant_id, space_id, record_no) do nothing;

-- name: delete_pending
-- Records that no longer wait. Index embedding_pending_record.
delete from muniment.embedding_pending
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]));

-- name: pending
-- What is embedded of up to :limit records that wait, the oldest first, of one space or of all. Primary key, then that of
-- record_content.
select p.space_id, p.record_no, muniment.indexed_text(c.text, c.fields) as text
  from muniment.embedding_pending p
  join muniment.record_content c
    on c.tenant_id = p.tenant_id
   and c.record_no = p.record_no
 where p.tenant_id = :tenant
   and c.tenant_id = :tenant
   and (cast(:space as bigint) is null or p.space_id = cast(:space as bigint))
   and not exists (
         select from muniment.embedding e
          where e.tenant_id = :tenant
            and e.record_no = p.record_no
            and e.model_no = cast(:model as integer))
 order by p.space_id, p.record_no
 limit cast(:limit as integer);

-- name: texts
-- What is embedded of those of the records that lack a vector of the model. Primary key of record_content, embedding_record.
select c.space_id, c.record_no, muniment.indexed_text(c.text, c.fields) as text
  from muniment.record_content c
 where c.tenant_id = :tenant
   and c.record_no = any (cast(:records as bigint[]))
   and not exists (
         select from muniment.embedding e
          where e.tenant_id = :tenant
            and e.record_no = c.record_no
            and e.model_no = cast(:model as integer))
 order by c.record_no;

-- name: search
-- The nearest live records of the spaces, best first. Primary key of embedding, or the tenant's HNSW index.
select record_no, cosine
  from muniment.search_vector(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:model as integer), cast(:vector as public.halfvec),
         cast(:known_at as bigint), cast(:limit as integer), cast(:exact as boolean));

-- name: cosines
-- The cosine of each record to a vector. Index embedding_record.
select record_no, cosine
  from muniment.cosines(
         cast(:tenant as bigint), cast(:model as integer), cast(:records as bigint[]), cast(:vector as public.halfvec));
