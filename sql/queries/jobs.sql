-- name: claim
-- Due jobs of these kinds, of any tenant, under a lease. Index queue_ready.
select job_id, tenant_no, kind, attempts, lease_token
  from muniment_jobs.claim_jobs(cast(:limit as integer), make_interval(secs => cast(:lease as double precision)),
                                cast(:kinds as text[]));

-- name: claim_one
-- One job by its id, under a lease, where it still waits. Primary key.
select job_id, tenant_no, kind, attempts, lease_token
  from muniment_jobs.claim_job(cast(:job as uuid), make_interval(secs => cast(:lease as double precision)), cast(:kinds as text[]));

-- name: dispatch
-- Due jobs of these kinds, of any tenant, to be handed to Redis. Indexes queue_ready and queue_dispatched.
select job_id, attempts
  from muniment_jobs.dispatch_jobs(cast(:window as integer), make_interval(secs => cast(:again as double precision)),
                                   cast(:kinds as text[]));

-- name: recall
-- Jobs that Redis did not take, to be handed to it later. Primary key.
select muniment_jobs.recall_jobs(cast(:jobs as uuid[]));

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
select job_id, tenant_no, became from muniment_jobs.reap_jobs(cast(:max_attempts as integer));

-- name: arguments
-- What a job is about. Primary key.
select arguments from muniment.job where tenant_id = :tenant and job_id = cast(:job as uuid);

-- name: finish
-- How a job ended. Primary key.
update muniment.job
   set result = cast(:result as jsonb), error = null, outcome = 'done', finished_at = clock_timestamp()
 where tenant_id = :tenant
   and job_id = cast(:job as uuid);

-- name: record_error
-- Why the last attempt failed, in words that hold nothing of any content, and whether that was the end. Primary key.
update muniment.job
   set error = cast(:error as text), outcome = cast(:outcome as text),
       finished_at = case when cast(:outcome as text) is not null then clock_timestamp() end
 where tenant_id = :tenant
   and job_id = cast(:job as uuid);

-- name: end_as
-- A job that ended without having run to its end. Primary key.
update muniment.job
   set outcome = cast(:outcome as text), finished_at = clock_timestamp()
 where tenant_id = :tenant
   and job_id = cast(:job as uuid);

-- name: reopen
-- A dead job is tried again. Primary key.
update muniment.job
   set error = null, outcome = null, finished_at = null, progress_done = null, progress_total = null
 where tenant_id = :tenant
   and job_id = cast(:job as uuid);

-- name: progress
-- How far a running job is. Primary key.
update muniment.job
   set progress_done = cast(:done as bigint), progress_total = cast(:total as bigint)
 where tenant_id = :tenant
   and job_id = cast(:job as uuid);

-- name: cancel
-- Takes a job of the tenant out of the queue; in which state it was there. Primary key.
select muniment_jobs.cancel_job(cast(:job as uuid));

-- name: revive
-- Puts a dead job of the tenant back into the queue; what became of it. Primary key.
select muniment_jobs.revive_job(cast(:job as uuid));

-- name: read
-- A job as it stands. Primary keys.
select j.job_id, j.kind, coalesce(q.state, j.outcome, 'superseded') as state, coalesce(q.attempts, 0) as attempts, q.run_at,
       j.created_at, j.finished_at, j.progress_done, j.progress_total, j.result, j.error
  from muniment.job j
  left join muniment_jobs.queue q on q.job_id = j.job_id
 where j.tenant_id = :tenant
   and j.job_id = cast(:job as uuid);

-- name: list
-- The latest jobs before one, by their ids, which are in the order of time. Primary key, backwards.
select j.job_id, j.kind, coalesce(q.state, j.outcome, 'superseded') as state, coalesce(q.attempts, 0) as attempts, q.run_at,
       j.created_at, j.finished_at, j.progress_done, j.progress_total, j.result, j.error
  from muniment.job j
  left join muniment_jobs.queue q on q.job_id = j.job_id
 where j.tenant_id = :tenant
   and j.job_id < cast(:before as uuid)
 order by j.job_id desc
 limit cast(:limit as integer);

-- name: list_kind
-- The latest of a kind. Index job_kind, backwards.
select j.job_id, j.kind, coalesce(q.state, j.outcome, 'superseded') as state, coalesce(q.attempts, 0) as attempts, q.run_at,
       j.created_at, j.finished_at, j.progress_done, j.progress_total, j.result, j.error
  from muniment.job j
  left join muniment_jobs.queue q on q.job_id = j.job_id
 where j.tenant_id = :tenant
   and j.kind = cast(:kind as text)
   and j.job_id < cast(:before as uuid)
 order by j.job_id desc
 limit cast(:limit as integer);

-- name: list_open
-- The latest that are in the queue in a state, of a kind where one is named. Index queue_tenant, backwards; primary key.
select j.job_id, j.kind, q.state, q.attempts, q.run_at, j.created_at, j.finished_at, j.progress_done, j.progress_total,
       j.result, j.error
  from muniment_jobs.queue q
  join muniment.job j on j.tenant_id = :tenant and j.job_id = q.job_id
 where q.tenant_no = :tenant
   and q.state = cast(:state as text)
   and q.job_id < cast(:before as uuid)
   and (cast(:kind as text) is null or q.kind = cast(:kind as text))
 order by q.job_id desc
 limit cast(:limit as integer);

-- name: list_ended
-- The latest that ended in a way, of a kind where one is named. Index job_outcome, backwards.
select j.job_id, j.kind, j.outcome as state, 0 as attempts, cast(null as timestamptz) as run_at, j.created_at, j.finished_at,
       j.progress_done, j.progress_total, j.result, j.error
  from muniment.job j
 where j.tenant_id = :tenant
   and j.outcome = cast(:state as text)
   and j.job_id < cast(:before as uuid)
   and (cast(:kind as text) is null or j.kind = cast(:kind as text))
 order by j.job_id desc
 limit cast(:limit as integer);

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

-- name: backlog
-- What is queued, running or dead, of all tenants together, and for how long the one waits that is due longest. Reads the whole queue.
select kind, state, count(*) as jobs,
       coalesce(greatest(0, extract(epoch from clock_timestamp() - min(run_at))), 0) as waited
  from muniment_jobs.queue
 group by kind, state;

-- name: wake_channel
-- The channel on which new jobs are notified. One row.
select i.wake_channel from muniment_auth.instance i;
