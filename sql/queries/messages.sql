-- name: insert_group
-- A new group; another writer may have been first, and is waited for. Unique key.
insert into muniment.record_group (tenant_id, group_no, space_id, group_key, source_no, session_id)
values (:tenant, cast(:group_no as bigint), cast(:space as bigint), cast(:group_key as text), cast(:source_no as bigint),
        cast(:session as text))
on conflict (tenant_id, space_id, group_key) do nothing;

-- name: lock_group
-- The group under this key, until the transaction ends: positions are given out under it. Unique key.
select group_no, source_no, next_position
  from muniment.record_group
 where tenant_id = :tenant
   and space_id = cast(:space as bigint)
   and group_key = cast(:group_key as text)
   for no key update;

-- name: known
-- What stands under the keys of messages, and whether it has the same content. An erased content counts as the same: a
-- client that sends it again does not bring it back. Primary keys, one after the other whatever the planner thinks of the
-- tables: a plan made while they were empty is used while the first large batch fills them.
select k.n - 1 as n, x.record_no, r.record_id, r.position, r.message_id,
       coalesce(c.text = k.text and c.payload = cast(k.payload as jsonb), true)
       and r.speaker is not distinct from k.speaker and r.role is not distinct from k.role
       and r.said_at is not distinct from k.said_at and r.said_offset is not distinct from k.said_offset as same
  from unnest(cast(:keys as text[]), cast(:texts as text[]), cast(:payloads as text[]), cast(:speakers as text[]),
              cast(:roles as text[]), cast(:said_ats as timestamptz[]), cast(:said_offsets as smallint[]))
       with ordinality as k (key, text, payload, speaker, role, said_at, said_offset, n)
 cross join lateral (
       select m.record_no
         from muniment.message_key m
        where m.tenant_id = :tenant and m.group_no = cast(:group_no as bigint) and m.key = k.key
       offset 0) as x
 cross join lateral (
       select m.record_id, m.position, m.locator ->> 'message_id' as message_id, m.speaker, m.role, m.said_at, m.said_offset
         from muniment.record m
        where m.tenant_id = :tenant and m.record_no = x.record_no
       offset 0) as r
  left join lateral (
       select m.text, m.payload
         from muniment.record_content m
        where m.tenant_id = :tenant and m.record_no = x.record_no
       offset 0) as c on true;

-- name: put_keys
-- Which record now stands under a key. Primary key.
insert into muniment.message_key (tenant_id, group_no, key, space_id, record_no)
select cast(:tenant as bigint), cast(:group_no as bigint), k.key, cast(:space as bigint), k.record_no
  from unnest(cast(:keys as text[]), cast(:records as bigint[])) as k (key, record_no)
on conflict (tenant_id, group_no, key) do update set record_no = excluded.record_no;

-- name: advance
-- The position that the next appended message takes; the group is locked. Primary key.
update muniment.record_group
   set next_position = cast(:next_position as integer)
 where tenant_id = :tenant
   and group_no = cast(:group_no as bigint);
