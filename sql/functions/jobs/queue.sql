-- Puts a job into the caller's transaction and returns its id, null where the same one already waits. Two inserts.
create or replace function muniment_jobs.enqueue(
  _tenant bigint, _space bigint, _job uuid, _kind text, _arguments jsonb, _dedup text, _priority smallint, _delay interval)
returns uuid language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into muniment_jobs.queue (job_id, tenant_no, kind, dedup_key, priority, run_at)
  values (_job, _tenant, _kind, _dedup, _priority, pg_catalog.clock_timestamp() + _delay)
  on conflict (tenant_no, kind, dedup_key) where state = 'queued' and dedup_key is not null do nothing;
  if not found then
    return null;
  end if;
  insert into muniment.job (tenant_id, job_id, space_id, kind, arguments)
  values (_tenant, _job, _space, _kind, _arguments);
  perform pg_catalog.pg_notify(i.wake_channel, '') from muniment_auth.instance i;
  return _job;
end $$;
