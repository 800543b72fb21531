-- What crosses tenants to run jobs. Created, and so run, as a role that may touch the queue and nothing else.
set local role muniment_dispatcher;

-- Takes up to _limit due jobs of the given kinds under a lease, across tenants, and returns them. One index range.
create or replace function muniment_jobs.claim_jobs(_limit integer, _lease interval, _kinds text[])
returns table (job_id uuid, tenant_no bigint, kind text, attempts smallint, lease_token uuid)
language sql volatile security definer set search_path = '' as $$
  -- materialized: as a subquery it could be run once for each row of the queue, and give other jobs each time
  with due as materialized (
    select w.job_id from muniment_jobs.queue w
     where w.state = 'queued' and w.run_at <= pg_catalog.clock_timestamp() and w.kind = any (_kinds)
     order by w.priority desc, w.run_at
     limit _limit for update skip locked
  )
  update muniment_jobs.queue q
     set state = 'running', attempts = q.attempts + 1,
         lease_token = pg_catalog.gen_random_uuid(), lease_until = pg_catalog.clock_timestamp() + _lease
    from due
   where q.job_id = due.job_id
  returning q.job_id, q.tenant_no, q.kind, q.attempts, q.lease_token;
$$;

-- Moves the end of a held lease to _lease from now; false where the lease was lost. One row.
create or replace function muniment_jobs.extend_lease(_job uuid, _lease_token uuid, _lease interval)
returns boolean language plpgsql volatile security definer set search_path = '' as $$
begin
  update muniment_jobs.queue q
     set lease_until = pg_catalog.clock_timestamp() + _lease
   where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  return found;
end $$;

-- Ends a claimed job as done, which leaves the queue, or as dead, which stays; false where the lease was lost. One row.
create or replace function muniment_jobs.settle_job(_job uuid, _lease_token uuid, _dead boolean)
returns boolean language plpgsql volatile security definer set search_path = '' as $$
begin
  if _dead then
    update muniment_jobs.queue q
       set state = 'dead', lease_token = null, lease_until = null
     where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  else
    delete from muniment_jobs.queue q
     where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  end if;
  return found;
end $$;

-- Puts a claimed job back to run after _delay, taking _attempts from its count; where the same job waits already, that
-- one does the work and this one leaves. False where the lease was lost. One row.
create or replace function muniment_jobs.requeue_job(_job uuid, _lease_token uuid, _delay interval, _attempts smallint)
returns boolean language plpgsql volatile security definer set search_path = '' as $$
begin
  update muniment_jobs.queue q
     set state = 'queued', attempts = q.attempts - _attempts, run_at = pg_catalog.clock_timestamp() + _delay,
         lease_token = null, lease_until = null
   where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  return found;
exception when unique_violation then
  delete from muniment_jobs.queue q where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  return found;
end $$;

-- Takes the jobs whose lease ran out from whoever held them: back into the queue, or dead after _max_attempts. Returns
-- them. One index range.
create or replace function muniment_jobs.reap_jobs(_max_attempts integer)
returns table (job_id uuid, tenant_no bigint, dead boolean)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
begin
  for job_id, tenant_no, dead in
    select q.job_id, q.tenant_no, q.attempts >= _max_attempts from muniment_jobs.queue q
     where q.state = 'running' and q.lease_until < pg_catalog.clock_timestamp()
     for update skip locked
  loop
    begin
      update muniment_jobs.queue q
         set state = case when reap_jobs.dead then 'dead' else 'queued' end, lease_token = null, lease_until = null
       where q.job_id = reap_jobs.job_id;
    exception when unique_violation then
      delete from muniment_jobs.queue q where q.job_id = reap_jobs.job_id;
    end;
    return next;
  end loop;
end $$;

revoke all on function muniment_jobs.claim_jobs(integer, interval, text[]), muniment_jobs.extend_lease(uuid, uuid, interval),
                       muniment_jobs.settle_job(uuid, uuid, boolean),
                       muniment_jobs.requeue_job(uuid, uuid, interval, smallint), muniment_jobs.reap_jobs(integer) from public;
grant execute on function muniment_jobs.claim_jobs(integer, interval, text[]), muniment_jobs.extend_lease(uuid, uuid, interval),
                          muniment_jobs.settle_job(uuid, uuid, boolean),
                          muniment_jobs.requeue_job(uuid, uuid, interval, smallint), muniment_jobs.reap_jobs(integer)
  to muniment_app;

set local role muniment_owner;
