-- name: lock
-- One removal of a tenant at a time, until the transaction ends. No table.
select pg_advisory_xact_lock(hashtextextended('muniment.removal ' || cast(:tenant as text), 0));

-- name: lock_tenant
-- Keeps others from adding rows that refer to the tenant until the transaction ends; no row where it is gone. Primary key.
select state, changed_at from muniment_auth.tenant where tenant_id = :tenant for update;

-- name: begin
-- The receipt of a deletion that begins. Primary key.
insert into muniment_auth.tenant_deletion
       (public_id, tenant_no, begun_at, commits, entries, root, checkpoint, audit_entries, audit_digest, export_sha256)
values (cast(:public_id as uuid), :tenant, coalesce(cast(:begun_at as timestamptz), clock_timestamp()), cast(:commits as bigint),
        cast(:entries as bigint), cast(:root as bytea), cast(:checkpoint as text), cast(:audit_entries as bigint),
        cast(:audit_digest as bytea), cast(:export_sha256 as bytea))
on conflict (public_id) do nothing;

-- name: condemn
-- From here on the tenant's rows may be removed, and nothing makes it live again. Primary key.
update muniment_auth.tenant
   set state = 'deleted', name = '', changed_at = clock_timestamp()
 where tenant_id = :tenant;

-- name: tables
-- The tables that hold rows of tenants, each before those that it refers to. The catalog.
select name from muniment_auth.tenant_tables() order by place;

-- name: remove_rows
-- Deletes some rows of a condemned tenant. Prefix of the table's primary key.
select muniment_auth.remove_rows(:tenant, cast(:table as text), cast(:limit as integer));

-- name: rows_left
-- What the tenant has left. Prefix of each table's primary key.
select name, rows from muniment_auth.rows_left(:tenant);

-- name: remove_tenant
-- Deletes the tenant itself. Primary key.
select muniment_auth.remove_tenant(:tenant);

-- name: forget_jobs
-- Takes the tenant's jobs out of the queue. An index of the queue.
select job_id, attempts from muniment_jobs.forget_tenant(:tenant);

-- name: count
-- Adds to the rows that went from a table. Unique key.
update muniment_auth.tenant_deletion
   set rows = rows || jsonb_build_object(cast(:table as text), coalesce(cast(rows ->> cast(:table as text) as bigint), 0) + cast(:rows as bigint))
 where tenant_no = :tenant;

-- name: deleted
-- That nothing of the tenant is left in a row. Unique key.
update muniment_auth.tenant_deletion set deleted_at = clock_timestamp() where tenant_no = :tenant and deleted_at is null;

-- name: vacuumed
-- That it is in no file either, of all tenants that were gone before a moment. One row a deleted tenant.
update muniment_auth.tenant_deletion
   set vacuumed_at = clock_timestamp()
 where deleted_at < cast(:begun as timestamptz)
   and vacuumed_at is null;

-- name: get
-- The receipt of one tenant. Primary key.
select public_id, tenant_no, begun_at, commits, entries, root, checkpoint, audit_entries, audit_digest, export_sha256, rows, deleted_at, vacuumed_at
  from muniment_auth.tenant_deletion
 where public_id = cast(:public_id as uuid);

-- name: all
-- All receipts, the latest first. One row a deleted tenant.
select public_id, tenant_no, begun_at, commits, entries, root, checkpoint, audit_entries, audit_digest, export_sha256, rows, deleted_at, vacuumed_at
  from muniment_auth.tenant_deletion
 order by begun_at desc, tenant_no desc;

-- name: unfinished
-- What is to be gone over again: deletions that are under way, those of the last day, since somebody may have added a row while the tenant
-- went, and whether files are to be rewritten. One row a deleted tenant.
select public_id, tenant_no, deleted_at is null as under_way, vacuumed_at is null as unwritten
  from muniment_auth.tenant_deletion
 where deleted_at is null
    or vacuumed_at is null
    or deleted_at > clock_timestamp() - interval '1 day'
 order by tenant_no;
