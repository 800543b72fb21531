-- name: find
-- A source by its key, with the hash of its current content. Unique key; then the primary key of its versions.
select s.source_no, s.source_id, s.kind, g.group_no, v.version, v.content_hash
  from muniment.source s
  left join muniment.source_version v
    on v.tenant_id = :tenant and v.source_no = s.source_no and v.live_to_commit is null
  left join muniment.record_group g
    on g.tenant_id = :tenant and g.space_id = s.space_id and g.group_key = s.source_key and g.source_no = s.source_no
 where s.tenant_id = :tenant
   and s.space_id = cast(:space as bigint)
   and s.source_key = cast(:source_key as text);

-- name: insert
-- A new source; another writer may have been first, and is waited for. Unique key.
insert into muniment.source (tenant_id, source_no, space_id, source_id, source_key, kind)
values (:tenant, cast(:source_no as bigint), cast(:space as bigint), cast(:source_id as uuid), cast(:source_key as text),
        cast(:kind as text))
on conflict (tenant_id, space_id, source_key) do nothing;

-- name: lock
-- The source under this key, until the transaction ends: its writers take turns. Unique key.
select source_no, source_id, kind
  from muniment.source
 where tenant_id = :tenant
   and space_id = cast(:space as bigint)
   and source_key = cast(:source_key as text)
   for no key update;

-- name: newest_version
-- The newest version of a locked source, current or not. Primary key, backwards.
select version, content_hash, live_to_commit
  from muniment.source_version
 where tenant_id = :tenant
   and source_no = cast(:source_no as bigint)
 order by version desc
 limit 1;

-- name: insert_blob
-- The original bytes, once per space. Primary key.
with new as (
  insert into muniment.blob (tenant_id, space_id, sha256, size, content)
  values (:tenant, cast(:space as bigint), :sha256, octet_length(cast(:content as bytea)), :content)
  on conflict (tenant_id, space_id, sha256) do nothing
  returning size
)
insert into muniment.usage_entry (tenant_id, bytes) select :tenant, size from new;

-- name: blob
-- The original bytes. Primary key.
select content from muniment.blob
 where tenant_id = :tenant and space_id = cast(:space as bigint) and sha256 = cast(:sha256 as bytea);

-- name: original
-- The original bytes of a version of a source, of its newest where none is named; null where they are not kept. Unique key;
-- primary keys.
select v.version, v.media_type, v.filename, v.blob_sha256, b.content
  from muniment.source s
  join muniment.source_version v on v.tenant_id = :tenant and v.source_no = s.source_no
  left join muniment.blob b on b.tenant_id = :tenant and b.space_id = v.space_id and b.sha256 = v.blob_sha256
 where s.tenant_id = :tenant
   and s.source_id = cast(:source_id as uuid)
   and v.version = coalesce(cast(:version as integer), v.version)
 order by v.version desc
 limit 1;

-- name: original_of_key
-- The original bytes of the newest version, or the newest before one, of the source that a record of another names by its key.
-- Unique keys; primary keys.
select s.source_id, v.version, v.media_type, v.filename, v.blob_sha256, b.content
  from muniment.record r
  join muniment.source s on s.tenant_id = :tenant and s.space_id = r.space_id and s.source_key = cast(:source_key as text)
  join muniment.source_version v on v.tenant_id = :tenant and v.source_no = s.source_no
  join muniment.blob b on b.tenant_id = :tenant and b.space_id = v.space_id and b.sha256 = v.blob_sha256
 where r.tenant_id = :tenant
   and r.record_id = cast(:record_id as uuid)
   and v.version < coalesce(cast(:before as integer), v.version + 1)
 order by v.version desc
 limit 1;

-- name: insert_version
-- The new current version, and the end of the one before; the source is locked, the commit sealed. Primary key.
with archived as (
  update muniment.source_version
     set live_to_commit = cast(:commit as bigint)
   where tenant_id = :tenant
     and source_no = cast(:source_no as bigint)
     and version = cast(:version as integer) - 1
     and live_to_commit is null
)
insert into muniment.source_version (tenant_id, source_no, version, space_id, content_hash, blob_sha256, media_type, filename,
                                     title, language, bytes, records, live_from_commit, notes)
values (:tenant, cast(:source_no as bigint), cast(:version as integer), cast(:space as bigint), cast(:sha256 as bytea),
        cast(:sha256 as bytea), cast(:media_type as text), cast(:filename as text), cast(:title as text), cast(:language as text),
        cast(:bytes as bigint), cast(:records as integer), cast(:commit as bigint), cast(:notes as text[]));

-- name: link_parts
-- Names the source that others are inside of, where they are inside of none yet. Unique key.
update muniment.source
   set parent_no = cast(:parent as bigint)
 where tenant_id = :tenant
   and space_id = cast(:space as bigint)
   and source_key = any (cast(:keys as text[]))
   and parent_no is null
   and source_no <> cast(:parent as bigint);

-- name: vanished_parts
-- What counts of the sources inside one, but for those with these keys. Index source_parent; primary key.
select s.source_no, s.source_id, s.source_key, v.version
  from muniment.source s
  join muniment.source_version v
    on v.tenant_id = :tenant and v.source_no = s.source_no and v.live_to_commit is null
 where s.tenant_id = :tenant
   and s.parent_no = cast(:parent as bigint)
   and s.source_key <> all (cast(:keys as text[]))
 order by s.source_no;

-- name: grow_conversation
-- The only version of a conversation, with what a batch added to it. Primary key.
insert into muniment.source_version as v (tenant_id, source_no, version, space_id, media_type, bytes, records, live_from_commit)
values (:tenant, cast(:source_no as bigint), 1, cast(:space as bigint), cast(:media_type as text), cast(:bytes as bigint),
        cast(:records as integer), cast(:commit as bigint))
on conflict (tenant_id, source_no, version) do update
   set bytes = v.bytes + excluded.bytes, records = v.records + excluded.records;

-- name: list
-- Sources of the visible spaces, newest first, each space by its own index range. Index source_space.
select found.source_no
  from unnest(cast(:spaces as bigint[])) as visible (space_id)
 cross join lateral (
       select s.source_no
         from muniment.source s
        where s.tenant_id = :tenant
          and s.space_id = visible.space_id
          and s.source_no < cast(:before as bigint)
        order by s.source_no desc
        limit cast(:limit as integer)) as found
 order by found.source_no desc
 limit cast(:limit as integer);

-- name: number
-- The number of a source by its public id. Unique key.
select source_no from muniment.source where tenant_id = :tenant and source_id = cast(:source_id as uuid);

-- name: read
-- Sources by number, newest first, with how many of their live records have a vector of the newest model. Primary keys;
-- record_source, embedding_pending_record.
select s.source_no, s.source_id, s.source_key, s.kind, s.created_at, p.project_id, p.user_id, p.agent_id, a.source_id as parent_id,
       (select count(*)
          from muniment.record r
          join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no
         where r.tenant_id = :tenant and r.source_no = s.source_no and r.kind <> 'fact' and l.live_to_commit is null) as records,
       (select count(*)
          from muniment.record r
          join muniment.liveness l on l.tenant_id = :tenant and l.record_no = r.record_no
         where r.tenant_id = :tenant and r.source_no = s.source_no and r.kind <> 'fact' and l.live_to_commit is null
           and exists (select from muniment.embedding m where m.tenant_id = :tenant and m.record_no = r.record_no)) as embedded
  from muniment.source s
  join muniment.space p on p.tenant_id = :tenant and p.space_id = s.space_id
  left join muniment.source a on a.tenant_id = :tenant and a.source_no = s.parent_no
 where s.tenant_id = :tenant
   and s.source_no = any (cast(:sources as bigint[]))
 order by s.source_no desc;

-- name: versions
-- The versions of sources, newest first. Primary key.
select source_no, version, content_hash, media_type, filename, title, bytes, records, live_from_commit, live_to_commit, notes
  from muniment.source_version
 where tenant_id = :tenant
   and source_no = any (cast(:sources as bigint[]))
 order by source_no, version desc;
