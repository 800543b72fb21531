-- name: image
-- The image of a group whose description is pending: its first live record, its version and the original, which is null where it
-- is not kept. Index record_group_position; primary keys.
select r.record_no, r.space_id, r.source_no, r.source_version, r.session_id, r.said_at, r.said_offset, r.locator, c.fields,
       c.payload, v.media_type, v.filename, coalesce(v.language, 'english') as language, b.content
  from muniment.record r
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = r.record_no
  join muniment.source_version v on v.tenant_id = :tenant and v.source_no = r.source_no and v.version = r.source_version
  left join muniment.blob b on b.tenant_id = :tenant and b.space_id = v.space_id and b.sha256 = v.blob_sha256
 where r.tenant_id = :tenant
   and r.group_no = cast(:group_no as bigint)
   and r.kind = 'raw'
   and (select e.state = 'pending' from muniment.extraction e
         where e.tenant_id = :tenant and e.record_no = r.record_no and e.method = 'vision')
   and (select l.live_to_commit is null from muniment.liveness l where l.tenant_id = :tenant and l.record_no = r.record_no)
 order by r.position, r.record_no
 limit 1;

-- name: bases
-- The live records of an image by itself, in their order, with how many characters each has: a description rests on them. Index
-- record_group_position; primary keys.
select r.record_no, r.locator, length(c.text) as length
  from muniment.record r
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = r.record_no
 where r.tenant_id = :tenant
   and r.group_no = cast(:group_no as bigint)
   and r.kind = 'raw'
   and (select l.live_to_commit is null from muniment.liveness l where l.tenant_id = :tenant and l.record_no = r.record_no)
 order by r.position, r.record_no
 limit cast(:limit as integer);

-- name: standing
-- The live descriptions that rest on records. Index evidence_basis; primary keys.
select r.record_no, r.record_id, r.space_id
  from (select distinct v.record_no
          from muniment.evidence v
         where v.tenant_id = :tenant
           and v.basis_no = any (cast(:records as bigint[]))) d
  join muniment.record r on r.tenant_id = :tenant and r.record_no = d.record_no and r.kind = 'description'
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = d.record_no and l.live_to_commit is null
 order by r.record_no;

-- name: undescribed
-- The first records of current images after a source that were never described, could not be, or were by another describer; in
-- order. Primary key of the versions; index record_source; primary keys.
select r.record_no, r.space_id, r.group_no, v.source_no
  from muniment.source_version v
 cross join lateral (
       select m.record_no, m.space_id, m.group_no, m.modality
         from muniment.record m
        where m.tenant_id = :tenant
          and m.source_no = v.source_no
          and m.source_version = v.version
          and m.kind = 'raw'
          and (select l.live_to_commit is null from muniment.liveness l where l.tenant_id = :tenant and l.record_no = m.record_no)
        order by m.position
        limit 1) r
 where v.tenant_id = :tenant
   and v.source_no > cast(:after as bigint)
   and v.live_to_commit is null
   and r.modality = 'image'
   and coalesce((select e.state = 'failed' or (e.state = 'facts' and e.extractor <> cast(:describer as text))
                   from muniment.extraction e
                  where e.tenant_id = :tenant and e.record_no = r.record_no and e.method = 'vision'), true)
 order by v.source_no
 limit cast(:limit as integer);

-- name: spent
-- Tokens that descriptions took since a moment, and in how many calls. Index extraction_call_at.
select coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint as tokens, count(*) as calls
  from muniment.extraction_call
 where tenant_id = :tenant
   and at >= cast(:since as timestamptz)
   and split_part(extractor, ':', 1) = 'vision';
