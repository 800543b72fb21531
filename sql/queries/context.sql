-- name: facts
-- The live and visible facts that rest on records, those of the first records first, each with what the claims on it come to at a time:
-- from when to when, and how it stands. Without :ended those that another value or a denial ended by then are left out. Unique keys;
-- indexes evidence_basis, claim_evidence_record, fact_subject_key; primary keys.
select r.record_id as id, min(t.text) as text, array_agg(distinct a.record_id) as bases, min(a.n) as n,
       min(coalesce(k.valid_from, f.event_from, f.said_at)) as valid_from,
       max(case when k.claims > 0 then k.valid_to else f.event_to end) as valid_to,
       coalesce(min(k.basis), case when min(f.event_from) is null then 'said' else 'event' end) as basis,
       bool_or(k.contested) as contested, coalesce(bool_and(k.ended), false) or bool_or(g.given_up) as ended, bool_or(f.kind = 'intention') as intended,
       (array_agg(b.said_offset order by a.n))[1] as said_offset
  from unnest(cast(:record_ids as uuid[])) with ordinality as a (record_id, n)
 cross join lateral (
       select m.record_no, m.said_offset from muniment.record m where m.tenant_id = :tenant and m.record_id = a.record_id offset 0) b
 cross join lateral (
       select distinct m.record_no from muniment.evidence m where m.tenant_id = :tenant and m.basis_no = b.record_no offset 0) v
 cross join lateral (
       select m.event_from, m.event_to, m.said_at, m.kind, m.record_no, m.space_id, m.subject_key, m.relation, m.object_key, m.negated
         from muniment.fact m where m.tenant_id = :tenant and m.record_no = v.record_no offset 0) f
 cross join lateral (
       select
         from muniment.liveness m
        where m.tenant_id = :tenant
          and m.record_no = v.record_no
          and m.space_id = any (cast(:spaces as bigint[]))
          and m.live_from_commit <= coalesce(cast(:known_at as bigint), 9223372036854775807)
          and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
       offset 0) l
 cross join lateral (
       select m.record_id from muniment.record m where m.tenant_id = :tenant and m.record_no = v.record_no offset 0) r
 cross join lateral (
       select m.text from muniment.record_content m where m.tenant_id = :tenant and m.record_no = v.record_no offset 0) t
 cross join lateral (
       select count(*) as claims, min(c.valid_from) as valid_from, nullif(max(coalesce(c.valid_to, 'infinity')), 'infinity') as valid_to,
              min(c.from_basis) as basis,
              bool_or(coalesce(c.contested_during @> cast(:at as timestamptz), false)) as contested,
              bool_and(c.status = 'SUPERSEDED' and c.valid_to <= cast(:at as timestamptz)) as ended
         from (select distinct e.claim_id
                 from muniment.claim_evidence e
                where e.tenant_id = :tenant
                  and e.record_no = v.record_no
                  and e.live_from_commit <= coalesce(cast(:known_at as bigint), 9223372036854775806)
                  and (e.live_to_commit is null or e.live_to_commit > coalesce(cast(:known_at as bigint), 9223372036854775806))
               offset 0) e
        cross join lateral (
              select m.valid_from, m.valid_to, m.from_basis, m.contested_during, m.status
                from muniment.claim m
               where m.tenant_id = :tenant
                 and m.claim_id = e.claim_id
                 and m.live_from_commit <= coalesce(cast(:known_at as bigint), 9223372036854775806)
                 and (m.live_to_commit is null or m.live_to_commit > coalesce(cast(:known_at as bigint), 9223372036854775806))
              offset 0) c) k
 cross join lateral (  -- a plan that was given up later
       select f.kind = 'intention' and not f.negated and exists (
                select
                  from muniment.fact m
                 cross join lateral (
                       select
                         from muniment.liveness o
                        where o.tenant_id = :tenant
                          and o.record_no = m.record_no
                          and o.live_from_commit <= coalesce(cast(:known_at as bigint), 9223372036854775807)
                          and (o.live_to_commit is null or o.live_to_commit > cast(:known_at as bigint))
                       offset 0) l
                 where m.tenant_id = :tenant
                   and m.space_id = f.space_id
                   and m.subject_key = f.subject_key
                   and m.relation = f.relation
                   and m.object_key = f.object_key
                   and m.kind = 'intention'
                   and m.negated
                   and (coalesce(m.said_at, '-infinity'), m.record_no) > (coalesce(f.said_at, '-infinity'), f.record_no)
                   and (cast(:as_of as timestamptz) is null or m.said_at is null or m.said_at <= cast(:as_of as timestamptz))) as given_up
       ) g
 where (cast(:as_of as timestamptz) is null
        or coalesce(k.valid_from, f.event_from, f.said_at) is null
        or coalesce(k.valid_from, f.event_from, f.said_at) <= cast(:as_of as timestamptz))
   and (cast(:ended as boolean) or (k.ended is not true and not g.given_up))
 group by r.record_id
 order by n, id
 limit cast(:most as integer);

-- name: episodes
-- The episodes in which records stand, those of the first records first. Unique key; index summary_group.
select e.summary_id as id, e.title || E'\n' || e.text as text, array_agg(distinct a.record_id) as bases, min(a.n) as n
  from unnest(cast(:record_ids as uuid[])) with ordinality as a (record_id, n)
 cross join lateral (
       select m.record_no, m.group_no from muniment.record m where m.tenant_id = :tenant and m.record_id = a.record_id offset 0) b
 cross join lateral (
       select m.summary_id, m.title, m.text
         from muniment.summary m
        where m.tenant_id = :tenant
          and m.group_no = b.group_no
          and m.kind = 'episode'
          and m.space_id = any (cast(:spaces as bigint[]))
          and m.live_from_commit <= coalesce(cast(:known_at as bigint), 9223372036854775807)
          and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
          and b.record_no = any (m.records)
       offset 0) e
 group by e.summary_id, e.title, e.text
 order by n, id
 limit cast(:most as integer);

-- name: profiles
-- The profiles of those who said records or of whom facts tell that rest on them, those of most records first. Unique key; indexes
-- evidence_basis, summary_entity; primary keys.
select s.summary_id as id, s.title || E'\n' || s.text as text, array_agg(distinct a.record_id) as bases, -count(distinct a.n) as n
  from unnest(cast(:record_ids as uuid[])) with ordinality as a (record_id, n)
 cross join lateral (
       select m.record_no, m.space_id, m.speaker from muniment.record m where m.tenant_id = :tenant and m.record_id = a.record_id offset 0) b
 cross join lateral (
       select muniment.name_key(b.speaker) as entity_key where b.speaker is not null
       union
       select f.entity_key
         from muniment.evidence v
        cross join lateral (
              select m.entity_key from muniment.fact_side m where m.tenant_id = :tenant and m.record_no = v.record_no offset 0) f
        where v.tenant_id = :tenant
          and v.basis_no = b.record_no) k
 cross join lateral (
       select m.summary_id, m.title, m.text
         from muniment.summary m
        where m.tenant_id = :tenant
          and m.space_id = b.space_id
          and m.entity_key = k.entity_key
          and m.kind = 'profile'
          and m.space_id = any (cast(:spaces as bigint[]))
          and m.live_from_commit <= coalesce(cast(:known_at as bigint), 9223372036854775807)
          and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
       offset 0) s
 group by s.summary_id, s.title, s.text
 order by n, id
 limit cast(:most as integer);
