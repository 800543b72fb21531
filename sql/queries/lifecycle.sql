-- name: targets
-- Records by their public ids, in the order asked for, with all that closing or correcting them needs. Unique key; primary keys.
select r.record_no, r.record_id, r.space_id, r.kind, r.modality, r.source_no, r.source_version, r.group_no, r.position, r.session_id,
       r.speaker, r.role, coalesce(r.said_at, f.said_at) as said_at,
       case when r.said_at is null and f.said_at is not null then 0 else r.said_offset end as said_offset, s.source_id, s.kind as source_kind, g.group_key, p.project_id, p.user_id, p.agent_id,
       l.live_to_commit, c.text, coalesce(r.language, v.language, 'english') as language
  from unnest(cast(:record_ids as uuid[])) with ordinality as asked (record_id, n)
  join muniment.record r on r.tenant_id = :tenant and r.record_id = asked.record_id
  join muniment.source s on s.tenant_id = :tenant and s.source_no = r.source_no
  join muniment.record_group g on g.tenant_id = :tenant and g.group_no = r.group_no
  join muniment.space p on p.tenant_id = :tenant and p.space_id = r.space_id
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no and not l.reopened
  left join muniment.record_content c on c.tenant_id = :tenant and c.record_no = r.record_no
  left join muniment.fact f on f.tenant_id = :tenant and f.record_no = r.record_no
  left join muniment.source_version v on v.tenant_id = :tenant and v.source_no = r.source_no and v.version = r.source_version
 order by asked.n;

-- name: lock_sources
-- Sources, until the transaction ends, in the order of their numbers. Primary key.
select source_no, source_id, kind, space_id
  from muniment.source
 where tenant_id = :tenant
   and source_no = any (cast(:sources as bigint[]))
 order by source_no
   for no key update;

-- name: lock_groups
-- Groups, until the transaction ends: no fact about their records is written meanwhile. Primary key.
select group_no
  from muniment.record_group
 where tenant_id = :tenant
   and group_no = any (cast(:groups as bigint[]))
 order by group_no
   for no key update;

-- name: source_records
-- The live records that a source brought, with their groups. Index record_source; primary key.
select r.record_no, r.record_id, r.space_id, r.group_no
  from muniment.record r
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null
 where r.tenant_id = :tenant
   and r.source_no = cast(:source_no as bigint)
   and r.kind <> 'fact'
 order by r.record_no;

-- name: source_groups
-- The groups of a source. Index record_source.
select distinct r.group_no
  from muniment.record r
 where r.tenant_id = :tenant
   and r.source_no = cast(:source_no as bigint);

-- name: current_version
-- The current version of a document. Primary key.
select v.version
  from muniment.source_version v
  join muniment.source s on s.tenant_id = :tenant and s.source_no = v.source_no and s.kind <> 'conversation'
 where v.tenant_id = :tenant
   and v.source_no = cast(:source_no as bigint)
   and v.live_to_commit is null;

-- name: end_version
-- The end of a version, or that it has none again. Primary key.
update muniment.source_version
   set live_to_commit = cast(:commit as bigint)
 where tenant_id = :tenant
   and source_no = cast(:source_no as bigint)
   and version = cast(:version as integer);

-- name: recount
-- How many messages of conversations count now. Index record_source; primary key.
update muniment.source_version v
   set records = (select count(*)
                    from muniment.record r
                    join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null
                   where r.tenant_id = :tenant and r.source_no = v.source_no and r.source_version = v.version and r.kind <> 'fact')
  from muniment.source s
 where v.tenant_id = :tenant
   and v.source_no = any (cast(:sources as bigint[]))
   and s.tenant_id = :tenant
   and s.source_no = v.source_no
   and s.kind = 'conversation';

-- name: event_of_record
-- The latest commit in which an event befell a record. Index log_entry_record.
select e.commit_no, e.detail
  from muniment.log_entry e
 where e.tenant_id = :tenant
   and e.record_no = cast(:record as bigint)
   and e.event = cast(:event as text)
 order by e.entry_no desc
 limit 1;

-- name: event_of_source
-- The latest retraction of a source. Index log_entry_lifecycle.
select e.commit_no, e.detail
  from muniment.log_entry e
 where e.tenant_id = :tenant
   and e.event = 'retract'
   and e.detail ->> 'source' = cast(:source as text)
 order by e.entry_no desc
 limit 1;

-- name: commit_entries
-- The entries of a commit. Unique key.
select e.event, e.record_no, r.record_id, e.space_id, e.detail, r.source_no, r.group_no, r.kind
  from muniment.log_entry e
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = e.record_no
 where e.tenant_id = :tenant
   and e.commit_no = cast(:commit as bigint)
 order by e.ordinal;

-- name: commit_at
-- When a commit was. Primary key.
select at from muniment.log_commit where tenant_id = :tenant and commit_no = cast(:commit as bigint);

-- name: undone
-- The commit that undid a commit. Index log_entry_lifecycle.
select e.commit_no
  from muniment.log_entry e
 where e.tenant_id = :tenant
   and e.event = 'undo'
   and e.detail @> jsonb_build_object('commit', cast(:commit as bigint))
 limit 1;

-- name: reopen
-- Begins another stretch of records where the log now says that they count again. Reads all entries.
with opened as materialized (
  select o.record_no, o.space_id, o.group_no, o.position, o.live_from_commit, o.live_to_commit, o.reopened
    from muniment.liveness_of_log(cast(:tenant as bigint)) o
   where o.record_no = any (cast(:records as bigint[]))
     and o.live_from_commit = cast(:commit as bigint)
), before as (
  update muniment.liveness l
     set reopened = true
    from opened o
   where l.tenant_id = :tenant
     and l.record_no = o.record_no
     and not l.reopened
  returning l.record_no
)
insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit, live_to_commit, reopened)
select :tenant, o.record_no, o.space_id, o.group_no, o.position, o.live_from_commit, o.live_to_commit, o.reopened
  from opened o
  join before b on b.record_no = o.record_no;

-- name: has_content
-- How many of records still have content. Primary key.
select count(*) from muniment.record_content where tenant_id = :tenant and record_no = any (cast(:records as bigint[]));

-- name: source_number
-- A source by its public id. Unique key.
select source_no, source_id, space_id, kind from muniment.source where tenant_id = :tenant and source_id = cast(:source_id as uuid);

-- name: in_place
-- All records that stood in the place of a record, the first first: it, what replaced it, its corrections. Index record_group_position.
select m.record_no
  from muniment.record r
  join muniment.record m on m.tenant_id = :tenant and m.group_no = r.group_no and m.position = r.position
 where r.tenant_id = :tenant
   and r.record_id = cast(:record_id as uuid)
 order by m.record_no;

-- name: history
-- The entries about records, with those of the whole sources and the undoings that concern them, in order. Indexes log_entry_record and
-- log_entry_lifecycle; unique key of the commit.
with own as materialized (
  select e.entry_no, e.commit_no from muniment.log_entry e
   where e.tenant_id = :tenant
     and e.record_no = any (cast(:records as bigint[]))
), chosen as (
  select o.entry_no from own o
  union
  select e.entry_no
    from own o
    join muniment.log_entry e
      on e.tenant_id = :tenant and e.commit_no = o.commit_no and e.record_no is null and e.event in ('retract', 'undo')
  union
  select e.entry_no
    from muniment.log_entry e
   where e.tenant_id = :tenant
     and e.event = 'undo'
     and (e.detail ->> 'commit')::bigint in (select o.commit_no from own o)
  union
  select e.entry_no
    from muniment.liveness l
    join muniment.record r on r.tenant_id = :tenant and r.record_no = l.record_no
    join muniment.source s on s.tenant_id = :tenant and s.source_no = r.source_no
    join muniment.log_entry e on e.tenant_id = :tenant and e.commit_no = l.live_to_commit and e.event = 'version'
   where l.tenant_id = :tenant
     and l.record_no = any (cast(:records as bigint[]))
     and e.detail ->> 'source' = 's_' || replace(s.source_id::text, '-', '')
     and e.detail ->> 'archived' = r.source_version::text
)
select e.commit_no, k.at, e.event, r.record_id, e.detail
  from chosen c
  join muniment.log_entry e on e.tenant_id = :tenant and e.entry_no = c.entry_no
  join muniment.log_commit k on k.tenant_id = :tenant and k.commit_no = e.commit_no
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = e.record_no
 order by e.entry_no;
