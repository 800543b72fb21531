-- What crosses tenants to run jobs. Created, and so run, as a role that may touch the queue and nothing else.
set local role muniment_dispatcher;

-- Takes up to _limit due jobs under a lease, across tenants, and returns them. One index range.
create or replace function muniment_jobs.claim_jobs(_limit integer, _lease interval)
returns table (job_id uuid, tenant_no bigint, kind text, attempts smallint, max_attempts smallint, lease_token uuid)
language sql volatile security definer set search_path = '' as $$
  update muniment_jobs.queue q
     set state = 'running', attempts = q.attempts + 1,
         lease_token = pg_catalog.gen_random_uuid(), lease_until = pg_catalog.clock_timestamp() + _lease
   where q.job_id in (
           select w.job_id from muniment_jobs.queue w
            where w.state = 'queued' and w.run_at <= pg_catalog.clock_timestamp()
            order by w.priority desc, w.run_at
            limit _limit for update skip locked)
  returning q.job_id, q.tenant_no, q.kind, q.attempts, q.max_attempts, q.lease_token;
$$;

-- Ends a claimed job: done, back in the queue after _delay, or dead; false where the lease was lost. One row.
create or replace function muniment_jobs.settle_job(_job uuid, _lease_token uuid, _state text, _delay interval)
returns boolean language plpgsql volatile security definer set search_path = '' as $$
begin
  update muniment_jobs.queue q
     set state = _state, run_at = pg_catalog.clock_timestamp() + _delay, lease_token = null, lease_until = null
   where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  return found;
exception when unique_violation then
  -- the same job was queued again meanwhile: that one will do the work
  update muniment_jobs.queue q set state = 'done', lease_token = null, lease_until = null
   where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  return found;
end $$;

-- Gives jobs whose lease ran out back to the queue, or ends them; returns how many. One index range.
create or replace function muniment_jobs.reap_jobs()
returns integer language plpgsql volatile security definer set search_path = '' as $$
declare
  _reaped integer := 0;
  _job record;
begin
  for _job in
    select q.job_id, q.attempts >= q.max_attempts as spent from muniment_jobs.queue q
     where q.state = 'running' and q.lease_until < pg_catalog.clock_timestamp()
     for update skip locked
  loop
    begin
      update muniment_jobs.queue q
         set state = case when _job.spent then 'dead' else 'queued' end, lease_token = null, lease_until = null
       where q.job_id = _job.job_id;
    exception when unique_violation then
      update muniment_jobs.queue q set state = 'done', lease_token = null, lease_until = null where q.job_id = _job.job_id;
    end;
    _reaped := _reaped + 1;
  end loop;
  return _reaped;
end $$;

revoke all on function muniment_jobs.claim_jobs(integer, interval), muniment_jobs.settle_job(uuid, uuid, text, interval),
                       muniment_jobs.reap_jobs() from public;
grant execute on function muniment_jobs.claim_jobs(integer, interval), muniment_jobs.settle_job(uuid, uuid, text, interval),
                          muniment_jobs.reap_jobs() to muniment_app;

set local role muniment_owner;
