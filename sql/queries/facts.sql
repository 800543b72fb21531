-- name: share_group
-- The group of the evidence: nothing is added to it or replaced in it until the transaction ends. Primary key.
select g.group_key, g.source_no, s.source_id, p.project_id, p.user_id, p.agent_id
  from muniment.record_group g
  join muniment.source s on s.tenant_id = :tenant and s.source_no = g.source_no
  join muniment.space p on p.tenant_id = :tenant and p.space_id = g.space_id
 where g.tenant_id = :tenant
   and g.group_no = cast(:group_no as bigint)
   for share of g;

-- name: bases
-- Live records of one group with what facts about them need, in their order. Primary keys.
select r.record_no, r.record_id, r.space_id, r.source_version, r.modality, r.said_at, c.text
  from unnest(cast(:records as bigint[])) u (record_no)
  join muniment.record r on r.tenant_id = :tenant and r.record_no = u.record_no and r.group_no = cast(:group_no as bigint)
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = u.record_no
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = u.record_no and l.live_to_commit is null
 order by r.position, r.record_no;

-- name: types_of_names
-- The types under which a space knows names, as names are compared. Primary key of the names.
select n.name, array_agg(e.entity_type order by e.entity_type) as types
  from unnest(cast(:names as text[])) n (name)
  join muniment.entity e
    on e.tenant_id = :tenant
   and e.space_id = cast(:space as bigint)
   and e.entity_type = any (array['person', 'organization', 'place', 'product', 'event', 'thing'])
   and e.name = muniment.name_key(n.name)
 group by n.name;

-- name: known
-- The live facts of a method that rest on records, with all that they rest on. Index evidence_basis; primary keys.
select f.record_no, r.record_id, r.space_id, f.subject, f.relation, f.object, f.negated, f.kind, f.event_from, f.event_to, f.extractor,
       array(select distinct v.basis_no from muniment.evidence v where v.tenant_id = :tenant and v.record_no = f.record_no) as bases
  from (select distinct v.record_no
          from muniment.evidence v
         where v.tenant_id = :tenant
           and v.basis_no = any (cast(:records as bigint[]))) e
  join muniment.fact f on f.tenant_id = :tenant and f.record_no = e.record_no and split_part(f.extractor, ':', 1) = cast(:method as text)
  join muniment.record r on r.tenant_id = :tenant and r.record_no = e.record_no
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = e.record_no and l.live_to_commit is null
 order by f.record_no;

-- name: insert
-- Facts as records of the log: spine, content and what each says. Primary keys. Bytes come in hexadecimal digits.
with new as materialized (
  select *
    from unnest(cast(:record_nos as bigint[]), cast(:record_ids as uuid[]), cast(:positions as integer[]), cast(:locators as text[]),
                cast(:commitments as text[]), cast(:salts as text[]), cast(:texts as text[]), cast(:fields as text[]),
                cast(:froms as timestamptz[]), cast(:tos as timestamptz[]), cast(:said_ats as timestamptz[]),
                cast(:modalities as text[]))
         as n (record_no, record_id, position, locator, commitment, salt, text, fields, event_from, event_to, said_at, modality)
), spine as (
  insert into muniment.record (tenant_id, record_no, space_id, record_id, kind, modality, source_no, source_version, group_no,
                               position, event_from, event_to, locator, commitment)
  select cast(:tenant as bigint), n.record_no, cast(:space as bigint), n.record_id, 'fact', n.modality, cast(:source_no as bigint),
         cast(:source_version as integer), cast(:group_no as bigint), n.position, n.event_from, n.event_to, cast(n.locator as jsonb),
         decode(n.commitment, 'hex')
    from new n
), content as (
  insert into muniment.record_content (tenant_id, record_no, space_id, salt, text, fields)
  select cast(:tenant as bigint), n.record_no, cast(:space as bigint), decode(n.salt, 'hex'), n.text, cast(n.fields as jsonb)
    from new n
), counted as (
  insert into muniment.usage_entry (tenant_id, records, bytes)
  select cast(:tenant as bigint), count(*), coalesce(sum(octet_length(n.text)), 0) from new n
)
insert into muniment.fact (tenant_id, record_no, space_id, subject, subject_type, relation, object, object_type, negated, kind,
                           confidence, event_from, event_to, said_at, extractor)
select cast(:tenant as bigint), n.record_no, cast(:space as bigint), f.subject, f.subject_type, f.relation, f.object, f.object_type,
       f.negated, f.kind, f.confidence, n.event_from, n.event_to, n.said_at, f.extractor
  from new n
 cross join lateral jsonb_to_record(cast(n.fields as jsonb))
       as f (subject text, subject_type text, relation text, object text, object_type text, negated boolean, kind text,
             confidence real, extractor text);

-- name: insert_evidence
-- What facts rest on. Primary key.
insert into muniment.evidence (tenant_id, record_no, basis_no, space_id, span_start, span_end)
select cast(:tenant as bigint), e.record_no, e.basis_no, cast(:space as bigint), e.span_start, e.span_end
  from unnest(cast(:records as bigint[]), cast(:bases as bigint[]), cast(:starts as integer[]), cast(:ends as integer[]))
       as e (record_no, basis_no, span_start, span_end)
on conflict do nothing;

-- name: not_live
-- Those of some records that do not count any more. Primary key.
select u.record_no
  from unnest(cast(:records as bigint[])) u (record_no)
  left join muniment.liveness l on l.tenant_id = :tenant and l.record_no = u.record_no
 where l.record_no is null or l.live_to_commit is not null;

-- name: resting
-- The live facts and descriptions of whose bases none but the given are live: what closes with these. Index evidence_basis; primary keys.
select r.record_no, r.record_id, r.space_id, r.kind
  from (select distinct v.record_no
          from muniment.evidence v
         where v.tenant_id = :tenant
           and v.basis_no = any (cast(:records as bigint[]))) d
  join muniment.record r on r.tenant_id = :tenant and r.record_no = d.record_no and r.kind in ('fact', 'description')
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = d.record_no and l.live_to_commit is null
 where not exists (
         select from muniment.evidence v
           join muniment.liveness b on b.tenant_id = :tenant and b.record_no = v.basis_no and b.live_to_commit is null
          where v.tenant_id = :tenant
            and v.record_no = d.record_no
            and v.basis_no <> all (cast(:records as bigint[])))
 order by r.record_no;
