-- name: tenants
-- The tenants whose jobs were ever run. The whole of a table of one small row a tenant.
select muniment_jobs.served_tenants();

-- name: jobs
-- Deletes jobs that ended, those made before an id, the oldest first. Index job_outcome.
with old as (
  select j.job_id
    from muniment.job j
   where j.tenant_id = :tenant
     and j.outcome = cast(:outcome as text)
     and j.job_id < cast(:before as uuid)
   order by j.job_id
   limit cast(:limit as integer)
), gone as (
  delete from muniment.job j
   using old
   where j.tenant_id = :tenant
     and j.job_id = old.job_id
  returning j.job_id
)
select count(*) from gone;

-- name: query_runs
-- Deletes query runs with their steps and hits, those begun before an id, the oldest first. Unique key.
with old as (
  select q.query_no
    from muniment.query_run q
   where q.tenant_id = :tenant
     and q.query_id < cast(:before as uuid)
   order by q.query_id
   limit cast(:limit as integer)
), gone as (
  delete from muniment.query_run q
   using old
   where q.tenant_id = :tenant
     and q.query_no = old.query_no
  returning q.query_no
)
select count(*) from gone;

-- name: unwritten_erasures
-- Whether something was erased whose old bytes may still lie in the database's files. Prefix of the primary key.
select (select e.erasure_id
          from muniment.erasure e
         where e.tenant_id = :tenant
           and e.purged_at is not null
           and e.vacuumed_at is null
         order by e.erasure_id
         limit 1) is not null;
