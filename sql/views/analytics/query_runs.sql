-- Searches and questions with their hits and steps. Primary keys, and query_hit_record for where a record came; reading all is linear.
create or replace view analytics.query_runs with (security_invoker = true) as
  select q.query_no, 'q_' || pg_catalog.replace(q.query_id::text, '-', '') as query_id, q.query_id as query_uuid, q.mode, q.question, q.answer,
         q.abstain, q.score, q.started_at, q.duration_ms, q.partial, q.notes, q.known_at as known_at_commit, q.erased_at,
         p.project_id, p.user_id, p.agent_id
    from muniment.query_run q
    left join muniment.space p
      on p.tenant_id = q.tenant_id
     and p.space_id = q.space_id;

comment on view analytics.query_runs is 'What was searched and asked, for as long as runs are kept.';
comment on column analytics.query_runs.query_no is 'The number of the run within the tenant, by which other views refer to it.';
comment on column analytics.query_runs.query_id is 'The id of the run in the interfaces: q_ and 32 hexadecimal digits.';
comment on column analytics.query_runs.query_uuid is 'The same id as a uuid: filter by this one, which an index finds.';
comment on column analytics.query_runs.mode is 'search: records were asked for; query: an answer.';
comment on column analytics.query_runs.question is 'What was asked, in the words of the caller.';
comment on column analytics.query_runs.answer is 'The answer; null for a search and for an abstention.';
comment on column analytics.query_runs.abstain is 'Whether no answer was given for want of evidence; null for a search.';
comment on column analytics.query_runs.score is 'How well the evidence carries an answer, from 0 to 1; null for a search.';
comment on column analytics.query_runs.started_at is 'When it began.';
comment on column analytics.query_runs.duration_ms is 'How long it took, in milliseconds.';
comment on column analytics.query_runs.partial is 'Whether a deadline or a fault left routes out.';
comment on column analytics.query_runs.notes is 'What the answer said of itself: what was left out, and why.';
comment on column analytics.query_runs.known_at_commit is 'The commit of the log that it saw.';
comment on column analytics.query_runs.erased_at is 'When its words were erased; null: they were not.';
comment on column analytics.query_runs.project_id is 'The project of the space that it is kept in; null where that has none.';
comment on column analytics.query_runs.user_id is 'The user of that space; null where it has none.';
comment on column analytics.query_runs.agent_id is 'The agent of that space; null where it has none.';

create or replace view analytics.query_hits with (security_invoker = true) as
  select h.query_no, h.rank, h.record_no, h.score, h.cited, h.routes
    from muniment.query_hit h;

comment on view analytics.query_hits is 'The records that each run returned, best first.';
comment on column analytics.query_hits.query_no is 'The run: analytics.query_runs.';
comment on column analytics.query_hits.rank is 'Counted from 1.';
comment on column analytics.query_hits.record_no is 'The record: analytics.records.';
comment on column analytics.query_hits.score is 'By which it was ranked.';
comment on column analytics.query_hits.cited is 'Whether the answer cites it.';
comment on column analytics.query_hits.routes is 'What each route said of it, as JSON.';

create or replace view analytics.query_steps with (security_invoker = true) as
  select s.query_no, s.stage_no, s.name, s.decision, s.duration_ms
    from muniment.query_stage s;

comment on view analytics.query_steps is 'The steps of each run, and how long they took.';
comment on column analytics.query_steps.query_no is 'The run: analytics.query_runs.';
comment on column analytics.query_steps.stage_no is 'The place of the step in the run.';
comment on column analytics.query_steps.name is 'What was done: a route, a ranking, a gate, an answer.';
comment on column analytics.query_steps.decision is 'What came of it, in a word or two.';
comment on column analytics.query_steps.duration_ms is 'How long it took, in milliseconds.';
