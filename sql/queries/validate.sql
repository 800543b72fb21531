-- name: sizes
-- How many things each check looks at. Reads each table's range of the tenant once.
select (select count(*) from muniment.log_commit where tenant_id = :tenant) as commits,
       (select count(*) from muniment.log_commit where tenant_id = :tenant) as commit_times,
       (select count(*) from muniment.record where tenant_id = :tenant) as records,
       (select count(*) from muniment.evidence where tenant_id = :tenant) as evidence,
       (select count(*) from muniment.fact where tenant_id = :tenant) as facts,
       (select count(*) from muniment.source_version where tenant_id = :tenant) as source_versions,
       (select count(*) from muniment.blob where tenant_id = :tenant) as blobs,
       (select count(*) from muniment.message_key where tenant_id = :tenant) as message_keys,
       (select count(*) from muniment.record_group where tenant_id = :tenant) as positions,
       (select count(*) from muniment.record_metadata where tenant_id = :tenant) as metadata,
       (select count(*) from muniment.liveness where tenant_id = :tenant) as liveness,
       (select count(*) from muniment.posting_tail where tenant_id = :tenant)
         + (select count(*) from muniment.posting_block where tenant_id = :tenant) as statistics,
       (select count(*) from muniment.embedding where tenant_id = :tenant) as embeddings,
       (select count(*) from muniment.embedding_pending where tenant_id = :tenant) as embedding_pending;

-- name: join_by_hash
-- For the statements that read whole tables: those that a load has just filled have no statistics, and a planner that takes
-- them for empty would compare each row with each.
select set_config('enable_nestloop', 'off', true);

-- name: tree_nodes
-- How many nodes are stored. Primary key.
select count(*) from muniment.tree_node where tenant_id = :tenant;

-- name: commits
-- Commits that do not follow the one before: their number, their entries, their time. Primary key.
select o.commit_no, o.previous_no, o.commit_no is distinct from o.previous_no + 1 as number_wrong,
       o.first_entry is distinct from o.expected_entry as entry_wrong, o.at < o.previous_at as time_wrong
  from (select k.commit_no, k.at, k.first_entry,
               lag(k.commit_no, 1, 0::bigint) over w as previous_no,
               lag(k.first_entry + k.entries, 1, 0::bigint) over w as expected_entry,
               lag(k.at) over w as previous_at
          from muniment.log_commit k
         where k.tenant_id = :tenant
        window w as (order by k.commit_no)) o
 where o.commit_no is distinct from o.previous_no + 1
    or o.first_entry is distinct from o.expected_entry
    or o.at < o.previous_at
 order by o.commit_no
 limit cast(:limit as integer);

-- name: last_commit
-- Primary key, backwards.
select commit_no, at, first_entry + entries as end_entry
  from muniment.log_commit
 where tenant_id = :tenant
 order by commit_no desc
 limit 1;

-- name: entries
-- The entries after one, with all that their leaves are made of; as many as hold :bytes of content, and at least one. The
-- texts' lengths are known without reading them. Primary keys.
select e.entry_no, e.commit_no, e.ordinal, e.space_id, e.event, e.record_no, e.detail, e.leaf,
       k.at, k.first_entry, k.entries, k.root,
       r.record_id, r.space_id as record_space, r.kind, r.modality, p.project_id, p.user_id, p.agent_id, s.source_id, r.source_version,
       g.group_key, r.position, r.session_id, r.speaker, r.role, r.said_at, r.said_offset, r.event_from, r.event_to, r.locator,
       r.trust, r.commitment,
       c.space_id as content_space, c.salt, c.text, c.fields, c.payload,
       c.record_no is null and r.record_no is not null
         and exists (select from muniment.log_entry x where x.tenant_id = :tenant and x.record_no = r.record_no and x.event = 'erase')
         as erased,
       t.spine_digest
  from (select n.entry_no, n.commit_no, n.ordinal, n.space_id, n.event, n.record_no, n.detail, n.leaf,
               sum(coalesce(octet_length(t.text), 0)) over (order by n.entry_no rows between unbounded preceding and 1 preceding) as before
          from (select * from muniment.log_entry
                 where tenant_id = :tenant and entry_no > cast(:after as bigint)
                 order by entry_no
                 limit cast(:limit as integer)) n
          left join muniment.record_content t on t.tenant_id = :tenant and t.record_no = n.record_no and n.event = 'record') e
  left join muniment.log_commit k on k.tenant_id = :tenant and k.commit_no = e.commit_no
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = e.record_no
  left join muniment.space p on p.tenant_id = :tenant and p.space_id = r.space_id
  left join muniment.source s on s.tenant_id = :tenant and s.source_no = r.source_no
  left join muniment.record_group g on g.tenant_id = :tenant and g.group_no = r.group_no
  left join muniment.record_content c on c.tenant_id = :tenant and c.record_no = e.record_no and e.event = 'record'
  left join muniment.tombstone t on t.tenant_id = :tenant and t.record_no = e.record_no and e.event = 'record'
 where coalesce(e.before, 0) < cast(:bytes as bigint)
 order by e.entry_no;

-- name: unlogged_records
-- Records that no entry of the log brought, or more than one. Index log_entry_record.
select r.record_id, count(e.entry_no) as entries
  from muniment.record r
  left join muniment.log_entry e on e.tenant_id = :tenant and e.record_no = r.record_no and e.event = 'record'
 where r.tenant_id = :tenant
 group by r.record_no, r.record_id
having count(e.entry_no) <> 1
 order by r.record_id
 limit cast(:limit as integer);

-- name: orphan_contents
-- Contents of no record. Primary keys.
select c.record_no
  from muniment.record_content c
 where c.tenant_id = :tenant
   and not exists (select from muniment.record r where r.tenant_id = :tenant and r.record_no = c.record_no)
   and not exists (select from muniment.log_entry e where e.tenant_id = :tenant and e.record_no = c.record_no)
 limit cast(:limit as integer);

-- name: evidence
-- Derivations that lack an end or name characters that are not there. Primary keys.
select r.record_id, b.record_id as basis_id, v.span_start, v.span_end, length(c.text) as length
  from muniment.evidence v
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = v.record_no
  left join muniment.record b on b.tenant_id = :tenant and b.record_no = v.basis_no
  left join muniment.record_content c on c.tenant_id = :tenant and c.record_no = v.basis_no
 where v.tenant_id = :tenant
   and (r.record_no is null or b.record_no is null or c.record_no is null or v.space_id <> r.space_id
        or v.span_end > length(c.text)
        or not exists (select from muniment.record_content o where o.tenant_id = :tenant and o.record_no = v.record_no))
 limit cast(:limit as integer);

-- name: facts
-- Facts that say other than their content, rest on nothing, or are not there; corrections need rest on nothing. Reads every fact.
select r.record_id, f.record_no is null as missing,
       r.kind = 'fact' and not exists (select from muniment.evidence v where v.tenant_id = :tenant and v.record_no = r.record_no) as baseless
  from muniment.record r
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = r.record_no
  left join muniment.fact f on f.tenant_id = :tenant and f.record_no = r.record_no
 where r.tenant_id = :tenant
   and r.kind = 'fact'
   and (f.record_no is null
        or (f.subject, f.subject_type, f.relation, f.object, f.object_type, f.negated::text, f.kind, f.extractor)
           is distinct from (c.fields ->> 'subject', c.fields ->> 'subject_type', c.fields ->> 'relation', c.fields ->> 'object',
                             c.fields ->> 'object_type', c.fields ->> 'negated', c.fields ->> 'kind', c.fields ->> 'extractor')
        or f.confidence is distinct from (c.fields ->> 'confidence')::real
        or (f.event_from, f.event_to, f.space_id) is distinct from (r.event_from, r.event_to, r.space_id)
        or not exists (select from muniment.evidence v where v.tenant_id = :tenant and v.record_no = r.record_no))
 limit cast(:limit as integer);

-- name: version_order
-- Versions out of order: a gap, an older one that is current, an end that is not the next one's beginning. Primary key.
select s.source_id, o.version
  from (select v.source_no, v.version, v.live_from_commit, v.live_to_commit,
               lag(v.version, 1, 0) over w as previous,
               lead(v.live_from_commit) over w as next_from
          from muniment.source_version v
         where v.tenant_id = :tenant
        window w as (partition by v.source_no order by v.version)) o
  left join muniment.source s on s.tenant_id = :tenant and s.source_no = o.source_no
 where s.source_no is null
    or o.version <> o.previous + 1
    or o.live_to_commit <= o.live_from_commit
    or (o.next_from is not null and (o.live_to_commit is null or o.live_to_commit > o.next_from))
 limit cast(:limit as integer);

-- name: version_records
-- Versions that do not have the records or the original that they say. Index record_source; primary keys. A conversation counts
-- its live messages; an export, which has no records of its own, loses its original with one of the messages that it brought.
select s.source_id, v.version, v.records, n.records as found, v.content_hash is distinct from v.blob_sha256 as hash_wrong,
       v.blob_sha256 is not null and b.sha256 is null as blob_missing, v.bytes, b.size
  from muniment.source_version v
  join muniment.source s on s.tenant_id = :tenant and s.source_no = v.source_no
 cross join lateral (
       select count(*) as records
         from muniment.record r
         join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no and not l.reopened
        where r.tenant_id = :tenant and r.source_no = v.source_no and r.source_version = v.version 
          and case when s.kind = 'conversation' then r.kind <> 'fact' and l.live_to_commit is null else r.kind = 'raw' end) n
  left join muniment.blob b on b.tenant_id = :tenant and b.space_id = v.space_id and b.sha256 = v.blob_sha256
 where v.tenant_id = :tenant
   and (v.records <> n.records or v.content_hash is distinct from v.blob_sha256 or v.space_id <> s.space_id
        or (s.kind <> 'conversation' and (b.sha256 is null or b.size <> v.bytes)
            and not (v.content_hash is null and (exists (
                  select from muniment.record r
                    join muniment.tombstone t on t.tenant_id = :tenant and t.record_no = r.record_no
                   where r.tenant_id = :tenant and r.source_no = v.source_no and r.source_version = v.version)
                  or (v.records = 0
                      and (s.source_key = 'erased ' || s.source_id
                           or exists (select from muniment.tombstone t where t.tenant_id = :tenant and t.space_id = v.space_id)))))))
 limit cast(:limit as integer);

-- name: version_entries
-- Versions that the log does not know, or knows otherwise. Unique key of the source; reads the entries of versions.
with said as materialized (
  select e.commit_no, e.detail ->> 'source' as source,
         case when e.event = 'version' and e.detail ->> 'version' ~ '^[0-9]{1,9}$' then (e.detail ->> 'version')::integer end as version,
         case when e.detail ->> case e.event when 'version' then 'archived' else 'version' end ~ '^[0-9]{1,9}$'
              then (e.detail ->> case e.event when 'version' then 'archived' else 'version' end)::integer end as archived
    from muniment.log_entry e
   where e.tenant_id = :tenant
     and (e.event = 'version'
          or (e.event = 'retract'
              and not exists (select from muniment.log_entry u
                               where u.tenant_id = :tenant and u.event = 'undo' and u.detail ->> 'commit' = e.commit_no::text)))
), held as materialized (
  select 's_' || replace(s.source_id::text, '-', '') as source, v.version, v.live_from_commit, v.live_to_commit
    from muniment.source_version v
    join muniment.source s on s.tenant_id = :tenant and s.source_no = v.source_no
   where v.tenant_id = :tenant
)
select coalesce(h.source, n.source) as source, coalesce(h.version, n.version) as version
  from said n
  full join held h on h.source = n.source and h.version = n.version
 where (n.version is not null or n.source is null) and n.commit_no is distinct from h.live_from_commit
    or h.live_to_commit is distinct from
       (select min(a.commit_no) from said a where a.source = h.source and a.archived = h.version)
 limit cast(:limit as integer);

-- name: blobs
-- Originals that are not what their address says. Reads every original.
select encode(b.sha256, 'hex') as sha256, b.size, octet_length(b.content) as found
  from muniment.blob b
 where b.tenant_id = :tenant
   and (b.sha256 <> sha256(b.content) or b.size <> octet_length(b.content))
 limit cast(:limit as integer);

-- name: message_keys
-- Keys of messages that lead to no record, to one of another group, id or position, or to one that no longer counts. Primary keys.
select k.key, g.group_key, r.record_id
  from muniment.message_key k
  left join muniment.record_group g on g.tenant_id = :tenant and g.group_no = k.group_no
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = k.record_no
  left join muniment.liveness l on l.tenant_id = :tenant and l.record_no = k.record_no and not l.reopened
 where k.tenant_id = :tenant
   and (r.record_no is null or g.group_no is null or r.group_no <> k.group_no or k.space_id <> g.space_id
        or (l.live_to_commit is not null
            and not exists (select from muniment.log_entry e
                             where e.tenant_id = :tenant and e.commit_no = l.live_to_commit
                               and e.event in ('correct', 'forget', 'retract', 'erase')))
        or (k.key like 'p:%' and k.key <> 'p:' || r.position)
        or (k.key like 'i:%' and k.key <> 'i:' || coalesce(r.locator ->> 'message_id', substr(k.key, 3))))
 limit cast(:limit as integer);

-- name: unkeyed_messages
-- Live messages that do not stand under their position or their id. Index liveness_group; primary keys.
select r.record_id, g.group_key
  from muniment.source s
  join muniment.record_group g on g.tenant_id = :tenant and g.source_no = s.source_no
  join muniment.record r on r.tenant_id = :tenant and r.group_no = g.group_no and r.kind = 'raw'
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null
 where s.tenant_id = :tenant
   and s.kind = 'conversation'
   and (not exists (select from muniment.message_key k
                     where k.tenant_id = :tenant and k.group_no = r.group_no and k.key = 'p:' || r.position and k.record_no = r.record_no)
        or (r.locator ->> 'message_id' is not null
            and not exists (select from muniment.message_key k
                             where k.tenant_id = :tenant and k.group_no = r.group_no and k.key = 'i:' || (r.locator ->> 'message_id')
                               and k.record_no = r.record_no)))
 limit cast(:limit as integer);

-- name: positions
-- Groups with two live records in one place, or that would give out a place that is taken. Index liveness_group.
select g.group_key, l.position, count(*) as records
  from muniment.record_group g
  join muniment.source s on s.tenant_id = :tenant and s.source_no = g.source_no
  join muniment.liveness l on l.tenant_id = :tenant and l.group_no = g.group_no and l.live_to_commit is null
 where g.tenant_id = :tenant
 group by g.group_no, g.group_key, g.next_position, s.kind, l.position
having count(*) > 1 or (s.kind = 'conversation' and l.position >= g.next_position)
 limit cast(:limit as integer);
