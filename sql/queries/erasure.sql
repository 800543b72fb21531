-- name: records
-- Records by their public ids, with their sources and groups. Unique key.
select r.record_no, r.record_id, r.source_no, r.group_no, r.space_id
  from muniment.record r
 where r.tenant_id = :tenant
   and r.record_id = any (cast(:record_ids as uuid[]));

-- name: sources
-- Sources by their public ids. Unique key.
select source_no, source_id from muniment.source where tenant_id = :tenant and source_id = any (cast(:source_ids as uuid[]));

-- name: of_sources
-- All records of sources. Index record_source.
select r.record_no, r.record_id, r.source_no, r.group_no, r.space_id
  from muniment.record r
 where r.tenant_id = :tenant
   and r.source_no = any (cast(:sources as bigint[]));

-- name: derived
-- What rests on records, also where it rests on others too: it may quote them. Index evidence_basis.
select r.record_no, r.record_id, r.source_no, r.group_no, r.space_id
  from muniment.record r
 where r.tenant_id = :tenant
   and r.record_no in (select v.record_no from muniment.evidence v
                        where v.tenant_id = :tenant and v.basis_no = any (cast(:records as bigint[])));

-- name: state
-- Of records, which still have content and which are live, in their order. Primary keys.
select r.record_no, r.record_id, r.space_id, c.record_no is not null as has_content, l.live_to_commit is null as live
  from muniment.record r
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no and not l.reopened
  left join muniment.record_content c on c.tenant_id = :tenant and c.record_no = r.record_no
 where r.tenant_id = :tenant
   and r.record_no = any (cast(:records as bigint[]))
 order by r.record_no;

-- name: of_runs
-- All records that ingestion runs brought. Primary key of the items, unique key of the records.
select r.record_no, r.record_id, r.source_no, r.group_no, r.space_id
  from muniment.record r
 where r.tenant_id = :tenant
   and r.record_id in (select unnest(i.record_ids) from muniment.ingestion_item i
                        where i.tenant_id = :tenant and i.run_no = any (cast(:runs as bigint[])));

-- name: inputs
-- Erases what runs keep of their failed items. Cost: the function's.
select muniment.erase_inputs(cast(:tenant as bigint), cast(:runs as bigint[]));

-- name: contents
-- Erases contents and all that hangs on them; the words that nothing else has. Cost: the function's.
select muniment.erase_contents(cast(:tenant as bigint), cast(:erasure as uuid), cast(:records as bigint[]), cast(:digests as text[]));

-- name: originals
-- Erases the originals of records, and what names their sources where those are erased whole. Cost: the function's.
select muniment.erase_originals(cast(:tenant as bigint), cast(:records as bigint[]), cast(:whole as bigint[]));

-- name: traces
-- Takes the words out of query runs, jobs and idempotency keys. Cost: the function's.
select muniment.erase_traces(cast(:tenant as bigint), cast(:records as bigint[]), cast(:words as text[]));

-- name: insert
-- A receipt, before what it is of. Primary key.
insert into muniment.erasure (tenant_id, erasure_id, reason, commit_no, records)
values (:tenant, cast(:erasure as uuid), cast(:reason as text), 0, cast(:count as integer))
on conflict (tenant_id, erasure_id) do nothing;

-- name: purged
-- That the content is in no row any more. Primary key.
update muniment.erasure
   set commit_no = cast(:commit as bigint), purged_at = clock_timestamp()
 where tenant_id = :tenant
   and erasure_id = cast(:erasure as uuid);

-- name: vacuumed
-- That it is in no file of the database any more, of all that was purged before a moment. Prefix of the primary key.
update muniment.erasure
   set vacuumed_at = clock_timestamp()
 where tenant_id = :tenant
   and purged_at < cast(:begun as timestamptz)
   and vacuumed_at is null;

-- name: get
-- One receipt. Primary key.
select erasure_id, reason, commit_no, records, requested_at, purged_at, vacuumed_at
  from muniment.erasure
 where tenant_id = :tenant
   and erasure_id = cast(:erasure as uuid);

-- name: list
-- All receipts, the latest first. Prefix of the primary key.
select erasure_id, reason, commit_no, records, requested_at, purged_at, vacuumed_at
  from muniment.erasure
 where tenant_id = :tenant
 order by erasure_id desc
 limit cast(:limit as integer);

-- name: of_record
-- The erasure that took a record. Primary key.
select erasure_id from muniment.tombstone where tenant_id = :tenant and record_no = any (cast(:records as bigint[])) limit 1;

-- name: ledger
-- What an erasure took, by public ids. Index tombstone_erasure.
select r.record_id
  from muniment.tombstone t
  join muniment.record r on r.tenant_id = :tenant and r.record_no = t.record_no
 where t.tenant_id = :tenant
   and t.erasure_id = cast(:erasure as uuid)
 order by r.record_no;
