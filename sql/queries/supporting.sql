-- name: evidence
-- The live and visible records on which each of some derived records rests, each pair once, the latest first, at most :most of each.
-- Prefix of the primary key of evidence; primary key of liveness.
select d.derived as routing, b.record_no
  from unnest(cast(:hits as bigint[])) d (derived)
 cross join lateral (
       select distinct e.basis_no as record_no
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
          and e.record_no = d.derived
        order by e.basis_no desc
        limit cast(:most as integer)) b;

-- name: group
-- The live and visible records of each of some groups, the latest first, at most :most of each. Index liveness_group.
select g.group_no as routing, b.record_no
  from unnest(cast(:hits as bigint[])) g (group_no)
 cross join lateral (
       select l.record_no
         from muniment.liveness l
        where l.tenant_id = :tenant
          and l.group_no = g.group_no
          and l.space_id = any (cast(:spaces as bigint[]))
          and l.live_from_commit <= cast(:known_at as bigint)
          and (l.live_to_commit is null or l.live_to_commit > cast(:known_at as bigint))
        order by l.position desc
        limit cast(:most as integer)) b;

-- name: measure
-- Of each record its cosine to the question (0 without a vector) and how many of the question's terms it holds. Primary key of
-- lexical_document; index embedding_record.
with asked as materialized (
  select w.hash, w.weight, w.as_stem
    from muniment.weigh_hashes(cast(:terms as text[]), array_fill(cast(1 as float8), array[cardinality(cast(:terms as text[]))])) w
)
select u.record_no, coalesce(1 - (e.vector operator(public.<=>) cast(:vector as public.halfvec)), 0) as cosine,
       coalesce(d.held, 0) as held
  from unnest(cast(:records as bigint[])) u (record_no)
  left join lateral (
       select m.vector
         from muniment.embedding m
        where m.tenant_id = :tenant
          and m.record_no = u.record_no
          and m.model_no = cast(:model as integer)
        limit 1) e on true
  left join lateral (
       select (select cast(sum(case when m.counts[s.place] < 0 then s.weight + s.as_stem else s.weight end) as bigint)
                 from (select w.hash, w.weight, w.as_stem, width_bucket(w.hash, m.hashes) as place
                         from asked w
                       offset 0) s
                where m.hashes[s.place] = s.hash) as held
         from muniment.lexical_document m
        where m.tenant_id = :tenant
          and m.record_no = u.record_no
        limit 1) d on true;

-- name: card
-- The live and visible records of the group of each of some cards, the latest first, at most :most of each. Primary key of summary;
-- index liveness_group.
select d.summary_no as routing, b.record_no
  from unnest(cast(:hits as bigint[])) d (summary_no)
 cross join lateral (
       select m.group_no from muniment.summary m where m.tenant_id = :tenant and m.summary_no = d.summary_no offset 0) s
 cross join lateral (
       select l.record_no
         from muniment.liveness l
        where l.tenant_id = :tenant
          and l.group_no = s.group_no
          and l.space_id = any (cast(:spaces as bigint[]))
          and l.live_from_commit <= cast(:known_at as bigint)
          and (l.live_to_commit is null or l.live_to_commit > cast(:known_at as bigint))
        order by l.position desc
        limit cast(:most as integer)) b;

-- name: episode
-- The live and visible turns of each of some episodes, at most :most of each. Primary keys.
select d.summary_no as routing, b.record_no
  from unnest(cast(:hits as bigint[])) d (summary_no)
 cross join lateral (
       select m.records from muniment.summary m where m.tenant_id = :tenant and m.summary_no = d.summary_no offset 0) s
 cross join lateral (
       select l.record_no
         from unnest(s.records) r (record_no)
        cross join lateral (
              select m.record_no
                from muniment.liveness m
               where m.tenant_id = :tenant
                 and m.record_no = r.record_no
                 and m.space_id = any (cast(:spaces as bigint[]))
                 and m.live_from_commit <= cast(:known_at as bigint)
                 and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
              offset 0) l
        limit cast(:most as integer)) b;

-- name: profile
-- The live and visible records on which the facts of each of some profiles rest, at most :most of each. Primary keys.
select d.summary_no as routing, b.record_no
  from unnest(cast(:hits as bigint[])) d (summary_no)
 cross join lateral (
       select m.records from muniment.summary m where m.tenant_id = :tenant and m.summary_no = d.summary_no offset 0) s
 cross join lateral (
       select distinct v.basis_no as record_no
         from unnest(s.records) r (record_no)
        cross join lateral (
              select m.basis_no from muniment.evidence m where m.tenant_id = :tenant and m.record_no = r.record_no offset 0) v
        cross join lateral (
              select
                from muniment.liveness m
               where m.tenant_id = :tenant
                 and m.record_no = v.basis_no
                 and m.space_id = any (cast(:spaces as bigint[]))
                 and m.live_from_commit <= cast(:known_at as bigint)
                 and (m.live_to_commit is null or m.live_to_commit > cast(:known_at as bigint))
              offset 0) l
        limit cast(:most as integer)) b;
