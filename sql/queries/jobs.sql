-- name: claim
-- Due jobs of these kinds, of any tenant, under a lease. Index queue_ready.
select job_id, tenant_no, kind, attempts, lease_token
  from muniment_jobs.claim_jobs(cast(:limit as integer), make_interval(secs => cast(:lease as double precision)),
                                cast(:kinds as text[]));

-- name: extend
-- Keeps a lease that is still ours. Primary key.
select muniment_jobs.extend_lease(cast(:job as uuid), cast(:lease_token as uuid),
                                  make_interval(secs => cast(:lease as double precision)));

-- name: settle
-- The end of a claimed job. Primary key.
select muniment_jobs.settle_job(cast(:job as uuid), cast(:lease_token as uuid), cast(:dead as boolean));

-- name: requeue
-- Back into the queue after a delay. Primary key.
select muniment_jobs.requeue_job(cast(:job as uuid), cast(:lease_token as uuid),
                                 make_interval(secs => cast(:delay as double precision)), cast(:attempts as smallint));

-- name: reap
-- Jobs whose runner went away, of any tenant. Index queue_lease.
select job_id, tenant_no, dead from muniment_jobs.reap_jobs(cast(:max_attempts as integer));

-- name: arguments
-- What a job is about. Primary key.
select arguments from muniment.job where tenant_id = :tenant and job_id = cast(:job as uuid);

-- name: finish
-- How a job ended. Primary key.
update muniment.job set result = cast(:result as jsonb), error = null, finished_at = clock_timestamp()
 where tenant_id = :tenant and job_id = cast(:job as uuid);

-- name: record_error
-- Why the last attempt failed, in words that hold nothing of any content. Primary key.
update muniment.job set error = cast(:error as text),
       finished_at = case when cast(:dead as boolean) then clock_timestamp() end
 where tenant_id = :tenant and job_id = cast(:job as uuid);

-- name: merge_postings
-- Packs a space's tail of postings into blocks; how many rows of the tail that took. Primary keys of tail and block.
select muniment.merge_postings(cast(:tenant as bigint), cast(:space as bigint), cast(:block_documents as integer));

-- name: orphans_wait
-- Whether records wait for vectors while no job is to make them, as after jobs that died. Prefix of the primary key; the queue.
select (select record_no from muniment.embedding_pending where tenant_id = :tenant order by space_id, record_no limit 1) is not null
   and not exists (select from muniment_jobs.queue
                    where tenant_no = :tenant
                      and kind = 'embed'
                      and state in ('queued', 'running'));
