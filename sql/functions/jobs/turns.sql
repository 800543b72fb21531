-- The tenants with a job in the queue, whoever was served longest ago first. One index look-up a tenant.
create or replace function muniment_jobs.waiting_tenants()
returns bigint[] language sql volatile security invoker set search_path = '' as $$
  with recursive waiting as (
    (select q.tenant_no from muniment_jobs.queue q where q.state = 'queued' order by q.tenant_no limit 1)
    union all
    select (select q.tenant_no from muniment_jobs.queue q
             where q.state = 'queued' and q.tenant_no > w.tenant_no
             order by q.tenant_no limit 1)
      from waiting w
     where w.tenant_no is not null
  )
  select pg_catalog.array_agg(w.tenant_no order by t.served_at nulls first, w.tenant_no)
    from waiting w
    left join muniment_jobs.turn t on t.tenant_no = w.tenant_no
   where w.tenant_no is not null;
$$;

-- The tenant's next due job of these kinds, locked; with _undispatched_since only one that was not handed to Redis since
-- then. Null where there is none, or others have just locked all. One index look-up, and past what is not due or of other kinds.
create or replace function muniment_jobs.next_job(_tenant bigint, _kinds text[], _undispatched_since timestamptz)
returns uuid language sql volatile security invoker set search_path = '' as $$
  select q.job_id from muniment_jobs.queue q
   where q.state = 'queued'
     and q.tenant_no = _tenant
     and q.run_at <= pg_catalog.clock_timestamp()
     and q.kind = any (_kinds)
     and (_undispatched_since is null or q.dispatched_at is null or q.dispatched_at < _undispatched_since)
   order by q.priority desc, q.run_at
   limit 1 for update skip locked;
$$;

-- Notes that these tenants were served, in this order. Where another claim notes the same, its note will do: nobody waits.
-- Primary key.
create or replace function muniment_jobs.note_turns(_tenants bigint[])
returns void language sql volatile security invoker set search_path = '' as $$
  with served as (
    select s.tenant_no, pg_catalog.statement_timestamp() + pg_catalog.max(s.place) * interval '1 microsecond' as served_at
      from unnest(_tenants) with ordinality s (tenant_no, place)
     group by s.tenant_no
  ),
  free as materialized (
    select t.tenant_no from muniment_jobs.turn t where t.tenant_no = any (_tenants) for update skip locked
  ),
  noted as (
    update muniment_jobs.turn t
       set served_at = s.served_at
      from free f
      join served s on s.tenant_no = f.tenant_no
     where t.tenant_no = f.tenant_no
  )
  insert into muniment_jobs.turn (tenant_no, served_at)
  select s.tenant_no, s.served_at
    from served s
   where not exists (select from muniment_jobs.turn t where t.tenant_no = s.tenant_no)
   order by s.tenant_no
  on conflict (tenant_no) do nothing;
$$;
grant execute on function muniment_jobs.waiting_tenants(), muniment_jobs.next_job(bigint, text[], timestamptz),
                          muniment_jobs.note_turns(bigint[])
  to muniment_dispatcher;
