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

-- name: held
-- What live facts say of subjects, by names as they are compared, relations by the names that the registry has for them; told is the last
-- record that says so, and one place in a group where that stands. Indexes fact_subject_key and fact_object_key; primary keys.
select n.name as subject, coalesce(m.relation, f.relation) as relation, f.object, f.negated, t.told, t.basis_no, t.span_start, t.span_end
  from unnest(cast(:names as text[])) n (name)
 cross join lateral (
       select f.record_no, f.relation, f.object, f.negated, false as swapped
         from muniment.fact f
        where f.tenant_id = :tenant
          and f.space_id = cast(:space as bigint)
          and f.subject_key = muniment.name_key(n.name)
          and f.kind <> 'intention'
       union all
       select f.record_no, f.relation, f.subject, f.negated, true
         from muniment.fact f
        where f.tenant_id = :tenant
          and f.space_id = cast(:space as bigint)
          and f.object_key = muniment.name_key(n.name)
          and f.kind <> 'intention') f
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = f.record_no and l.live_to_commit is null
  left join lateral (
       select r.relation
         from muniment.relation_names(cast(:tenant as bigint)) r
        where r.name = f.relation
          and r.swapped = f.swapped
          and r.live_to_commit is null
        limit 1) m on true
 cross join lateral (
       select max(e.basis_no) as told, max(e.basis_no) filter (where b.record_no is not null) as basis_no,
              (array_agg(e.span_start order by e.basis_no desc, e.span_start) filter (where b.record_no is not null))[1] as span_start,
              (array_agg(e.span_end order by e.basis_no desc, e.span_start) filter (where b.record_no is not null))[1] as span_end
         from muniment.evidence e
         left join muniment.record b on b.tenant_id = :tenant and b.record_no = e.basis_no and b.group_no = cast(:group_no as bigint)
        where e.tenant_id = :tenant
          and e.record_no = f.record_no) t
 where (not f.swapped or m.relation is not null)
   and t.told is not null
 order by t.told, f.record_no;

-- name: namesakes
-- Those of some names, which the space knows by no type yet, that facts have. Indexes fact_subject_key and fact_object_key.
select n.name
  from unnest(cast(:names as text[])) n (name)
 where exists (select from muniment.fact f
                where f.tenant_id = :tenant and f.space_id = cast(:space as bigint) and f.subject_key = muniment.name_key(n.name))
    or exists (select from muniment.fact f
                where f.tenant_id = :tenant and f.space_id = cast(:space as bigint) and f.object_key = muniment.name_key(n.name));

-- name: untyped
-- Live facts of extractors that have, without a type, a name which some facts have with one: what they say and rest on, at most 500.
-- Primary keys; indexes fact_subject_key and fact_object_key.
with told as materialized (
  select distinct f.space_id, x.name
    from muniment.fact f
   cross join lateral (values (f.subject_key, f.subject_type), (f.object_key, f.object_type)) x (name, entity_type)
   where f.tenant_id = :tenant
     and f.record_no = any (cast(:records as bigint[]))
     and x.entity_type not in ('unknown', 'time', 'quantity')
), alike as materialized (
  select f.record_no, f.subject_type as entity_type
    from told t
    join muniment.fact f on f.tenant_id = :tenant and f.space_id = t.space_id and f.subject_key = t.name
  union all
  select f.record_no, f.object_type
    from told t
    join muniment.fact f on f.tenant_id = :tenant and f.space_id = t.space_id and f.object_key = t.name
)
select f.record_no, r.record_id, f.space_id, f.subject, f.subject_type, f.relation, f.object, f.object_type, f.negated, f.kind, f.confidence,
       f.event_from, f.event_to, f.extractor, c.text, e.group_no, e.bases, e.starts, e.ends
  from (select distinct a.record_no from alike a where a.entity_type = 'unknown') a
  join muniment.fact f on f.tenant_id = :tenant and f.record_no = a.record_no and f.extractor <> 'person'
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = a.record_no and l.live_to_commit is null
  join muniment.record r on r.tenant_id = :tenant and r.record_no = a.record_no and r.kind = 'fact'
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = a.record_no
 cross join lateral (
       select min(b.group_no) as group_no, array_agg(v.basis_no order by v.basis_no, v.span_start) as bases,
              array_agg(v.span_start order by v.basis_no, v.span_start) as starts,
              array_agg(v.span_end order by v.basis_no, v.span_start) as ends
         from muniment.evidence v
         join muniment.record b on b.tenant_id = :tenant and b.record_no = v.basis_no
        where v.tenant_id = :tenant
          and v.record_no = a.record_no) e
 where e.group_no is not null
 order by e.group_no, f.extractor, f.record_no
 limit 500;

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
  left join muniment.liveness l on l.tenant_id = :tenant and l.record_no = u.record_no and not l.reopened
 where l.record_no is null or l.live_to_commit is not null;

-- name: told_with
-- What rules took from the given records together with others that count, for facts that are live: the words in these others, with who says
-- them. Index evidence_basis; primary keys.
select f.record_no, r.record_id, f.space_id, f.subject, f.object, f.negated, o.basis_no, b.space_id as basis_space,
       coalesce(b.speaker, b.role) as said_by, substr(c.text, o.span_start + 1, o.span_end - o.span_start) as words
  from (select distinct v.record_no
          from muniment.evidence v
         where v.tenant_id = :tenant
           and v.basis_no = any (cast(:records as bigint[]))) d
  join muniment.fact f on f.tenant_id = :tenant and f.record_no = d.record_no and split_part(f.extractor, ':', 1) = 'rules'
  join muniment.record r on r.tenant_id = :tenant and r.record_no = d.record_no and r.kind = 'fact'
  join muniment.liveness l on l.tenant_id = :tenant and l.record_no = d.record_no and l.live_to_commit is null
  join muniment.evidence o on o.tenant_id = :tenant and o.record_no = d.record_no and o.basis_no <> all (cast(:records as bigint[]))
  join muniment.record b on b.tenant_id = :tenant and b.record_no = o.basis_no and b.kind in ('raw', 'correction')
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = o.basis_no
  join muniment.liveness m on m.tenant_id = :tenant and m.record_no = o.basis_no and m.live_to_commit is null
 order by f.record_no, o.basis_no, o.span_start;

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
