-- What models, jobs and days cost. extraction_call_at and summary_call_at for stretches of time; days read the whole tenant.
create or replace view analytics.model_calls with (security_invoker = true) as
  select e.at, case when split_part(e.extractor, ':', 1) = 'vision' then 'images' else 'facts' end as purpose, e.extractor as model,
         e.requests::bigint as requests, e.prompt_tokens, e.completion_tokens, e.estimated, e.duration_ms, e.reason, p.project_id, p.user_id, p.agent_id
    from muniment.extraction_call e
    left join muniment.space p
      on p.tenant_id = e.tenant_id
     and p.space_id = e.space_id
  union all
  select s.at, 'summaries', s.form, s.requests::bigint, s.prompt_tokens, s.completion_tokens, s.estimated, s.duration_ms, s.reason,
         p.project_id, p.user_id, p.agent_id
    from muniment.summary_call s
    left join muniment.space p
      on p.tenant_id = s.tenant_id
     and p.space_id = s.space_id
  union all
  select q.started_at, 'answers', t.detail ->> 'model', (t.detail ->> 'asked')::bigint, (t.detail ->> 'prompt_tokens')::bigint,
         (t.detail ->> 'completion_tokens')::bigint, false, t.duration_ms, t.detail ->> 'reason', p.project_id, p.user_id, p.agent_id
    from muniment.query_stage t
    join muniment.query_run q
      on q.tenant_id = t.tenant_id
     and q.query_no = t.query_no
    left join muniment.space p
      on p.tenant_id = q.tenant_id
     and p.space_id = q.space_id
   where t.name = 'answer'
     and t.detail ? 'asked';

comment on view analytics.model_calls is 'What language models were asked: to find facts, to describe images, to write summaries, to answer. Tokens, for prices are the endpoint''s.';
comment on column analytics.model_calls.at is 'When the call was made; of an answer, when the question was asked.';
comment on column analytics.model_calls.purpose is 'facts, images, summaries or answers.';
comment on column analytics.model_calls.model is 'Which model with which prompt; of an answer the model alone.';
comment on column analytics.model_calls.requests is 'How many requests it took, with those that had to be repeated.';
comment on column analytics.model_calls.prompt_tokens is 'Tokens that were sent; null where the endpoint did not tell.';
comment on column analytics.model_calls.completion_tokens is 'Tokens that came back; null where the endpoint did not tell.';
comment on column analytics.model_calls.estimated is 'Whether the tokens are estimated from lengths, since the endpoint told none.';
comment on column analytics.model_calls.duration_ms is 'How long it took, in milliseconds.';
comment on column analytics.model_calls.reason is 'The code of why nothing came of it; null where something did.';
comment on column analytics.model_calls.project_id is 'The project of the namespace; null where it has none.';
comment on column analytics.model_calls.user_id is 'The user of the namespace; null where it has none.';
comment on column analytics.model_calls.agent_id is 'The agent of the namespace; null where it has none.';

create or replace view analytics.costs with (security_invoker = true) as
  select (m.at at time zone 'UTC')::date as day, m.purpose, m.model, count(*) as calls, sum(m.requests)::bigint as requests,
         sum(m.prompt_tokens)::bigint as prompt_tokens, sum(m.completion_tokens)::bigint as completion_tokens,
         bool_or(m.estimated) as estimated, count(m.reason) as failed, sum(m.duration_ms)::double precision as duration_ms
    from analytics.model_calls m
   group by 1, 2, 3;

comment on view analytics.costs is 'The model calls by day (UTC), purpose and model: tokens, to be multiplied by what the endpoint asks for them.';
comment on column analytics.costs.day is 'The day, in UTC.';
comment on column analytics.costs.purpose is 'facts, summaries or answers.';
comment on column analytics.costs.model is 'Which model with which prompt; of answers the model alone.';
comment on column analytics.costs.calls is 'How many windows, summaries or answers it was asked for.';
comment on column analytics.costs.requests is 'How many requests that took.';
comment on column analytics.costs.prompt_tokens is 'Tokens that were sent.';
comment on column analytics.costs.completion_tokens is 'Tokens that came back.';
comment on column analytics.costs.estimated is 'Whether any of the tokens are estimated from lengths.';
comment on column analytics.costs.failed is 'Of how many calls nothing came.';
comment on column analytics.costs.duration_ms is 'How long the calls took together, in milliseconds.';

create or replace view analytics.jobs with (security_invoker = true) as
  select 'j_' || pg_catalog.replace(j.job_id::text, '-', '') as job_id, j.job_id as job_uuid, j.kind, j.outcome, j.created_at, j.finished_at,
         extract(epoch from j.finished_at - j.created_at)::double precision as seconds, j.error
    from muniment.job j;

comment on view analytics.jobs is 'Background jobs, for as long as they are kept.';
comment on column analytics.jobs.job_id is 'The id of the job in the interfaces: j_ and 32 hexadecimal digits.';
comment on column analytics.jobs.job_uuid is 'The same id as a uuid: filter by this one, which an index finds.';
comment on column analytics.jobs.kind is 'What was to be done: embed, merge, extract and so on.';
comment on column analytics.jobs.outcome is 'done, dead, cancelled or superseded; null while it waits or runs.';
comment on column analytics.jobs.created_at is 'When it was put into the queue.';
comment on column analytics.jobs.finished_at is 'When it ended.';
comment on column analytics.jobs.seconds is 'From the one to the other.';
comment on column analytics.jobs.error is 'What failed last, in words that quote nothing stored.';

create or replace view analytics.usage with (security_invoker = true) as
  select u.day, sum(u.records)::bigint as records, sum(u.facts)::bigint as facts, sum(u.bytes)::bigint as bytes,
         sum(u.searches)::bigint as searches, sum(u.questions)::bigint as questions, sum(u.abstentions)::bigint as abstentions,
         sum(u.jobs)::bigint as jobs, sum(u.model_calls)::bigint as model_calls, sum(u.tokens)::bigint as tokens
    from (
      select (t.at at time zone 'UTC')::date as day, count(*) filter (where r.kind <> 'fact') as records,
             count(*) filter (where r.kind = 'fact') as facts, 0::bigint as bytes, 0::bigint as searches, 0::bigint as questions,
             0::bigint as abstentions, 0::bigint as jobs, 0::bigint as model_calls, 0::bigint as tokens
        from muniment.liveness l
        join muniment.record r
          on r.tenant_id = l.tenant_id
         and r.record_no = l.record_no
        join muniment.log_commit t
          on t.tenant_id = l.tenant_id
         and t.commit_no = l.live_from_commit
       where not exists (select from muniment.liveness w
                          where w.tenant_id = l.tenant_id and w.record_no = l.record_no and w.reopened and w.live_from_commit < l.live_from_commit)
       group by 1
      union all
      select (t.at at time zone 'UTC')::date, 0, 0, sum(v.bytes)::bigint, 0, 0, 0, 0, 0, 0
        from muniment.source_version v
        join muniment.log_commit t
          on t.tenant_id = v.tenant_id
         and t.commit_no = v.live_from_commit
       group by 1
      union all
      select (q.started_at at time zone 'UTC')::date, 0, 0, 0, count(*) filter (where q.mode = 'search'),
             count(*) filter (where q.mode = 'query'), count(*) filter (where q.abstain), 0, 0, 0
        from muniment.query_run q
       group by 1
      union all
      select (j.finished_at at time zone 'UTC')::date, 0, 0, 0, 0, 0, 0, count(*), 0, 0
        from muniment.job j
       where j.finished_at is not null
       group by 1
      union all
      select (m.at at time zone 'UTC')::date, 0, 0, 0, 0, 0, 0, 0, count(*),
             sum(coalesce(m.prompt_tokens, 0) + coalesce(m.completion_tokens, 0))::bigint
        from analytics.model_calls m
       group by 1) u
   group by u.day;

comment on view analytics.usage is 'What the tenant did by day (UTC): what came in, what was asked, what ran. Of runs and jobs, as long as they are kept.';
comment on column analytics.usage.day is 'The day, in UTC.';
comment on column analytics.usage.records is 'Records that came in, corrections among them, also those that no longer count.';
comment on column analytics.usage.facts is 'Facts that were drawn from them.';
comment on column analytics.usage.bytes is 'Bytes of the versions of sources that came in; of a conversation, all that it grew to.';
comment on column analytics.usage.searches is 'Searches.';
comment on column analytics.usage.questions is 'Questions that an answer was wanted for.';
comment on column analytics.usage.abstentions is 'How many of these were not answered for want of evidence.';
comment on column analytics.usage.jobs is 'Background jobs that ended.';
comment on column analytics.usage.model_calls is 'Calls of language models.';
comment on column analytics.usage.tokens is 'Tokens of these calls, sent and come back.';
