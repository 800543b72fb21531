create table muniment_jobs.turn (
  tenant_no bigint not null primary key,
  served_at timestamptz not null
);
comment on table muniment_jobs.turn is 'When a job of each tenant was last taken: who waited longest comes next.';

alter table muniment_jobs.queue add column dispatched_at timestamptz;
comment on column muniment_jobs.queue.dispatched_at is 'When its id was handed to Redis; null where no worker was told.';
drop index muniment_jobs.queue_ready;
create index queue_ready on muniment_jobs.queue (tenant_no, priority desc, run_at) where state = 'queued';  -- waiting_tenants, next_job
create index queue_dispatched on muniment_jobs.queue (dispatched_at) where state = 'queued' and dispatched_at is not null;  -- dispatch_jobs
create index queue_tenant on muniment_jobs.queue (tenant_no, state, job_id);  -- a tenant's jobs by state

alter table muniment.job add column outcome text check (outcome in ('done', 'dead', 'cancelled', 'superseded'));
alter table muniment.job add column progress_done bigint;
alter table muniment.job add column progress_total bigint;
comment on column muniment.job.outcome is 'How it ended; superseded where the same job, put in again, does its work.';
alter table muniment.job no force row level security;  -- the owner sees every tenant's rows for this statement
update muniment.job j
   set outcome = case when j.error is null then 'done' else 'dead' end
 where j.finished_at is not null;
alter table muniment.job force row level security;
create index job_outcome on muniment.job (tenant_id, outcome, job_id) where outcome is not null;  -- ended jobs of a kind of end
create index job_kind on muniment.job (tenant_id, kind, job_id);  -- jobs of a kind
