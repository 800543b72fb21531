-- name: insert
-- A query run with its stages and hits, and which visible records had no vector, where those are few. Primary keys. The commit
-- may return before it is on disk: a lost query run is a lost note, never lost evidence.
with lazily as (
  select set_config('synchronous_commit', 'off', true)
), run as (
  insert into muniment.query_run (tenant_id, query_no, space_id, query_id, mode, question, parameters, known_at, statistics,
                                  answer, abstain, score, started_at, duration_ms, partial, notes, pinned)
  select cast(:tenant as bigint), cast(:query_no as bigint), cast(:space as bigint), cast(:query_id as uuid),
         cast(:mode as text), cast(:question as text), cast(:parameters as jsonb), cast(:known_at as bigint),
         cast(:statistics as jsonb), cast(:answer as text), cast(:abstain as boolean), cast(:score as real),
         cast(:started_at as timestamptz), cast(:duration_ms as real), cast(:partial as boolean), cast(:notes as text[]),
         cast(:pinned as jsonb) || jsonb_build_object(
           'lacking',
           case when cast(:pending as bigint) = 0 then '{}'
                when cast(:pending as bigint) <= cast(:most_lacking as bigint) then (
                  select coalesce(range_agg(int8range(p.record_no, p.record_no + 1))::text, '{}')
                    from muniment.embedding_pending p
                   where p.tenant_id = :tenant
                     and p.space_id = any (cast(:spaces as bigint[])))
           end)
    from lazily
  returning query_no
), stage as (
  insert into muniment.query_stage (tenant_id, query_no, stage_no, space_id, name, decision, detail, duration_ms, records, scores)
  select cast(:tenant as bigint), run.query_no, s.stage_no, cast(:space as bigint), s.name, s.decision,
         cast(s.detail as jsonb), s.duration_ms, cast(s.records as bigint[]), cast(s.scores as real[])
    from run,
         unnest(cast(:stage_names as text[]), cast(:decisions as text[]), cast(:details as text[]), cast(:durations as real[]),
                cast(:lists as text[]), cast(:list_scores as text[]))
         with ordinality s (name, decision, detail, duration_ms, records, scores, stage_no)
)
insert into muniment.query_hit (tenant_id, query_no, rank, space_id, record_no, score, routes, cited)
select cast(:tenant as bigint), run.query_no, h.rank, cast(:space as bigint), h.record_no, h.score, cast(h.routes as jsonb), h.cited
  from run,
       unnest(cast(:records as bigint[]), cast(:scores as real[]), cast(:routes as text[]), cast(:cited as boolean[]))
       with ordinality h (record_no, score, routes, cited, rank);

-- name: get
-- One query run by its public id. Unique key.
select query_no, query_id, space_id, mode, question, parameters, known_at, statistics, answer, abstain, score, started_at,
       duration_ms, partial, notes, pinned, erased_at
  from muniment.query_run
 where tenant_id = :tenant
   and query_id = cast(:query_id as uuid);

-- name: stages
-- The steps of a run, in order. Primary key.
select stage_no, name, decision, duration_ms, cardinality(records) as listed, detail
  from muniment.query_stage
 where tenant_id = :tenant
   and query_no = cast(:query_no as bigint)
 order by stage_no;

-- name: lists
-- What the steps of a run found or ranked; only that of one step where it is named. Primary key.
select stage_no, name, decision, detail, duration_ms, records, scores
  from muniment.query_stage
 where tenant_id = :tenant
   and query_no = cast(:query_no as bigint)
   and (cast(:stage as integer) is null or stage_no = cast(:stage as integer))
 order by stage_no;

-- name: record_ids
-- The public ids of records. Primary key.
select record_no, record_id
  from muniment.record
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]));

-- name: hits
-- The hits of a run, best first; text is null where the content was erased since. Primary keys.
select h.rank, h.record_no, h.score, h.routes, h.cited, r.record_id, c.text
  from muniment.query_hit h
  join muniment.record r
    on r.tenant_id = :tenant
   and r.record_no = h.record_no
  left join muniment.record_content c
    on c.tenant_id = :tenant
   and c.record_no = h.record_no
 where h.tenant_id = :tenant
   and h.query_no = cast(:query_no as bigint)
 order by h.rank;

-- name: list
-- The latest runs, before a run where one is named: by their ids, which are in the order of time whichever process made them.
-- Unique key, backwards.
select query_no, query_id, mode, question, abstain, score, started_at, duration_ms, parameters, partial
  from muniment.query_run
 where tenant_id = :tenant
   and query_id < cast(:before as uuid)
 order by query_id desc
 limit cast(:limit as integer);

-- name: space
-- The space of exactly this namespace, 0 where there is none. Unique key.
select coalesce((select s.space_id
                   from muniment.space s
                  where s.tenant_id = :tenant
                    and (s.project_id = cast(:project as text) or (cast(:project as text) is null and s.project_id is null))
                    and (s.user_id = cast(:user as text) or (cast(:user as text) is null and s.user_id is null))
                    and (s.agent_id = cast(:agent as text) or (cast(:agent as text) is null and s.agent_id is null))), 0);
