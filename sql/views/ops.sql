-- What the operators' dashboards show, across tenants: counts and times, never a word of anybody. Materialized, for row-level security
-- would hide the tables from everybody who may see all tenants; refreshed by the job of ops.refresh. They belong to a role of their own,
-- which reads these tables of all tenants and owns nothing else; muniment_ops alone may read them.
do $$
declare
  _table text;
begin
  foreach _table in array array['muniment_auth.tenant', 'muniment.space', 'muniment.source', 'muniment.source_version', 'muniment.record_group',
                                'muniment.record', 'muniment.liveness', 'muniment.log_head', 'muniment.log_commit', 'muniment.claim',
                                'muniment.query_run', 'muniment.extraction_call', 'muniment.summary_call', 'muniment.embedding_pending',
                                'muniment.erasure'] loop
    execute format('grant select on %s to muniment_reporter', _table);
    execute format('drop policy if exists reporter on %s', _table);
    execute format('create policy reporter on %s for select to muniment_reporter using (true)', _table);
  end loop;
  grant select on muniment_jobs.queue to muniment_reporter;
end $$;

set local role muniment_reporter;

create materialized view ops.tenants as
  select t.public_id as tenant, t.name, t.state, t.created_at, h.commits, h.last_at as last_commit_at,
         (select count(*) from muniment.space s where s.tenant_id = t.tenant_id) as spaces,
         (select count(*) from muniment.source s where s.tenant_id = t.tenant_id) as sources,
         coalesce(r.groups, 0) as groups, coalesce(r.live, 0) as live_records, coalesce(r.closed, 0) as closed_records, coalesce(r.facts, 0) as live_facts,
         (select coalesce(sum(v.bytes), 0)::bigint from muniment.source_version v where v.tenant_id = t.tenant_id) as source_bytes,
         (select count(*) from muniment.embedding_pending p where p.tenant_id = t.tenant_id) as records_without_vector,
         (select count(*) from muniment.erasure e where e.tenant_id = t.tenant_id and e.vacuumed_at is null) as unfinished_erasures,
         coalesce(q.queued, 0) as queued_jobs, coalesce(q.running, 0) as running_jobs, coalesce(q.dead, 0) as dead_jobs, q.oldest as oldest_job_at
    from muniment_auth.tenant t
    left join muniment.log_head h
      on h.tenant_id = t.tenant_id
    left join (
           select l.tenant_id, count(*) filter (where l.live_to_commit is null and r.kind <> 'fact') as live,
                  count(*) filter (where l.live_to_commit is not null and not l.reopened) as closed,
                  count(*) filter (where l.live_to_commit is null and r.kind = 'fact') as facts,
                  count(distinct r.group_no) filter (where r.kind <> 'fact') as groups
             from muniment.liveness l
             join muniment.record r
               on r.tenant_id = l.tenant_id
              and r.record_no = l.record_no
            group by l.tenant_id) r
      on r.tenant_id = t.tenant_id
    left join (
           select j.tenant_no, count(*) filter (where j.state = 'queued') as queued, count(*) filter (where j.state = 'running') as running,
                  count(*) filter (where j.state = 'dead') as dead, min(j.enqueued_at) filter (where j.state = 'queued') as oldest
             from muniment_jobs.queue j
            group by j.tenant_no) q
      on q.tenant_no = t.tenant_id;
comment on materialized view ops.tenants is 'Each tenant, how much it holds and what waits.';

create materialized view ops.usage as
  select t.public_id as tenant, u.day, sum(u.records)::bigint as records, sum(u.searches)::bigint as searches,
         sum(u.questions)::bigint as questions, sum(u.abstentions)::bigint as abstentions, sum(u.slow)::bigint as slower_than_a_second,
         sum(u.calls)::bigint as model_calls, sum(u.prompt)::bigint as prompt_tokens, sum(u.completion)::bigint as completion_tokens
    from (
      select l.tenant_id, (c.at at time zone 'UTC')::date as day, count(*) as records, 0 as searches, 0 as questions, 0 as abstentions,
             0 as slow, 0 as calls, 0 as prompt, 0 as completion
        from muniment.liveness l
        join muniment.log_commit c
          on c.tenant_id = l.tenant_id
         and c.commit_no = l.live_from_commit
       where not exists (select from muniment.liveness w
                          where w.tenant_id = l.tenant_id and w.record_no = l.record_no and w.reopened and w.live_from_commit < l.live_from_commit)
       group by 1, 2
      union all
      select q.tenant_id, (q.started_at at time zone 'UTC')::date, 0, count(*) filter (where q.mode = 'search'),
             count(*) filter (where q.mode = 'query'), count(*) filter (where q.abstain), count(*) filter (where q.duration_ms > 1000), 0, 0, 0
        from muniment.query_run q
       group by 1, 2
      union all
      select e.tenant_id, (e.at at time zone 'UTC')::date, 0, 0, 0, 0, 0, count(*), sum(e.prompt_tokens), sum(e.completion_tokens)
        from muniment.extraction_call e
       group by 1, 2
      union all
      select s.tenant_id, (s.at at time zone 'UTC')::date, 0, 0, 0, 0, 0, count(*), sum(s.prompt_tokens), sum(s.completion_tokens)
        from muniment.summary_call s
       group by 1, 2) u
    join muniment_auth.tenant t
      on t.tenant_id = u.tenant_id
   group by t.public_id, u.day;
comment on materialized view ops.usage is 'What each tenant did by day (UTC); of query runs, as long as they are kept. Without the tokens of answers.';

create materialized view ops.claims as
  select t.public_id as tenant, c.status, count(*) as claims, sum(c.facts)::bigint as facts, count(*) filter (where c.groups > 1) as corroborated,
         min(c.last_said_at) as oldest_said_at
    from muniment.claim c
    join muniment_auth.tenant t
      on t.tenant_id = c.tenant_id
   where c.live_to_commit is null
   group by t.public_id, c.status;
comment on materialized view ops.claims is 'The claims of each tenant as known now, by status.';

create materialized view ops.groups as
  select t.public_id as tenant, s.kind, count(*) as groups, sum(n.records)::bigint as records, max(n.records) as records_of_the_largest
    from (select r.tenant_id, r.group_no, count(*) as records from muniment.record r where r.kind <> 'fact' group by 1, 2) n
    join muniment.record_group g
      on g.tenant_id = n.tenant_id
     and g.group_no = n.group_no
    join muniment.source s
      on s.tenant_id = g.tenant_id
     and s.source_no = g.source_no
    join muniment_auth.tenant t
      on t.tenant_id = g.tenant_id
   group by t.public_id, s.kind;
comment on materialized view ops.groups is 'The conversations and documents of each tenant, by kind of source.';

create materialized view ops.freshness as select pg_catalog.clock_timestamp() as refreshed_at;
comment on materialized view ops.freshness is 'When the others were last computed.';

grant select on ops.tenants, ops.usage, ops.claims, ops.groups, ops.freshness to muniment_ops;

set local role muniment_owner;
