-- name: lock_head
-- The end of the log, locked until the transaction ends; last of all locks. The clock is read once the lock is held, and
-- time never goes back. Primary key.
with head as materialized (
  select commits, entries, last_at, peaks from muniment.log_head where tenant_id = :tenant for update
)
select commits, entries, peaks, greatest(last_at, clock_timestamp()) as at from head;

-- name: append
-- One commit: itself, its entries in their order, the perfect subtrees that it completed, its new records' liveness, and
-- the new end of the log, in one trip while the head lock is held. Leaves come in hexadecimal digits. Primary keys.
with new_commit as (
  insert into muniment.log_commit (tenant_id, commit_no, space_id, at, first_entry, entries, root)
  values (:tenant, cast(:commit as bigint), cast(:space as bigint), :at, cast(:first_entry as bigint),
          cast(:entries as integer), :root)
), new_entries as (
  insert into muniment.log_entry (tenant_id, entry_no, commit_no, ordinal, space_id, event, record_no, detail, leaf)
  select :tenant, cast(:first_entry as bigint) + e.n - 1, cast(:commit as bigint), e.n - 1, e.space_id, e.event, e.record_no,
         cast(e.detail as jsonb), decode(e.leaf, 'hex')
    from unnest(cast(:spaces as bigint[]), cast(:events as text[]), cast(:records as bigint[]), cast(:details as text[]),
                cast(:leaves as text[])) with ordinality as e (space_id, event, record_no, detail, leaf, n)
), new_nodes as (
  insert into muniment.tree_node (tenant_id, level, node_no, hash)
  select :tenant, n.level, n.node_no, n.hash
    from unnest(cast(:levels as smallint[]), cast(:nodes as bigint[]), cast(:hashes as bytea[])) as n (level, node_no, hash)
), new_liveness as (
  insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit)
  select :tenant, r.record_no, r.space_id, r.group_no, r.position, cast(:commit as bigint)
    from unnest(cast(:records as bigint[]), cast(:spaces as bigint[]), cast(:groups as bigint[]), cast(:positions as integer[]))
         as r (record_no, space_id, group_no, position)
   where r.group_no is not null
)
update muniment.log_head
   set commits = cast(:commit as bigint), entries = cast(:first_entry as bigint) + cast(:entries as integer), last_at = :at,
       peaks = cast(:peaks as bytea[])
 where tenant_id = :tenant;

-- name: close_records
-- Records that a commit closes, where they are still live. Primary key.
update muniment.liveness
   set live_to_commit = cast(:commit as bigint)
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]))
   and live_to_commit is null;

-- name: close_versions
-- The live records of archived versions of sources. Unique key of the source, record_source, primary key.
update muniment.liveness l
   set live_to_commit = cast(:commit as bigint)
  from unnest(cast(:sources as uuid[]), cast(:versions as integer[])) as a (source_id, version)
  join muniment.source s on s.tenant_id = :tenant and s.source_id = a.source_id
  join muniment.record r on r.tenant_id = :tenant and r.source_no = s.source_no and r.source_version = a.version
 where l.tenant_id = :tenant
   and l.record_no = r.record_no
   and l.live_to_commit is null;

-- name: has_facts
-- Whether any of these records is a fact: records are numbered in blocks, so that their range tells. Primary key.
select exists (select from muniment.fact
                where tenant_id = :tenant
                  and record_no between cast(:first as bigint) and cast(:last as bigint)
                  and record_no = any (cast(:records as bigint[])));

-- name: link_names
-- Which names of these facts mean an entity that is named already. Before the head lock. Cost: the function's.
select l.space_id, l.record_no, r.record_id, l.part, l.of_no, o.record_id as of_id, l.of_part, l.rule, l.similarity
  from muniment.link_names(cast(:tenant as bigint), cast(:records as bigint[]), cast(:threshold as real)) l
 cross join lateral (
       select m.record_id from muniment.record m where m.tenant_id = :tenant and m.record_no = l.record_no offset 0) as r
 cross join lateral (
       select m.record_id from muniment.record m where m.tenant_id = :tenant and m.record_no = l.of_no offset 0) as o;

-- name: apply_aliases
-- Gives logged decisions about names effect; how many keys of claims that made stale. Cost: the function's.
select muniment.apply_aliases(
  cast(:tenant as bigint), cast(:commit as bigint), cast(:decisions as uuid[]), cast(:records as bigint[]), cast(:parts as text[]),
  cast(:of as bigint[]), cast(:of_parts as text[]), cast(:rules as text[]), cast(:similarities as real[]));

-- name: mark_claims
-- Notes the claims that a commit made stale; how many keys. Cost: the function's.
select muniment.mark_commit(
  cast(:tenant as bigint), cast(:commit as bigint), cast(:brought as bigint[]), cast(:closed as bigint[]), cast(:sources as uuid[]),
  cast(:versions as integer[]));
