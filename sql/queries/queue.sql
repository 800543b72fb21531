-- name: enqueue
-- A job of the caller's transaction; null where the same one already waits. Unique key of what is queued.
select muniment_jobs.enqueue(
  cast(:tenant as bigint), cast(:space as bigint), cast(:job as uuid), cast(:kind as text), cast(:arguments as jsonb),
  cast(:dedup as text), cast(:priority as smallint), make_interval(secs => cast(:delay as double precision)));

-- name: hasten
-- Has jobs of these kinds that wait for their time, and have not failed, run now; how many. Unique key of what is queued.
select muniment_jobs.hasten_jobs(cast(:kinds as text[])) as hastened;
