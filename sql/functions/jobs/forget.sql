-- The queue knows no rows of tenants but ids: created, and so run, as the role that claims jobs across tenants.
set local role muniment_dispatcher;

-- Takes all jobs of the scope's tenant out of the queue, and its turn; which they were, and how often each was tried. One index.
create or replace function muniment_jobs.forget_tenant(_tenant bigint)
returns table (job_id uuid, attempts smallint)
language sql volatile security definer set search_path = '' as $$
  with turns as (
    delete from muniment_jobs.turn t where t.tenant_no = _tenant and _tenant = muniment_auth.scope_tenant())
  delete from muniment_jobs.queue q
   where q.tenant_no = _tenant
     and _tenant = muniment_auth.scope_tenant()
  returning q.job_id, q.attempts;
$$;

revoke all on function muniment_jobs.forget_tenant(bigint) from public;
grant execute on function muniment_jobs.forget_tenant(bigint) to muniment_app;

set local role muniment_owner;
