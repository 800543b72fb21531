-- name: expect
-- New records from which a method is to extract facts. Primary key.
insert into muniment.extraction (tenant_id, record_no, method, space_id)
select cast(:tenant as bigint), u.record_no, cast(:method as text), cast(:space as bigint)
  from unnest(cast(:records as bigint[])) u (record_no)
on conflict (tenant_id, record_no, method) do nothing;

-- name: ask_again
-- Records from which a method is to extract facts, also where it has done so or failed. Primary key.
insert into muniment.extraction as e (tenant_id, record_no, method, space_id)
select cast(:tenant as bigint), u.record_no, cast(:method as text), u.space_id
  from unnest(cast(:records as bigint[]), cast(:spaces as bigint[])) u (record_no, space_id)
on conflict (tenant_id, record_no, method) do update
   set state = 'pending', reason = null, attempts = 0, updated_at = clock_timestamp();

-- name: states
-- How the extraction from records stands. Primary key.
select e.record_no, e.state, e.extractor, e.attempts, e.facts
  from muniment.extraction e
 where e.tenant_id = :tenant
   and e.record_no = any (cast(:records as bigint[]))
   and e.method = cast(:method as text);

-- name: finish
-- How the extraction from records ended, or that it was tried and waits. Primary key.
insert into muniment.extraction as e (tenant_id, record_no, method, space_id, state, extractor, facts, reason, attempts)
select cast(:tenant as bigint), u.record_no, cast(:method as text), cast(:space as bigint), u.state, cast(:extractor as text), u.facts,
       cast(:reason as text), 1
  from unnest(cast(:records as bigint[]), cast(:states as text[]), cast(:facts as integer[])) u (record_no, state, facts)
 where (select true from muniment.record_content c where c.tenant_id = :tenant and c.record_no = u.record_no)
on conflict (tenant_id, record_no, method) do update
   set state = excluded.state, extractor = excluded.extractor, facts = excluded.facts, reason = excluded.reason,
       attempts = e.attempts + 1, updated_at = clock_timestamp();

-- name: texts
-- Live records by number with what an extractor reads, in the order of their groups. Primary keys.
select r.record_no, r.space_id, r.group_no, r.position, r.speaker, r.role, r.said_at, r.said_offset, c.text, r.kind, r.modality,
       coalesce(r.language, v.language, 'english') as language
  from unnest(cast(:records as bigint[])) u (record_no)
  join muniment.record r on r.tenant_id = :tenant and r.record_no = u.record_no and r.kind in ('raw', 'correction')
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = u.record_no
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = u.record_no and l.live_to_commit is null
  left join muniment.source_version v on v.tenant_id = :tenant and v.source_no = r.source_no and v.version = r.source_version
 order by r.group_no, r.position, r.record_no;

-- name: pending_in_group
-- The records of a group from a position on from which a method is still to extract, in order. Index record_group_position;
-- primary keys.
select r.record_no, r.position
  from muniment.record r
 where r.tenant_id = :tenant
   and r.group_no = cast(:group_no as bigint)
   and r.position >= cast(:position as integer)
   and (select e.state = 'pending' from muniment.extraction e
         where e.tenant_id = :tenant and e.record_no = r.record_no and e.method = cast(:method as text))
   and (select true from muniment.liveness l
         where l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null limit 1)
 order by r.position, r.record_no
 limit cast(:limit as integer);

-- name: waiting
-- Where those of the records stand from which a method is still to extract, by stretches of so many positions. Primary keys.
select distinct e.method, r.space_id, r.group_no, r.position - r.position % cast(:stretch as integer) as position
  from unnest(cast(:records as bigint[])) u (record_no)
  join muniment.extraction e
    on e.tenant_id = :tenant
   and e.record_no = u.record_no
   and e.state = 'pending'
  join muniment.record r
    on r.tenant_id = :tenant
   and r.record_no = u.record_no
 order by 2, 3, 4, 1;

-- name: count_for_job
-- How what a job was to read counts from now on, of what counts as :was, for a reason where one is given. Primary key of the job; index
-- record_group_position; primary keys.
update muniment.extraction e
   set state = cast(:state as text), reason = cast(:reason as text), updated_at = clock_timestamp()
  from muniment.job j
 cross join lateral (
       select r.record_no
         from muniment.record r
        where r.tenant_id = :tenant
          and r.group_no = cast(j.arguments ->> 'group' as bigint)
          and r.position >= cast(j.arguments ->> 'position' as integer)
       offset 0) r
 where j.tenant_id = :tenant
   and j.job_id = cast(:job as uuid)
   and e.tenant_id = :tenant
   and e.record_no = r.record_no
   and e.method = cast(:method as text)
   and e.state = cast(:was as text)
   and (cast(:because as text) is null or e.reason = cast(:because as text));

-- name: before_in_group
-- The live records of a group right before a position, the nearest first. Index record_group_position; primary key of liveness.
select r.record_no
  from muniment.record r
 where r.tenant_id = :tenant
   and r.group_no = cast(:group_no as bigint)
   and r.position < cast(:position as integer)
   and r.kind in ('raw', 'correction')
   and (select true from muniment.liveness l
         where l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null limit 1)
 order by r.position desc
 limit cast(:limit as integer);

-- name: unextracted
-- Live raw records after one that another extractor of a method ended, and with unseen those that it never saw, failed to read or put
-- off for want of a budget; in order. Primary keys.
select r.record_no, r.space_id, r.group_no, r.position
  from muniment.record r
 where r.tenant_id = :tenant
   and r.record_no > cast(:after as bigint)
   and r.kind in ('raw', 'correction')
   and (select true from muniment.liveness l
         where l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null limit 1)
   and coalesce((select ((e.state = 'failed' or (e.state = 'pending' and e.reason in ('extraction.budget_spent', 'vision.budget_spent')))
                           and cast(:unseen as boolean)) or (e.state in ('facts', 'none') and e.extractor <> cast(:extractor as text))
                   from muniment.extraction e
                  where e.tenant_id = :tenant and e.record_no = r.record_no and e.method = cast(:method as text)), cast(:unseen as boolean))
 order by r.record_no
 limit cast(:limit as integer);

-- name: counts
-- Of the live records of sources, how many are in which state by which method, the facts that live, and why some failed. Indexes
-- record_source; primary keys.
select r.source_no, e.method, e.state, count(*) as records, sum(e.facts)::bigint as facts, e.reason
  from muniment.record r
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null
  join muniment.extraction e on e.tenant_id = :tenant and e.record_no = r.record_no
 where r.tenant_id = :tenant
   and r.source_no = any (cast(:sources as bigint[]))
   and r.kind in ('raw', 'correction')
 group by r.source_no, e.method, e.state, e.reason
 order by r.source_no, e.method, e.state, e.reason;

-- name: insert_call
-- What one window cost, and what came of it. Primary key.
insert into muniment.extraction_call (tenant_id, call_id, space_id, extractor, group_no, records, facts, refused, refusals, requests,
                                      reason, prompt_tokens, completion_tokens, estimated, duration_ms)
values (:tenant, cast(:call_id as uuid), cast(:space as bigint), cast(:extractor as text), cast(:group_no as bigint),
        cast(:records as integer), cast(:facts as integer), cast(:refused as integer), cast(:refusals as jsonb),
        cast(:requests as smallint), cast(:reason as text), cast(:prompt_tokens as bigint), cast(:completion_tokens as bigint), cast(:estimated as boolean),
        cast(:duration_ms as real));

-- name: spent
-- Tokens that models took and wrote for facts since a moment, and in how many calls. Index extraction_call_at.
select coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint as tokens, count(*) as calls
  from muniment.extraction_call
 where tenant_id = :tenant
   and at >= cast(:since as timestamptz)
   and split_part(extractor, ':', 1) <> 'vision';
