-- What crosses tenants to run jobs. Created, and so run, as a role that may touch the queue and nothing else.
set local role muniment_dispatcher;

-- Takes up to _limit due jobs of the given kinds under a lease, one of each tenant in turn and then the next of each, and
-- returns them. One index look-up and one row a job, one look-up a tenant that waits.
create or replace function muniment_jobs.claim_jobs(_limit integer, _lease interval, _kinds text[])
returns table (job_id uuid, tenant_no bigint, kind text, attempts smallint, lease_token uuid)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  _tenants bigint[] := muniment_jobs.waiting_tenants();
  _left bigint[];
  _served bigint[] := '{}';
  _tenant bigint;
begin
  while cardinality(_served) < _limit and cardinality(_tenants) > 0 loop
    _left := '{}';
    foreach _tenant in array _tenants loop
      exit when cardinality(_served) >= _limit;
      return query
        update muniment_jobs.queue q
           set state = 'running', attempts = q.attempts + 1, dispatched_at = null,
               lease_token = pg_catalog.gen_random_uuid(), lease_until = pg_catalog.clock_timestamp() + _lease
         where q.job_id = (select muniment_jobs.next_job(_tenant, _kinds, null))
        returning q.job_id, q.tenant_no, q.kind, q.attempts, q.lease_token;
      if found then
        _served := _served || _tenant;
        _left := _left || _tenant;
      end if;
    end loop;
    _tenants := _left;
  end loop;
  if cardinality(_served) > 0 then
    perform muniment_jobs.note_turns(_served);
  end if;
end $$;

-- Takes one job that waits, is due and of one of these kinds, under a lease; nothing where another took it. One row.
create or replace function muniment_jobs.claim_job(_job uuid, _lease interval, _kinds text[])
returns table (job_id uuid, tenant_no bigint, kind text, attempts smallint, lease_token uuid)
language sql volatile security definer set search_path = '' as $$
  update muniment_jobs.queue q
     set state = 'running', attempts = q.attempts + 1, dispatched_at = null,
         lease_token = pg_catalog.gen_random_uuid(), lease_until = pg_catalog.clock_timestamp() + _lease
   where q.job_id = _job
     and q.state = 'queued'
     and q.run_at <= pg_catalog.clock_timestamp()
     and q.kind = any (_kinds)
  returning q.job_id, q.tenant_no, q.kind, q.attempts, q.lease_token;
$$;

-- Marks due jobs as handed to Redis, tenants in turn, until _window of them wait there, and returns them. What was handed over
-- longer ago than _again and still waits counts as lost there, and is handed over anew. Costs as claim_jobs, and the window's rows.
create or replace function muniment_jobs.dispatch_jobs(_window integer, _again interval, _kinds text[])
returns table (job_id uuid, attempts smallint)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  _since constant timestamptz := pg_catalog.clock_timestamp() - _again;
  _tenants bigint[];
  _left bigint[];
  _served bigint[] := '{}';
  _tenant bigint;
  _limit integer;
begin
  select _window - pg_catalog.count(*) into _limit
    from muniment_jobs.queue q
   where q.state = 'queued' and q.dispatched_at >= _since;
  if _limit <= 0 then
    return;
  end if;
  _tenants := muniment_jobs.waiting_tenants();
  while cardinality(_served) < _limit and cardinality(_tenants) > 0 loop
    _left := '{}';
    foreach _tenant in array _tenants loop
      exit when cardinality(_served) >= _limit;
      return query
        update muniment_jobs.queue q
           set dispatched_at = pg_catalog.clock_timestamp()
         where q.job_id = (select muniment_jobs.next_job(_tenant, _kinds, _since))
        returning q.job_id, q.attempts;
      if found then
        _served := _served || _tenant;
        _left := _left || _tenant;
      end if;
    end loop;
    _tenants := _left;
  end loop;
  if cardinality(_served) > 0 then
    perform muniment_jobs.note_turns(_served);
  end if;
end $$;

-- Takes back that these jobs were handed to Redis, which did not take them. Primary key.
create or replace function muniment_jobs.recall_jobs(_jobs uuid[])
returns void language sql volatile security definer set search_path = '' as $$
  update muniment_jobs.queue q
     set dispatched_at = null
   where q.job_id = any (_jobs) and q.state = 'queued';
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

-- Puts a claimed job back to run after _delay, taking _attempts from its count: 'queued'. Where the same job waits already,
-- that one does the work and this one leaves: 'superseded'. Null where the lease was lost. One row.
create or replace function muniment_jobs.requeue_job(_job uuid, _lease_token uuid, _delay interval, _attempts smallint)
returns text language plpgsql volatile security definer set search_path = '' as $$
begin
  update muniment_jobs.queue q
     set state = 'queued', attempts = q.attempts - _attempts, run_at = pg_catalog.clock_timestamp() + _delay,
         lease_token = null, lease_until = null, dispatched_at = null
   where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  return case when found then 'queued' end;
exception when unique_violation then
  delete from muniment_jobs.queue q where q.job_id = _job and q.lease_token = _lease_token and q.state = 'running';
  return case when found then 'superseded' end;
end $$;

-- Takes the jobs whose lease ran out from whoever held them: back into the queue, or dead after _max_attempts, or superseded by
-- the same job that waits. Returns them with what became of each. One index range.
create or replace function muniment_jobs.reap_jobs(_max_attempts integer)
returns table (job_id uuid, tenant_no bigint, became text)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
begin
  for job_id, tenant_no, became in
    select q.job_id, q.tenant_no, case when q.attempts >= _max_attempts then 'dead' else 'queued' end
      from muniment_jobs.queue q
     where q.state = 'running' and q.lease_until < pg_catalog.clock_timestamp()
     for update skip locked
  loop
    begin
      update muniment_jobs.queue q
         set state = reap_jobs.became, lease_token = null, lease_until = null, dispatched_at = null
       where q.job_id = reap_jobs.job_id;
    exception when unique_violation then
      delete from muniment_jobs.queue q where q.job_id = reap_jobs.job_id;
      became := 'superseded';
    end;
    return next;
  end loop;
end $$;

-- Takes a job of the scope's tenant out of the queue, whatever its state there, and returns that; null where it is not there.
-- Who runs it notices that the lease is gone. One row.
create or replace function muniment_jobs.cancel_job(_job uuid)
returns text language sql volatile security definer set search_path = '' as $$
  delete from muniment_jobs.queue q
   where q.job_id = _job
     and q.tenant_no = nullif(pg_catalog.current_setting('muniment.tenant_id', true), '')::bigint
  returning q.state;
$$;

-- Puts a dead job of the scope's tenant back into the queue with its attempts before it: 'queued', or 'superseded' where the same
-- job waits already and this one leaves. Null where it is not dead. One row.
create or replace function muniment_jobs.revive_job(_job uuid)
returns text language plpgsql volatile security definer set search_path = '' as $$
declare
  _tenant constant bigint := nullif(pg_catalog.current_setting('muniment.tenant_id', true), '')::bigint;
begin
  update muniment_jobs.queue q
     set state = 'queued', attempts = 0, run_at = pg_catalog.clock_timestamp(), dispatched_at = null
   where q.job_id = _job and q.tenant_no = _tenant and q.state = 'dead';
  if not found then
    return null;
  end if;
  perform pg_catalog.pg_notify(i.wake_channel, '') from muniment_auth.instance i;
  return 'queued';
exception when unique_violation then
  delete from muniment_jobs.queue q where q.job_id = _job and q.tenant_no = _tenant and q.state = 'dead';
  return 'superseded';
end $$;

-- Has those jobs of the scope's tenant and of these kinds run now that wait for their time and have not failed; how many. Unique key of
-- what is queued.
create or replace function muniment_jobs.hasten_jobs(_kinds text[])
returns bigint language plpgsql volatile security definer set search_path = '' as $$
declare
  _hastened bigint;
begin
  update muniment_jobs.queue q
     set run_at = pg_catalog.clock_timestamp()
   where q.tenant_no = nullif(pg_catalog.current_setting('muniment.tenant_id', true), '')::bigint
     and q.kind = any (_kinds)
     and q.state = 'queued'
     and q.attempts = 0
     and q.run_at > pg_catalog.clock_timestamp();
  get diagnostics _hastened = row_count;
  if _hastened > 0 then
    perform pg_catalog.pg_notify(i.wake_channel, '') from muniment_auth.instance i;
  end if;
  return _hastened;
end $$;

-- The tenants whose jobs were ever taken. One small row each.
create or replace function muniment_jobs.served_tenants()
returns setof bigint language sql stable security definer set search_path = '' as $$
  select t.tenant_no from muniment_jobs.turn t order by t.tenant_no;
$$;

revoke all on function muniment_jobs.claim_jobs(integer, interval, text[]), muniment_jobs.claim_job(uuid, interval, text[]),
                       muniment_jobs.dispatch_jobs(integer, interval, text[]), muniment_jobs.recall_jobs(uuid[]),
                       muniment_jobs.extend_lease(uuid, uuid, interval), muniment_jobs.settle_job(uuid, uuid, boolean),
                       muniment_jobs.requeue_job(uuid, uuid, interval, smallint), muniment_jobs.reap_jobs(integer),
                       muniment_jobs.cancel_job(uuid), muniment_jobs.revive_job(uuid), muniment_jobs.hasten_jobs(text[]),
                       muniment_jobs.served_tenants()
  from public;
grant execute on function muniment_jobs.claim_jobs(integer, interval, text[]), muniment_jobs.claim_job(uuid, interval, text[]),
                          muniment_jobs.dispatch_jobs(integer, interval, text[]), muniment_jobs.recall_jobs(uuid[]),
                          muniment_jobs.extend_lease(uuid, uuid, interval), muniment_jobs.settle_job(uuid, uuid, boolean),
                          muniment_jobs.requeue_job(uuid, uuid, interval, smallint), muniment_jobs.reap_jobs(integer),
                          muniment_jobs.cancel_job(uuid), muniment_jobs.revive_job(uuid), muniment_jobs.hasten_jobs(text[]),
                       muniment_jobs.served_tenants()
  to muniment_app;

set local role muniment_owner;
