-- name: insert
-- A run, once: nothing is returned where it is there already. Primary key.
insert into muniment.ingestion_run (tenant_id, run_no, space_id, run_id, kind, items, session_id, more)
values (:tenant, cast(:run_no as bigint), cast(:space as bigint), cast(:run_id as uuid), cast(:kind as text),
        cast(:items as integer), cast(:session as text), cast(:open as boolean))
on conflict (tenant_id, run_no) do nothing
returning created_at;

-- name: grow
-- Makes room in a run for more items, and says whether yet more follow where that is known; how many it has now. Primary key.
update muniment.ingestion_run
   set items = items + cast(:items as integer), more = coalesce(cast(:open as boolean), more)
 where tenant_id = :tenant
   and run_no = cast(:run_no as bigint)
returning items;

-- name: finish_item
-- The end of an item, once: again only where it had failed, and nobody has tried since. Primary key.
insert into muniment.ingestion_item as i (tenant_id, run_no, item_no, space_id, state, source_no, source_version, source_key,
                                          records, record_ids, blob_sha256, input, error_code, error_detail, error_facts,
                                          served)
values (:tenant, cast(:run_no as bigint), cast(:item_no as integer), cast(:space as bigint), cast(:state as text),
        cast(:source_no as bigint), cast(:source_version as integer), cast(:source_key as text), cast(:records as integer),
        cast(:record_ids as uuid[]), cast(:blob_sha256 as bytea), cast(:input as jsonb), cast(:error_code as text),
        cast(:error_detail as text), cast(:error_facts as jsonb), cast(:served as jsonb))
on conflict (tenant_id, run_no, item_no) do update
   set state = excluded.state, source_no = excluded.source_no, source_version = excluded.source_version,
       source_key = excluded.source_key, records = excluded.records, record_ids = excluded.record_ids,
       blob_sha256 = excluded.blob_sha256, input = excluded.input, error_code = excluded.error_code,
       error_detail = excluded.error_detail, error_facts = excluded.error_facts, served = excluded.served, attempts = i.attempts + 1,
       finished_at = clock_timestamp()
 where i.state = 'failed' and i.attempts = cast(:seen_attempts as integer)
returning attempts;

-- name: number
-- The number of a run by its public id. Unique key.
select run_no from muniment.ingestion_run where tenant_id = :tenant and run_id = cast(:run_id as uuid);

-- name: id
-- The public id of a run. Primary key.
select run_id from muniment.ingestion_run where tenant_id = :tenant and run_no = cast(:run_no as bigint);

-- name: read
-- Runs by number, newest first, with their namespaces. Primary keys.
select r.run_no, r.run_id, r.space_id, r.kind, r.items, r.more, r.session_id, r.created_at, p.project_id, p.user_id, p.agent_id
  from muniment.ingestion_run r
  join muniment.space p on p.tenant_id = :tenant and p.space_id = r.space_id
 where r.tenant_id = :tenant
   and r.run_no = any (cast(:runs as bigint[]))
 order by r.run_no desc;

-- name: list
-- The newest runs before a number. Primary key, backwards.
select run_no from muniment.ingestion_run
 where tenant_id = :tenant
   and run_no < cast(:before as bigint)
 order by run_no desc
 limit cast(:limit as integer);

-- name: items
-- The items of runs in their order, from a number on; the ids of their records, and what their readers noted, only where
-- asked for. Primary keys.
select i.run_no, i.item_no, i.state, i.source_key, s.source_id, i.source_version, i.records, i.attempts, i.error_code,
       i.error_detail, i.error_facts, i.served, i.finished_at, case when cast(:with_ids as boolean) then i.record_ids end as record_ids, v.notes
  from muniment.ingestion_item i
  left join muniment.source s on s.tenant_id = :tenant and s.source_no = i.source_no
  left join muniment.source_version v
    on cast(:with_ids as boolean) and i.state in ('stored', 'unchanged') and v.tenant_id = :tenant and v.source_no = i.source_no and v.version = i.source_version
 where i.tenant_id = :tenant
   and i.run_no = any (cast(:runs as bigint[]))
   and i.item_no >= cast(:first as integer)
 order by i.run_no, i.item_no;

-- name: failed
-- The failed items of a run, with what was kept of their input. Primary key.
select item_no, source_key, blob_sha256, input, attempts, error_code
  from muniment.ingestion_item
 where tenant_id = :tenant
   and run_no = cast(:run_no as bigint)
   and state = 'failed'
 order by item_no;

-- name: waits_for_vectors
-- Whether a record of the run still waits for its vector. Primary key; unique key of the record; embedding_pending_record.
select exists (
  select
    from muniment.ingestion_item i
   cross join lateral unnest(i.record_ids) as k (record_id)
   where i.tenant_id = :tenant
     and i.run_no = (select run_no from muniment.ingestion_run where tenant_id = :tenant and run_id = cast(:run_id as uuid))
     and (select w.record_no
            from muniment.embedding_pending w
           where w.tenant_id = :tenant
             and w.record_no = (select r.record_no from muniment.record r where r.tenant_id = :tenant and r.record_id = k.record_id)
           limit 1) is not null);
