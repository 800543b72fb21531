-- name: compile
-- Recompiles some stale keys; how many, and whether some are left. Cost: the function's.
select c.keys, c.more from muniment.compile_claims(cast(:tenant as bigint), cast(:limit as integer)) c;

-- name: list
-- Claims of the visible spaces in the order in which their first facts came, each space by its own index range. A claim counts where
-- it was known at the commit, its validity holds :at, and its status by the clock is among those asked for. Index claim_place.
select c.claim_id, c.live_from_commit, c.live_to_commit, c.space_id, c.subject_type, c.subject, c.relation, c.object_type, c.object, c.negated,
       c.status, coalesce(c.contested_during @> cast(:clock as timestamptz), false) as contested, c.valid_from, c.valid_to, c.from_basis, c.facts, c.groups, c.fact_confidence, c.last_said_at,
       c.anchor_commit, c.anchor_no, p.project_id, p.user_id, p.agent_id
  from unnest(cast(:spaces as bigint[])) as visible (space_id)
 cross join lateral (
       select m.*
         from muniment.claim m
        where m.tenant_id = :tenant
          and m.space_id = visible.space_id
          and (m.anchor_commit, m.anchor_no, m.claim_id)
              > (cast(:after_commit as bigint), cast(:after_record as bigint), cast(:after_claim as uuid))
          and m.live_from_commit <= cast(:known_at as bigint)
          and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
          and (cast(:relation as text) is null or m.relation = cast(:relation as text))
          and (cast(:objects as text[]) is null or m.object_key = any (cast(:objects as text[])))
          and (cast(:at as timestamptz) is null
               or ((m.valid_from is null or m.valid_from <= cast(:at as timestamptz))
                   and (m.valid_to is null or m.valid_to > cast(:at as timestamptz))))
          and case when m.valid_to <= cast(:clock as timestamptz) then m.status
                   when m.contested_during @> cast(:clock as timestamptz) then 'CONTESTED'
                   else 'ACTIVE' end = any (cast(:statuses as text[]))
        order by m.anchor_commit, m.anchor_no, m.claim_id
        limit cast(:limit as integer)) as c
 cross join lateral (
       select * from muniment.space m where m.tenant_id = :tenant and m.space_id = c.space_id offset 0) as p
 order by c.anchor_commit, c.anchor_no, c.claim_id
 limit cast(:limit as integer);

-- name: list_subject
-- The same for one subject, under whatever names of its. Index claim_key.
select c.claim_id, c.live_from_commit, c.live_to_commit, c.space_id, c.subject_type, c.subject, c.relation, c.object_type, c.object, c.negated,
       c.status, coalesce(c.contested_during @> cast(:clock as timestamptz), false) as contested, c.valid_from, c.valid_to, c.from_basis, c.facts, c.groups, c.fact_confidence, c.last_said_at,
       c.anchor_commit, c.anchor_no, p.project_id, p.user_id, p.agent_id
  from (select distinct visible.space_id, t.entity_type,
               muniment.entity_root(cast(:tenant as bigint), visible.space_id, t.entity_type, n.name, cast(:known_at as bigint)) as subject_key
          from unnest(cast(:spaces as bigint[])) as visible (space_id)
         cross join unnest(array['person', 'organization', 'place', 'product', 'event', 'thing', 'time', 'quantity', 'unknown']) t (entity_type)
         cross join unnest(cast(:names as text[])) n (name)
       ) as asked
 cross join lateral (
       select m.*
         from muniment.claim m
        where m.tenant_id = :tenant
          and m.space_id = asked.space_id
          and m.subject_key = asked.subject_key
          and m.subject_type = asked.entity_type
          and m.live_from_commit <= cast(:known_at as bigint)
          and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
          and (cast(:relation as text) is null or m.relation = cast(:relation as text))
       offset 0) as c
 cross join lateral (
       select * from muniment.space m where m.tenant_id = :tenant and m.space_id = c.space_id offset 0) as p
 where (c.anchor_commit, c.anchor_no, c.claim_id)
       > (cast(:after_commit as bigint), cast(:after_record as bigint), cast(:after_claim as uuid))
   and (cast(:objects as text[]) is null or c.object_key = any (cast(:objects as text[])))
   and (cast(:at as timestamptz) is null
        or ((c.valid_from is null or c.valid_from <= cast(:at as timestamptz))
            and (c.valid_to is null or c.valid_to > cast(:at as timestamptz))))
   and case when c.valid_to <= cast(:clock as timestamptz) then c.status
            when c.contested_during @> cast(:clock as timestamptz) then 'CONTESTED'
            else 'ACTIVE' end = any (cast(:statuses as text[]))
 order by c.anchor_commit, c.anchor_no, c.claim_id
 limit cast(:limit as integer);

-- name: relation_meant
-- What a name of a relation means at a commit. Reads the registry.
select n.relation, n.swapped
  from muniment.relation_names(cast(:tenant as bigint)) n
 where n.name = cast(:name as text)
   and n.live_from_commit <= cast(:known_at as bigint)
   and (n.live_to_commit is null or n.live_to_commit > cast(:known_at as bigint))
 order by n.swapped
 limit 1;

-- name: names_spelled
-- The names that a name may be meant to be, however its accents are written. Cost: the function's.
select n.name from muniment.names_spelled(cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:name as text)) n;

-- name: head
-- The last commit. Primary key.
select commits from muniment.log_head where tenant_id = :tenant;

-- name: pending
-- Whether claims of these spaces are stale, or records of theirs that count are still to be read for facts. Prefix of the primary key of
-- claim_dirty; index extraction_open, of which it reads what waits until it finds one of these spaces; primary key of liveness.
select exists (select from unnest(cast(:spaces as bigint[])) as visible (space_id)
                where exists (select from muniment.claim_dirty d where d.tenant_id = :tenant and d.space_id = visible.space_id))
    or exists (select from muniment.extraction e
                where e.tenant_id = :tenant
                  and e.method = any (array['rules', 'model'])
                  and e.state = 'pending'
                  and e.space_id = any (cast(:spaces as bigint[]))
                  and (select true from muniment.liveness l
                        where l.tenant_id = :tenant and l.record_no = e.record_no and l.live_to_commit is null limit 1));

-- name: versions
-- All versions of a claim, the latest first. Primary key.
select c.claim_id, c.live_from_commit, c.live_to_commit, c.space_id, c.subject_type, c.subject, c.relation, c.object_type, c.object, c.negated,
       c.status, coalesce(c.contested_during @> cast(:clock as timestamptz), false) as contested, c.valid_from, c.valid_to, c.from_basis, c.facts, c.groups, c.fact_confidence, c.last_said_at,
       c.anchor_commit, c.anchor_no, p.project_id, p.user_id, p.agent_id
  from muniment.claim c
 cross join lateral (
       select * from muniment.space m where m.tenant_id = :tenant and m.space_id = c.space_id offset 0) as p
 where c.tenant_id = :tenant
   and c.claim_id = cast(:claim_id as uuid)
 order by c.live_from_commit desc;

-- name: evidence
-- The facts that a claim rested on at a commit, each with the places in records that it rests on itself. Primary keys.
select v.record_no, r.record_id, t.text as restatement, f.subject, f.relation, f.object, f.negated, f.kind, f.confidence, f.event_from,
       f.event_to, f.said_at, f.extractor, e.basis_id, e.span_start, e.span_end, e.quote, e.source_id, e.group_key, e.live
  from muniment.claim_evidence v
 cross join lateral (
       select m.record_id from muniment.record m where m.tenant_id = :tenant and m.record_no = v.record_no offset 0) as r
 cross join lateral (
       select m.text from muniment.record_content m where m.tenant_id = :tenant and m.record_no = v.record_no offset 0) as t
 cross join lateral (
       select * from muniment.fact m where m.tenant_id = :tenant and m.record_no = v.record_no offset 0) as f
  left join lateral (
       select b.record_id as basis_id, x.span_start, x.span_end, substr(c.text, x.span_start + 1, x.span_end - x.span_start) as quote,
              s.source_id, g.group_key,
              exists (select from muniment.liveness l
                       where l.tenant_id = :tenant and l.record_no = x.basis_no and l.live_from_commit <= cast(:known_at as bigint)
                         and (l.live_to_commit is null or l.live_to_commit > cast(:known_at as bigint))) as live
         from muniment.evidence x
         join muniment.record b on b.tenant_id = :tenant and b.record_no = x.basis_no
         join muniment.record_content c on c.tenant_id = :tenant and c.record_no = x.basis_no
         join muniment.source s on s.tenant_id = :tenant and s.source_no = b.source_no
         join muniment.record_group g on g.tenant_id = :tenant and g.group_no = b.group_no
        where x.tenant_id = :tenant
          and x.record_no = v.record_no
       offset 0) as e on true
 where v.tenant_id = :tenant
   and v.claim_id = cast(:claim_id as uuid)
   and v.live_from_commit <= cast(:known_at as bigint)
   and (v.live_to_commit is null or v.live_to_commit > cast(:known_at as bigint))
 order by v.record_no, e.basis_id, e.span_start;

-- name: decisions
-- The decisions about a claim, with when they were taken back. Index claim_decision_claim; primary keys.
select d.decision_id, d.claim_id, d.rule, d.live_from_commit, d.live_to_commit, r.record_id, u.undone_commit,
       (select v.claim_id
          from muniment.claim_evidence v
         where v.tenant_id = :tenant
           and v.record_no = d.by_record_no
         order by v.live_to_commit desc nulls first, v.live_from_commit desc
         limit 1) as by_claim_id
  from muniment.claim_decision d
 cross join lateral (
       select m.record_id from muniment.record m where m.tenant_id = :tenant and m.record_no = d.by_record_no offset 0) as r
  left join lateral (
       select m.undone_commit from muniment.claim_undo m where m.tenant_id = :tenant and m.decision_id = d.decision_id offset 0) as u on true
 where d.tenant_id = :tenant
   and d.claim_id = cast(:claim_id as uuid)
 order by d.live_from_commit, d.decision_id;

-- name: names
-- The decisions by which the subject of a claim has the names that it has, and what it is called itself. Index entity_alias_entity.
with recursive meant as (
  select c.space_id, c.subject_type, c.subject_key as name, 0 as depth
    from muniment.claim c
   where c.tenant_id = :tenant
     and c.claim_id = cast(:claim_id as uuid)
     and c.live_from_commit = cast(:commit as bigint)
  union all
  select m.space_id, m.subject_type, a.name, m.depth + 1
    from meant m
   cross join lateral (
         select x.name
           from muniment.entity_alias x
          where x.tenant_id = :tenant
            and x.space_id = m.space_id
            and x.entity_type = m.subject_type
            and x.entity = m.name
         offset 0) as a
   where m.depth < 16
)
select a.decision_id, a.name, a.entity, a.rule, a.similarity, a.live_from_commit, a.live_to_commit, r.record_id
  from (select distinct m.space_id, m.subject_type, m.name from meant m) m
  cross join lateral (
       select *
         from muniment.entity_alias x
        where x.tenant_id = :tenant
          and x.space_id = m.space_id
          and x.entity_type = m.subject_type
          and x.entity = m.name
       offset 0) as a
 cross join lateral (
       select x.record_id from muniment.record x where x.tenant_id = :tenant and x.record_no = a.record_no offset 0) as r
 order by a.live_from_commit, a.decision_id;

-- name: decision
-- A decision by its id: one about a claim, or one about a name. Primary key; unique key.
select d.space_id, d.rule, d.record_no, d.by_record_no, r.record_id, null as entity_type, null as name,
       exists (select from muniment.claim_undo u where u.tenant_id = :tenant and u.decision_id = d.decision_id) as undone
  from (select m.* from muniment.claim_decision m
         where m.tenant_id = :tenant and m.decision_id = cast(:decision_id as uuid)
         order by m.live_from_commit desc limit 1) d
  join muniment.record r on r.tenant_id = :tenant and r.record_no = d.record_no
union all
select a.space_id, a.rule, a.record_no, a.entity_record_no, r.record_id, a.entity_type, a.name, a.live_to_commit is not null
  from muniment.entity_alias a
  join muniment.record r on r.tenant_id = :tenant and r.record_no = a.record_no
 where a.tenant_id = :tenant
   and a.decision_id = cast(:decision_id as uuid);

-- name: undo_decision
-- Takes a decision about a claim back from a commit on; no row where it was taken back already. Primary key.
insert into muniment.claim_undo (tenant_id, decision_id, space_id, undone_commit, rule, record_no, by_record_no)
values (cast(:tenant as bigint), cast(:decision_id as uuid), cast(:space as bigint), cast(:commit as bigint), cast(:rule as text),
        cast(:record as bigint), cast(:by_record as bigint))
    on conflict do nothing
returning decision_id;

-- name: undo_alias
-- Takes a decision about a name back from a commit on; no row where it was taken back already. Unique key.
update muniment.entity_alias
   set live_to_commit = cast(:commit as bigint)
 where tenant_id = :tenant
   and decision_id = cast(:decision_id as uuid)
   and live_to_commit is null
returning decision_id;

-- name: mark_facts
-- Notes the keys of facts as stale at a commit. Cost: the function's.
select muniment.mark_facts(cast(:tenant as bigint), cast(:commit as bigint), cast(:records as bigint[]));

-- name: facts_on
-- The facts among records, and those that rest on them. Primary key; index evidence_basis.
select array(select f.record_no
               from muniment.fact f
              where f.tenant_id = :tenant
                and f.record_no = any (cast(:records as bigint[]))
              union
             select f.record_no
               from muniment.evidence e
               join muniment.fact f on f.tenant_id = :tenant and f.record_no = e.record_no
              where e.tenant_id = :tenant
                and e.basis_no = any (cast(:records as bigint[])));

-- name: release
-- Before contents are erased: the claims that may quote them go; the facts whose claims are to be made again. Cost: the function's.
select muniment.release_claims(cast(:tenant as bigint), cast(:records as bigint[]));

-- name: mark_name
-- Notes as stale what a name's meaning changes. Cost: the function's.
select muniment.mark_name(cast(:tenant as bigint), cast(:commit as bigint), cast(:space as bigint), cast(:entity_type as text),
                          cast(:name as text));

-- name: mark_known_keys
-- Notes every key that has claims as stale from its beginning. Reads all claims.
insert into muniment.claim_dirty (tenant_id, space_id, subject_type, subject_key, relation, commit_no, record_no)
select c.tenant_id, c.space_id, c.subject_type, c.subject_key, c.relation, 0, min(c.anchor_no)
  from muniment.claim c
 where c.tenant_id = :tenant
 group by c.tenant_id, c.space_id, c.subject_type, c.subject_key, c.relation
    on conflict do nothing;

-- name: mark_some_facts
-- Notes the keys of some facts after :after as stale from their beginning; the last of these facts, null after all. Primary key.
with batch as materialized (
  select f.record_no
    from muniment.fact f
   where f.tenant_id = :tenant
     and f.record_no > cast(:after as bigint)
   order by f.record_no
   limit cast(:limit as integer)
)
select case when muniment.mark_facts(cast(:tenant as bigint), 0, array(select b.record_no from batch b)) is not null
            then (select max(b.record_no) from batch b) end;

-- name: stale
-- How many keys are noted. Prefix of the primary key.
select count(*) from (select distinct d.space_id, d.subject_type, d.subject_key, d.relation
                        from muniment.claim_dirty d
                       where d.tenant_id = :tenant) d;

-- name: asked
-- The relations in which names stand that a question may ask about. Cost: the function's.
select r.space_id, r.name, r.relation, r.valued, r.meant, r.single, r.called
  from muniment.relations_asked(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:names as text[]), cast(:first_names as text[]), cast(:known_at as bigint)) r;

-- name: search
-- The claims of names and relations that a question asks about, with the facts under them. Cost: the function's.
select s.claim_id, s.space_id, s.subject_key, s.relation, s.score, s.holds, s.superseded, s.contested, s.facts
  from muniment.search_claims(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:names as text[]), cast(:relations as text[]),
         cast(:valued as boolean[]), cast(:scores as double precision[]), cast(:named as text[]), cast(:known_at as bigint),
         cast(:from_at as timestamptz), cast(:to_at as timestamptz), cast(:most as integer)) s;

-- name: plans
-- The last intentions that are told of some, as known at a commit, those that they gave up too. Index fact_subject_key, of each all facts;
-- primary keys.
select f.record_no, f.subject, f.object, f.negated, f.event_to, f.said_at, c.text
  from unnest(cast(:spaces as bigint[])) s (space_id)
 cross join unnest(cast(:names as text[])) n (name)
 cross join lateral (
       select f.record_no, f.subject, f.object, f.negated, f.event_to, f.said_at
         from muniment.fact f
        cross join lateral (
               select
                 from muniment.liveness l
                where l.tenant_id = :tenant
                  and l.record_no = f.record_no
                  and l.live_from_commit <= cast(:known_at as bigint)
                  and (l.live_to_commit is null or l.live_to_commit > cast(:known_at as bigint))
                limit 1) l
        where f.tenant_id = :tenant
          and f.space_id = s.space_id
          and f.subject_key = n.name
          and f.kind = 'intention'
        order by f.record_no desc
        limit cast(:most as integer)) f
 cross join lateral (
       select c.text from muniment.record_content c where c.tenant_id = :tenant and c.record_no = f.record_no offset 0) c
 order by f.record_no desc;

-- name: told
-- Where the live and visible records say what some facts say, the characters [span_start, span_end) of each, at most :most a fact. Prefix of the
-- primary key of evidence; primary key of liveness.
select f.fact, e.record_no, e.span_start, e.span_end
  from unnest(cast(:facts as bigint[])) f (fact)
 cross join lateral (
       select e.basis_no as record_no, e.span_start, e.span_end
         from muniment.evidence e
        cross join lateral (
               select
                 from muniment.liveness l
                where l.tenant_id = :tenant
                  and l.record_no = e.basis_no
                  and l.space_id = any (cast(:spaces as bigint[]))
                  and l.live_from_commit <= cast(:known_at as bigint)
                  and (l.live_to_commit is null or l.live_to_commit > cast(:known_at as bigint))
                limit 1) l
        where e.tenant_id = :tenant
          and e.record_no = f.fact
        order by e.basis_no desc, e.span_start
        limit cast(:most as integer)) e;
