-- name: begin
-- The tenant's place in the log, where it has none yet. Primary key.
insert into muniment.summary_progress (tenant_id) values (cast(:tenant as bigint)) on conflict (tenant_id) do nothing;

-- name: follow
-- Notes what some commits after the tenant's place make stale, and moves the place on; how far it is behind then. Cost: the function's.
with place as materialized (
  select p.through_commit, least(p.through_commit + cast(:commits as bigint), h.commits) as upto, h.commits
    from muniment.summary_progress p
    join muniment.log_head h on h.tenant_id = :tenant
   where p.tenant_id = :tenant
     for update of p
), marked as materialized (
  select muniment.mark_summaries(cast(:tenant as bigint), p.through_commit, p.upto) as groups
    from place p
   where p.upto > p.through_commit
), moved as (
  update muniment.summary_progress m
     set through_commit = p.upto
    from place p
   where m.tenant_id = :tenant
     and (select coalesce(sum(d.groups), 0) from marked d) >= 0
)
select p.commits - p.upto as behind from place p;

-- name: mark
-- Notes as stale the groups of records whose vectors came. Where a group is being compiled it waits for that, which would take its note
-- away. Primary keys.
insert into muniment.summary_due as d (tenant_id, space_id, group_no, commit_no)
select cast(:tenant as bigint), min(r.space_id), r.group_no, 0
  from unnest(cast(:records as bigint[])) u (record_no)
  join muniment.record r on r.tenant_id = :tenant and r.record_no = u.record_no and r.kind <> 'fact'
 group by r.group_no
 order by r.group_no
on conflict (tenant_id, group_no) do update set commit_no = excluded.commit_no;

-- name: due
-- Groups to be compiled, after one. Primary key.
select group_no from muniment.summary_due
 where tenant_id = :tenant and group_no > cast(:after as bigint) order by group_no limit cast(:limit as integer);

-- name: lock_due
-- That a group is still due, locked against others that compile it. Primary key.
select true from muniment.summary_due where tenant_id = :tenant and group_no = cast(:group_no as bigint) for update;

-- name: lock_group
-- The group: nothing is added to it, replaced or closed in it until the transaction ends. Primary key.
select group_no from muniment.record_group where tenant_id = :tenant and group_no = cast(:group_no as bigint) for share;

-- name: done
-- A group is compiled. Primary key.
delete from muniment.summary_due where tenant_id = :tenant and group_no = cast(:group_no as bigint);

-- name: digest
-- What the summaries of a group rest on as a digest, and the last commit that changed it. Cost: the function's.
select d.inputs, d.through_commit
  from muniment.summary_digest(cast(:tenant as bigint), cast(:group_no as bigint), cast(:most as integer)) d;

-- name: turns
-- The live records of a group in their order with their texts. Cost: the function's; primary keys.
select i.record_no, i.space_id, r.position, r.speaker, r.role, r.modality, r.said_at, r.said_offset, c.text,
       coalesce(r.language, v.language, 'english') as language
  from muniment.summary_inputs(cast(:tenant as bigint), cast(:group_no as bigint), cast(:most as integer)) i
 cross join lateral (
       select * from muniment.record m where m.tenant_id = :tenant and m.record_no = i.record_no offset 0) r
 cross join lateral (
       select m.text from muniment.record_content m where m.tenant_id = :tenant and m.record_no = i.record_no offset 0) c
  left join lateral (
       select m.language
         from muniment.source_version m
        where m.tenant_id = :tenant and m.source_no = r.source_no and m.version = r.source_version
       offset 0) v on true
 order by r.position, i.record_no;

-- name: facts
-- The live facts that rest on records of a group, each with the first of them. Cost: the function's; primary keys.
select distinct on (f.record_no) f.record_no, i.record_no as basis_no, f.subject, f.relation, f.object, f.negated, f.kind, c.text,
       f.event_from, f.event_to, v.span_start, v.span_end
  from muniment.summary_inputs(cast(:tenant as bigint), cast(:group_no as bigint), cast(:most as integer)) i
 cross join unnest(i.facts) as n (record_no)
 cross join lateral (
       select * from muniment.fact m where m.tenant_id = :tenant and m.record_no = n.record_no offset 0) f
 cross join lateral (
       select m.text from muniment.record_content m where m.tenant_id = :tenant and m.record_no = n.record_no offset 0) c
 cross join lateral (
       select m.span_start, m.span_end
         from muniment.evidence m
        where m.tenant_id = :tenant and m.record_no = n.record_no and m.basis_no = i.record_no
       offset 0) v
 order by f.record_no, i.record_no, v.span_start;

-- name: vectors
-- The vectors of records. Index embedding_record.
select m.record_no, m.vector::text as vector
  from muniment.embedding m
 where m.tenant_id = :tenant
   and m.record_no = any (cast(:records as bigint[]))
   and m.model_no = cast(:model as integer);

-- name: current
-- The summaries of a group that count now. Index summary_group.
select s.summary_no, s.kind, s.part, s.title, s.text, s.phrasings, s.detail, s.records, s.inputs, s.form, s.live_from_commit
  from muniment.summary s
 where s.tenant_id = :tenant
   and s.group_no = cast(:group_no as bigint)
   and s.live_to_commit is null
 order by s.kind, s.part;

-- name: delete_current
-- The summaries of a group that count now, to be made again. Index summary_group.
delete from muniment.summary where tenant_id = :tenant and group_no = cast(:group_no as bigint) and live_to_commit is null;

-- name: close
-- Ends versions at a commit. Primary key.
update muniment.summary
   set live_to_commit = greatest(cast(:commit as bigint), live_from_commit)
 where tenant_id = :tenant
   and summary_no = any (cast(:summaries as bigint[]));

-- name: confirm
-- Versions that say the same after what they rest on has changed. Primary key.
update muniment.summary s
   set inputs = cast(:inputs as text), through_commit = cast(:commit as bigint), first_at = u.first_at, last_at = u.last_at
  from unnest(cast(:summaries as bigint[]), cast(:firsts as timestamptz[]), cast(:lasts as timestamptz[]))
       as u (summary_no, first_at, last_at)
 where s.tenant_id = :tenant
   and s.summary_no = u.summary_no;

-- name: insert
-- A new version, with its terms. Primary keys.
with new as (
  insert into muniment.summary (tenant_id, summary_no, summary_id, space_id, kind, group_no, entity_key, part, live_from_commit,
                                through_commit, title, text, phrasings, detail, records, first_at, last_at, inputs, form)
  values (cast(:tenant as bigint), cast(:summary_no as bigint), cast(:summary_id as uuid), cast(:space as bigint), cast(:kind as text),
          cast(:group_no as bigint), cast(:entity_key as text), cast(:part as integer), cast(:commit as bigint), cast(:commit as bigint),
          cast(:title as text), cast(:text as text), cast(:phrasings as text[]), cast(:detail as jsonb), cast(:records as bigint[]),
          cast(:first_at as timestamptz), cast(:last_at as timestamptz), cast(:inputs as text), cast(:form as text))
), term as materialized (
  select muniment.term_hash(t.term) as hash, sum(t.occurrences) as tf, sum(sum(t.occurrences)) over () as length
    from muniment.tokenize(concat_ws(E'\n', cast(:title as text), cast(:text as text), array_to_string(cast(:phrasings as text[]), E'\n')),
                           cast(:language as text)) t
   group by 1
)
insert into muniment.summary_posting (tenant_id, kind, hash, space_id, summary_no, tf, length)
select cast(:tenant as bigint), cast(:kind as text), t.hash, cast(:space as bigint), cast(:summary_no as bigint), least(t.tf, 32767),
       least(t.length, 2000000000)
  from term t;

-- name: insert_vector
-- The vector of a version. Primary key.
insert into muniment.summary_vector (tenant_id, kind, model_no, space_id, summary_no, vector)
values (cast(:tenant as bigint), cast(:kind as text), cast(:model as integer), cast(:space as bigint), cast(:summary_no as bigint),
        cast(:vector as public.halfvec))
on conflict do nothing;

-- name: insert_call
-- What asking a model for a summary came to. Primary key.
insert into muniment.summary_call (tenant_id, call_id, space_id, kind, form, requests, refused, reason, prompt_tokens,
                                   completion_tokens, estimated, duration_ms)
values (cast(:tenant as bigint), cast(:call_id as uuid), cast(:space as bigint), cast(:kind as text), cast(:form as text),
        cast(:requests as smallint), cast(:refused as integer), cast(:reason as text), cast(:prompt_tokens as bigint),
        cast(:completion_tokens as bigint), cast(:estimated as boolean), cast(:duration_ms as real));

-- name: forget_progress
-- The log is to be read from its beginning again. Primary key.
update muniment.summary_progress set through_commit = 0 where tenant_id = :tenant;

-- name: undue_groups
-- Groups with records other than facts whose summaries should be up to date, after one. Primary keys; index liveness_group.
select g.group_no, g.group_key
  from muniment.record_group g
 where g.tenant_id = :tenant
   and g.group_no > cast(:after as bigint)
   and not exists (select from muniment.summary_due d where d.tenant_id = :tenant and d.group_no = g.group_no)
   and exists (select from muniment.liveness l
                 join muniment.record r on r.tenant_id = :tenant and r.record_no = l.record_no and r.kind <> 'fact'
                where l.tenant_id = :tenant
                  and l.group_no = g.group_no)
 order by g.group_no
 limit cast(:limit as integer);

-- name: behind
-- By how many commits the reading of the log is behind; null where it never began. Primary keys.
select h.commits - p.through_commit
  from muniment.summary_progress p
  join muniment.log_head h on h.tenant_id = :tenant
 where p.tenant_id = :tenant;

-- name: head
-- The last commit. Primary key.
select commits from muniment.log_head where tenant_id = :tenant;

-- name: place
-- Where a summary stands in lists. Unique key.
select summary_no from muniment.summary where tenant_id = :tenant and summary_id = cast(:summary_id as uuid);

-- name: list
-- Summaries of a kind that counted at a commit, after one, with their records' ids. Index summary_place; primary keys; what makes them
-- stale by liveness_group, fact_subject_key and fact_object_key.
select s.summary_id, s.kind, s.title, s.text, s.phrasings, s.detail, s.records, s.first_at, s.last_at, s.form, s.live_from_commit,
       s.live_to_commit, p.project_id, p.user_id, p.agent_id, g.group_key, n.numbers, n.ids,
       case when s.kind = 'profile'
            then exists (select from muniment.fact_side f
                          cross join lateral (
                                select m.live_from_commit, m.live_to_commit
                                  from muniment.liveness m where m.tenant_id = :tenant and m.record_no = f.record_no offset 0) l
                          where f.tenant_id = :tenant and f.space_id = s.space_id and f.entity_key = s.entity_key
                            and greatest(l.live_from_commit, l.live_to_commit) > s.through_commit)
            else (select true from muniment.summary_due d where d.tenant_id = :tenant and d.group_no = s.group_no limit 1) is not null
                 or exists (select from muniment.liveness l
                             where l.tenant_id = :tenant and l.group_no = s.group_no
                               and greatest(l.live_from_commit, l.live_to_commit) > s.through_commit)
       end as stale
  from (
  select m.*
    from unnest(cast(:spaces as bigint[])) v (space_id)
   cross join lateral (
         select o.*
           from muniment.summary o
          where o.tenant_id = :tenant
            and o.space_id = v.space_id
            and o.kind = cast(:kind as text)
            and o.summary_no > cast(:after as bigint)
            and o.live_from_commit <= cast(:known_at as bigint)
            and (o.live_to_commit is null or o.live_to_commit > cast(:known_at as bigint))
          order by o.summary_no
          limit cast(:limit as integer)) m
   order by m.summary_no
   limit cast(:limit as integer)) s
 cross join lateral (
       select m.project_id, m.user_id, m.agent_id from muniment.space m where m.tenant_id = :tenant and m.space_id = s.space_id offset 0) p
  left join lateral (
       select m.group_key from muniment.record_group m where m.tenant_id = :tenant and m.group_no = s.group_no offset 0) g on true
 cross join lateral (
       select coalesce(array_agg(m.record_no), '{}') as numbers, coalesce(array_agg(m.record_id), '{}') as ids
         from muniment.record m where m.tenant_id = :tenant and m.record_no = any (s.records)) n
 order by s.summary_no
 limit cast(:limit as integer);

-- name: list_group
-- The same of one group. Unique key of groups; index summary_group.
select s.summary_id, s.kind, s.title, s.text, s.phrasings, s.detail, s.records, s.first_at, s.last_at, s.form, s.live_from_commit,
       s.live_to_commit, p.project_id, p.user_id, p.agent_id, g.group_key, n.numbers, n.ids,
       case when s.kind = 'profile'
            then exists (select from muniment.fact_side f
                          cross join lateral (
                                select m.live_from_commit, m.live_to_commit
                                  from muniment.liveness m where m.tenant_id = :tenant and m.record_no = f.record_no offset 0) l
                          where f.tenant_id = :tenant and f.space_id = s.space_id and f.entity_key = s.entity_key
                            and greatest(l.live_from_commit, l.live_to_commit) > s.through_commit)
            else (select true from muniment.summary_due d where d.tenant_id = :tenant and d.group_no = s.group_no limit 1) is not null
                 or exists (select from muniment.liveness l
                             where l.tenant_id = :tenant and l.group_no = s.group_no
                               and greatest(l.live_from_commit, l.live_to_commit) > s.through_commit)
       end as stale
  from unnest(cast(:spaces as bigint[])) v (space_id)
 cross join lateral (
       select m.group_no from muniment.record_group m
        where m.tenant_id = :tenant and m.space_id = v.space_id and m.group_key = cast(:group_key as text) offset 0) k
 cross join lateral (
       select m.*
         from muniment.summary m
        where m.tenant_id = :tenant
          and m.group_no = k.group_no
          and m.kind = cast(:kind as text)
          and m.summary_no > cast(:after as bigint)
          and m.live_from_commit <= cast(:known_at as bigint)
          and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
       offset 0) s
 cross join lateral (
       select m.project_id, m.user_id, m.agent_id from muniment.space m where m.tenant_id = :tenant and m.space_id = s.space_id offset 0) p
  left join lateral (
       select m.group_key from muniment.record_group m where m.tenant_id = :tenant and m.group_no = s.group_no offset 0) g on true
 cross join lateral (
       select coalesce(array_agg(m.record_no), '{}') as numbers, coalesce(array_agg(m.record_id), '{}') as ids
         from muniment.record m where m.tenant_id = :tenant and m.record_no = any (s.records)) n
 order by s.summary_no
 limit cast(:limit as integer);

-- name: list_entity
-- The same of one entity, by its name. Index summary_entity.
select s.summary_id, s.kind, s.title, s.text, s.phrasings, s.detail, s.records, s.first_at, s.last_at, s.form, s.live_from_commit,
       s.live_to_commit, p.project_id, p.user_id, p.agent_id, g.group_key, n.numbers, n.ids,
       case when s.kind = 'profile'
            then exists (select from muniment.fact_side f
                          cross join lateral (
                                select m.live_from_commit, m.live_to_commit
                                  from muniment.liveness m where m.tenant_id = :tenant and m.record_no = f.record_no offset 0) l
                          where f.tenant_id = :tenant and f.space_id = s.space_id and f.entity_key = s.entity_key
                            and greatest(l.live_from_commit, l.live_to_commit) > s.through_commit)
            else (select true from muniment.summary_due d where d.tenant_id = :tenant and d.group_no = s.group_no limit 1) is not null
                 or exists (select from muniment.liveness l
                             where l.tenant_id = :tenant and l.group_no = s.group_no
                               and greatest(l.live_from_commit, l.live_to_commit) > s.through_commit)
       end as stale
  from unnest(cast(:spaces as bigint[])) v (space_id)
 cross join lateral (
       select m.*
         from muniment.summary m
        where m.tenant_id = :tenant
          and m.space_id = v.space_id
          and m.entity_key = muniment.name_key(cast(:name as text))
          and m.kind = 'profile'
          and m.kind = cast(:kind as text)
          and m.summary_no > cast(:after as bigint)
          and m.live_from_commit <= cast(:known_at as bigint)
          and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
       offset 0) s
 cross join lateral (
       select m.project_id, m.user_id, m.agent_id from muniment.space m where m.tenant_id = :tenant and m.space_id = s.space_id offset 0) p
  left join lateral (
       select m.group_key from muniment.record_group m where m.tenant_id = :tenant and m.group_no = s.group_no offset 0) g on true
 cross join lateral (
       select coalesce(array_agg(m.record_no), '{}') as numbers, coalesce(array_agg(m.record_id), '{}') as ids
         from muniment.record m where m.tenant_id = :tenant and m.record_no = any (s.records)) n
 order by s.summary_no
 limit cast(:limit as integer);

-- name: search
-- The summaries of a kind that fit a question best. Cost: the function's.
select f.summary_no, f.score
  from muniment.search_summaries(cast(:tenant as bigint), cast(:kind as text), cast(:spaces as bigint[]), cast(:terms as text[]),
                                 cast(:weights as double precision[]), cast(:model as integer), cast(:vector as public.halfvec),
                                 cast(:cosine as double precision), cast(:known_at as bigint), cast(:limit as integer),
                                 cast(:cap as integer), cast(:exact as integer)) f;
