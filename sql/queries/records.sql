-- name: insert
-- Spines with their contents. Primary keys. Bytes come in hexadecimal digits: the driver takes long to write arrays of bytes.
with new as materialized (
  select *
    from unnest(cast(:record_nos as bigint[]), cast(:record_ids as uuid[]), cast(:kinds as text[]), cast(:modalities as text[]),
                cast(:positions as integer[]), cast(:sessions as text[]), cast(:speakers as text[]), cast(:roles as text[]), cast(:said_ats as timestamptz[]),
                cast(:said_offsets as smallint[]), cast(:locators as text[]), cast(:commitments as text[]),
                cast(:salts as text[]), cast(:texts as text[]), cast(:fields as text[]), cast(:payloads as text[]), cast(:languages as text[]))
         as n (record_no, record_id, kind, modality, position, session_id, speaker, role, said_at, said_offset, locator, commitment,
               salt, text, fields, payload, language)
), spine as (
  insert into muniment.record (tenant_id, record_no, space_id, record_id, kind, modality, source_no, source_version, group_no,
                               position, session_id, speaker, role, said_at, said_offset, locator, commitment, language)
  select cast(:tenant as bigint), n.record_no, cast(:space as bigint), n.record_id, n.kind, n.modality, cast(:source_no as bigint),
         cast(:source_version as integer), cast(:group_no as bigint), n.position, n.session_id, n.speaker, n.role, n.said_at,
         n.said_offset, cast(n.locator as jsonb), decode(n.commitment, 'hex'), n.language
    from new n
), counted as (
  insert into muniment.usage_entry (tenant_id, records, bytes)
  select cast(:tenant as bigint), count(*), coalesce(sum(octet_length(n.text)), 0) from new n
)
insert into muniment.record_content (tenant_id, record_no, space_id, salt, text, fields, payload)
select cast(:tenant as bigint), n.record_no, cast(:space as bigint), decode(n.salt, 'hex'), n.text, cast(n.fields as jsonb), cast(n.payload as jsonb)
  from new n;

-- name: insert_metadata
-- What records can be filtered by. Primary key.
insert into muniment.record_metadata (tenant_id, space_id, key, value, record_no)
select cast(:tenant as bigint), cast(:space as bigint), m.key, m.value, m.record_no
  from unnest(cast(:keys as text[]), cast(:values as text[]), cast(:records as bigint[])) as m (key, value, record_no);

-- name: insert_entities
-- The names in records. Primary key.
insert into muniment.record_entity (tenant_id, entity, space_id, record_no)
select cast(:tenant as bigint), e.entity, cast(:space as bigint), e.record_no
  from unnest(cast(:entities as text[]), cast(:records as bigint[])) as e (entity, record_no);

-- name: index
-- Into the tail of the lexical index, by the dictionaries of a language (null: the records' own). Primary keys.
select muniment.index_records(cast(:tenant as bigint), cast(:records as bigint[]), cast(:language as text));

-- name: tail_size
-- How many writes the tail of a space holds, and how many documents: each write's row of bucket 0. Prefix of the primary key.
select count(*) as writes, cast(coalesce(sum(documents), 0) as bigint) as documents
  from muniment.posting_tail
 where tenant_id = :tenant
   and bucket = 0
   and space_id = cast(:space as bigint);

-- name: list
-- Records of the visible spaces in the order of the log, each space by its own index range. Index log_entry_space.
select found.entry_no, found.record_no
  from unnest(cast(:spaces as bigint[])) as visible (space_id)
 cross join lateral (
       select e.entry_no, e.record_no
         from muniment.log_entry e
         join muniment.liveness l on l.tenant_id = :tenant and l.record_no = e.record_no and not l.reopened
        where e.tenant_id = :tenant
          and e.space_id = visible.space_id
          and e.event = 'record'
          and e.entry_no > cast(:after as bigint)
          and (cast(:closed as boolean) or l.live_to_commit is null)
          and (select r.kind from muniment.record r where r.tenant_id = :tenant and r.record_no = e.record_no)
              = any (cast(:kinds as text[]))
        order by e.entry_no
        limit cast(:limit as integer)) as found
 order by found.entry_no
 limit cast(:limit as integer);

-- name: list_group
-- The records of groups in the order of the log. Indexes record_group_position, log_entry_record; sorts the group.
select e.entry_no, r.record_no
  from muniment.record_group g
 cross join lateral (
       select m.record_no
         from muniment.record m
        where m.tenant_id = :tenant and m.group_no = g.group_no and m.kind = any (cast(:kinds as text[]))
       offset 0) as r
 cross join lateral (
       select m.entry_no
         from muniment.log_entry m
        where m.tenant_id = :tenant and m.record_no = r.record_no and m.event = 'record'
       offset 0) as e
 where g.tenant_id = :tenant
   and g.space_id = any (cast(:spaces as bigint[]))
   and g.group_key = cast(:group_key as text)
   and (cast(:source_id as uuid) is null
        or g.source_no = (select s.source_no from muniment.source s where s.tenant_id = :tenant and s.source_id = cast(:source_id as uuid)))
   and e.entry_no > cast(:after as bigint)
   and (cast(:closed as boolean)
        or exists (select from muniment.liveness l
                    where l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null offset 0))
 order by e.entry_no
 limit cast(:limit as integer);

-- name: list_source
-- The records of a source in the order of the log. Indexes record_source, log_entry_record; sorts the source.
select e.entry_no, r.record_no
  from muniment.source s
 cross join lateral (
       select m.record_no
         from muniment.record m
        where m.tenant_id = :tenant and m.source_no = s.source_no and m.kind = any (cast(:kinds as text[]))
       offset 0) as r
 cross join lateral (
       select m.entry_no
         from muniment.log_entry m
        where m.tenant_id = :tenant and m.record_no = r.record_no and m.event = 'record'
       offset 0) as e
 where s.tenant_id = :tenant
   and s.source_id = cast(:source_id as uuid)
   and s.space_id = any (cast(:spaces as bigint[]))
   and e.entry_no > cast(:after as bigint)
   and (cast(:closed as boolean)
        or exists (select from muniment.liveness l
                    where l.tenant_id = :tenant and l.record_no = r.record_no and l.live_to_commit is null offset 0))
 order by e.entry_no
 limit cast(:limit as integer);

-- name: number
-- The number of a record by its public id. Unique key.
select record_no from muniment.record where tenant_id = :tenant and record_id = cast(:record_id as uuid);

-- name: read
-- Records by number, in the order of the numbers given, with all that a reader sees. Primary keys and log_entry_record, one
-- after the other for each record by itself.
select r.record_id, r.kind, r.modality, p.project_id, p.user_id, p.agent_id, s.source_id, s.source_key, r.source_version,
       g.group_key, r.position, r.session_id, r.speaker, r.role, r.said_at, r.said_offset, r.locator, c.text, c.fields, c.payload,
       e.commit_no, e.at as committed_at, l.live_to_commit,
       array(select distinct (select b.record_id from muniment.record b where b.tenant_id = :tenant and b.record_no = v.basis_no)
               from muniment.evidence v
              where v.tenant_id = :tenant and v.record_no = asked.record_no) as rests_on
  from unnest(cast(:records as bigint[])) with ordinality as asked (record_no, place)
 cross join lateral (
       select * from muniment.record m where m.tenant_id = :tenant and m.record_no = asked.record_no offset 0) as r
 cross join lateral (
       select * from muniment.space m where m.tenant_id = :tenant and m.space_id = r.space_id offset 0) as p
 cross join lateral (
       select * from muniment.source m where m.tenant_id = :tenant and m.source_no = r.source_no offset 0) as s
 cross join lateral (
       select * from muniment.record_group m where m.tenant_id = :tenant and m.group_no = r.group_no offset 0) as g
 cross join lateral (
       select m.commit_no, (select k.at from muniment.log_commit k where k.tenant_id = :tenant and k.commit_no = m.commit_no) as at
         from muniment.log_entry m
        where m.tenant_id = :tenant and m.record_no = asked.record_no and m.event = 'record'
       offset 0) as e
  left join lateral (
       select * from muniment.liveness m
        where m.tenant_id = :tenant and m.record_no = asked.record_no and not m.reopened offset 0) as l on true
  left join lateral (
       select * from muniment.record_content m where m.tenant_id = :tenant and m.record_no = asked.record_no offset 0) as c on true
 order by asked.place;

-- name: neighbours
-- The texts right before and after a record in its group, by how far they are from it. Unique key; record_group_position.
select r.position - o.position as distance, c.text
  from muniment.record o
  join muniment.record r
    on r.tenant_id = :tenant and r.group_no = o.group_no and r.position between o.position - 1 and o.position + 1
   and r.kind = 'raw' and r.record_no <> o.record_no
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = r.record_no
 where o.tenant_id = :tenant
   and o.record_id = cast(:record_id as uuid)
 order by distance;
