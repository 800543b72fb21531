-- name: wanted
-- Whether the tenant has more than :most vectors of the model. Primary key, index only, up to :most.
select exists (
         select from muniment.embedding
          where tenant_id = :tenant
            and model_no = cast(:model as integer)
         offset cast(:most as bigint)
          limit 1);

-- name: lacking
-- Whether the tenant has more than :most vectors of the model and no whole index of them, built as it is now. Catalog; then the
-- primary key, index only, up to :most.
select not coalesce((select i.indisvalid and i.indisready and 'ef_construction=128' = any (c.reloptions)
                       from pg_catalog.pg_index i
                       join pg_catalog.pg_class c
                         on c.oid = i.indexrelid
                      where i.indexrelid = pg_catalog.to_regclass(
                              pg_catalog.format('muniment.embedding_hnsw_%s_%s', cast(:tenant as bigint), cast(:model as integer)))), false)
   and exists (select from muniment.embedding
                where tenant_id = :tenant
                  and model_no = cast(:model as integer)
               offset cast(:most as bigint)
                limit 1);

-- name: lock_builds
-- Whether this session may build an index now: one at a time on a database, until the session ends. No table.
select pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended('muniment.vector_index', 0));

-- name: state
-- Whether the tenant's index of the model is there: valid, invalid (a build that broke off, or one with other options than now), or
-- null. Catalog.
select case when i.indisvalid and i.indisready and 'ef_construction=128' = any (c.reloptions) then 'valid' else 'invalid' end
  from pg_catalog.pg_index i
  join pg_catalog.pg_class c
    on c.oid = i.indexrelid
 where i.indexrelid = pg_catalog.to_regclass(
         pg_catalog.format('muniment.embedding_hnsw_%s_%s', cast(:tenant as bigint), cast(:model as integer)));

-- name: create_statement
-- The statement that builds the tenant's index; it cannot run inside a function. The numbers become literals, since the planner
-- must see that the index holds all that a search asks for. With pgvector's own 64 for ef_construction 5 % of a million clustered
-- vectors could not be reached, however far a search went (recall@100 0.952 to 0.954); with 128 it is 0.9996. Registry of models.
select pg_catalog.format(
         'create index concurrently if not exists embedding_hnsw_%1$s_%2$s on muniment.embedding'
         ' using hnsw ((vector::public.halfvec(%3$s)) public.halfvec_cosine_ops) with (ef_construction = 128)'
         ' where tenant_id = %1$s and model_no = %2$s',
         cast(:tenant as bigint), m.model_no, m.dimensions)
  from muniment.embedding_model m
 where m.model_no = cast(:model as integer);

-- name: drop_statement
-- The statement that removes the tenant's index. No table.
select pg_catalog.format(
         'drop index concurrently if exists muniment.embedding_hnsw_%s_%s', cast(:tenant as bigint), cast(:model as integer));

-- name: drop_all_statements
-- The statements that remove all indexes of the tenant. Registry of models.
select pg_catalog.format('drop index concurrently if exists muniment.embedding_hnsw_%s_%s', cast(:tenant as bigint), m.model_no)
  from muniment.embedding_model m
 where pg_catalog.to_regclass(
         pg_catalog.format('muniment.embedding_hnsw_%s_%s', cast(:tenant as bigint), m.model_no)) is not null;

-- name: give_memory
-- Memory for a build, for the rest of the session: what the whole graph takes, by the size of the table, at most :most bytes. It is
-- about 800 bytes a vector beside the vector itself, and a build that outgrows its memory goes on many times slower. Catalog.
select pg_catalog.set_config(
         'maintenance_work_mem',
         greatest(65536, least(cast(:most as bigint) / 1024,
                               pg_catalog.pg_relation_size('muniment.embedding') / 1024 * 5 / 4
                                 * (2 * m.dimensions + 800) / (2 * m.dimensions + 90)))::text || 'kB', false)
  from muniment.embedding_model m
 where m.model_no = cast(:model as integer);

-- name: build_alone
-- Builds without parallel workers, for the rest of the session: they would need the memory as shared memory. No table.
select pg_catalog.set_config('max_parallel_maintenance_workers', '0', false);

-- name: become_owner
-- For the rest of the session.
set role muniment_owner;
