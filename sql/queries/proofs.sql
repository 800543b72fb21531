-- name: leaves
-- Leaves by ranges of their indices [first, last). Primary key.
select e.entry_no, e.leaf
  from unnest(cast(:firsts as bigint[]), cast(:lasts as bigint[])) as wanted (first, last)
  join muniment.log_entry e
    on e.tenant_id = :tenant and e.entry_no >= wanted.first and e.entry_no < wanted.last;

-- name: nodes
-- Stored subtrees by ranges of their numbers [first, last) in a level. Primary key.
select n.level, n.node_no, n.hash
  from unnest(cast(:levels as smallint[]), cast(:firsts as bigint[]), cast(:lasts as bigint[])) as wanted (level, first, last)
  join muniment.tree_node n
    on n.tenant_id = :tenant and n.level = wanted.level and n.node_no >= wanted.first and n.node_no < wanted.last;

-- name: head
-- The end of the log. Primary key.
select h.commits, h.entries, h.last_at, h.peaks, t.public_id
  from muniment.log_head h
  join muniment_auth.tenant t on t.tenant_id = :tenant
 where h.tenant_id = :tenant;

-- name: checkpoints
-- Signed checkpoints, smallest first. Primary key.
select entries, root, note from muniment.checkpoint where tenant_id = :tenant order by entries;

-- name: newest_checkpoint
-- The signed checkpoint of the largest tree. Primary key, backwards.
select entries, root, note from muniment.checkpoint where tenant_id = :tenant order by entries desc limit 1;

-- name: insert_checkpoint
-- Another process may have signed the same tree. Primary key.
insert into muniment.checkpoint (tenant_id, entries, root, note)
values (:tenant, cast(:entries as bigint), :root, :note)
on conflict (tenant_id, entries) do nothing;

-- name: record_entry
-- The entry that brought a record, with the record's content. Unique key of the record; log_entry_record; primary keys.
select e.entry_no, e.commit_no, e.ordinal, e.event, e.detail, e.leaf, k.at, r.record_no, c.salt, t.spine_digest
  from muniment.record r
  join muniment.log_entry e on e.tenant_id = :tenant and e.record_no = r.record_no and e.event = 'record'
  join muniment.log_commit k on k.tenant_id = :tenant and k.commit_no = e.commit_no
  left join muniment.record_content c on c.tenant_id = :tenant and c.record_no = r.record_no
  left join muniment.tombstone t on t.tenant_id = :tenant and t.record_no = r.record_no
 where r.tenant_id = :tenant
   and r.record_id = cast(:record_id as uuid)
 order by e.entry_no
 limit 1;

-- name: spines
-- The spines of records by their public names. Primary keys.
select r.record_no, r.record_id, r.kind, r.modality, p.project_id, p.user_id, p.agent_id, s.source_id, r.source_version,
       g.group_key, r.position, r.session_id, r.speaker, r.role, r.said_at, r.said_offset, r.event_from, r.event_to,
       r.locator, r.trust, r.commitment
  from muniment.record r
  join muniment.space p on p.tenant_id = :tenant and p.space_id = r.space_id
  join muniment.source s on s.tenant_id = :tenant and s.source_no = r.source_no
  join muniment.record_group g on g.tenant_id = :tenant and g.group_no = r.group_no
 where r.tenant_id = :tenant
   and r.record_no = any (cast(:records as bigint[]));
