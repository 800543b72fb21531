-- name: tables
-- The tables of an archive, in order. No table.
select name from muniment.archive_tables() order by ordinal;

-- name: open
-- Opens the cursor over one of them. Its primary key.
select muniment.open_archive(:tenant, cast(:table as text));

-- name: fetch
-- The next rows of the open cursor. No statement of its own.
fetch forward 200 from archive;

-- name: close
-- Before the next one. No table.
close archive;

-- name: models
-- The embedding models that the tenant's vectors were made with, and those of its query runs. The registry; primary keys.
select m.model_no, m.name, m.dimensions
  from muniment.embedding_model m
 where exists (select from muniment.embedding e where e.tenant_id = :tenant and e.model_no = m.model_no)
    or exists (select from muniment.summary_vector v where v.tenant_id = :tenant and v.model_no = m.model_no)
    or exists (select from muniment.query_run q where q.tenant_id = :tenant and q.pinned ->> 'model' = m.model_no::text)
 order by m.model_no;

-- name: tenant
-- What an archive says of the tenant and its log. Primary keys.
select t.public_id, t.name, h.commits, h.entries, h.peaks
  from muniment_auth.tenant t
  join muniment.log_head h on h.tenant_id = :tenant
 where t.tenant_id = :tenant;

-- name: lock_import
-- One import of a tenant at a time, until the transaction ends. No table.
select pg_advisory_xact_lock(hashtextextended('muniment.import ' || cast(cast(:public_id as uuid) as text), 0));

-- name: restore
-- Rows of an archive into their table. Primary keys of what they refer to.
select muniment.restore_rows(:tenant, cast(:table as text), cast(:rows as jsonb), cast(:models as jsonb));

-- name: make_default
-- The local store opens the imported tenant from now on, where it opened one whose log is empty. One row.
update muniment_auth.instance
   set default_tenant_no = :tenant
 where default_tenant_no = cast(:empty as bigint);
