-- The claims of each key (space, subject, relation) as its live facts and the logged decisions made them at a commit: what
-- muniment.claim must hold. Question n is the n-th of the arrays. Quadratic in the facts of a key, which it reads by indexes.
--
-- A fact says a value from its start on: from when it tells of, else from when it was said, else (a message without a time) from
-- when it arrived. A later start ends an earlier one: of another value where the relation has one value at a time, of the same
-- value's denial, or, of a relation whose values are refined, of a value of which it says all and more. What nothing orders overlaps,
-- and is contested. A fact of a bounded time gives way again at its end to what was said after that; of one that tells only its end
-- the start is when it was said, or, where that is after the end, not known: it then begins after what is known of earlier. A person's
-- word, or what is extracted from a correction, goes before what was extracted about its time, and before a mere later saying of what
-- it put right, until something else has ended it. In a relation that is its own inverse, and has one value at a time, a later value of
-- the other side ends it here too. Two values that the same words tell of the same time stand beside each other. What a later turn of
-- the same conversation takes back for all its time ends nothing.
create or replace function muniment.claim_definition(
  _tenant bigint, _spaces bigint[], _types text[], _subjects text[], _relations text[], _commits bigint[])
returns table (
  question integer, claim_id uuid, space_id bigint, subject_type text, subject_key text, subject text, relation text, object_type text,
  object_key text, object text, negated boolean, status text, contested_during tstzmultirange, valid_from timestamptz, valid_to timestamptz,
  from_basis text, facts integer, groups integer, fact_confidence double precision, last_said_at timestamptz, anchor_commit bigint,
  anchor_no bigint, evidence bigint[], decisions uuid[], rules text[], by_records bigint[])
language plpgsql stable security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with recursive question as materialized (
    select q.n::integer as n, q.space_id, q.subject_type, q.subject_key, q.relation, q.commit_no
      from unnest(_spaces, _types, _subjects, _relations, _commits)
           with ordinality as q (space_id, subject_type, subject_key, relation, commit_no, n)
  ),
  relation_name as materialized (
    select r.name, r.relation, r.swapped, r.single, r.live_from_commit, r.live_to_commit from muniment.relation_names(_tenant) r
  ),
  refined as materialized (
    select d.relation from muniment.relation_default d where d.refined
  ),
  asked as materialized (
    select q.n, q.relation, q.space_id, q.subject_type, q.commit_no, r.name, r.swapped, r.single
      from question q
      join relation_name r
        on r.relation = q.relation
       and r.live_from_commit <= q.commit_no
       and (r.live_to_commit is null or r.live_to_commit > q.commit_no)
    union all
    select q.n, q.relation, q.space_id, q.subject_type, q.commit_no, q.relation, false, muniment.single_by_name(q.relation)
      from question q
     where not exists (select from relation_name r
                        where r.name = q.relation
                          and r.live_from_commit <= q.commit_no
                          and (r.live_to_commit is null or r.live_to_commit > q.commit_no))
  ),
  entity_name as (
    select q.n, q.space_id, q.subject_type, q.commit_no, q.subject_key as name, '' as path, 0 as depth
      from question q
     where (select true
              from muniment.entity_alias a
             where a.tenant_id = _tenant
               and a.space_id = q.space_id
               and a.entity_type = q.subject_type
               and a.name = q.subject_key
               and a.live_from_commit <= q.commit_no
               and (a.live_to_commit is null or a.live_to_commit > q.commit_no)
             limit 1) is null
    union all
    select e.n, e.space_id, e.subject_type, e.commit_no, a.name, e.path || ':' || a.decision_id, e.depth + 1
      from entity_name e
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = e.space_id
       and a.entity_type = e.subject_type
       and a.entity = e.name
       and a.live_from_commit <= e.commit_no
       and (a.live_to_commit is null or a.live_to_commit > e.commit_no)
     where e.depth < 16
  ),
  own_mention as materialized (
    select a.n, a.relation, a.space_id, a.single, a.commit_no, e.path, 's' as side, f.record_no, f.subject, f.object, f.object_type, f.object_key,
           f.negated, f.kind, f.confidence, f.event_from, f.event_to, f.said_at, f.extractor
      from asked a
      join entity_name e on e.n = a.n
      join muniment.fact f
        on f.tenant_id = _tenant
       and f.space_id = a.space_id
       and f.subject_key = e.name
       and f.relation = a.name
     where not a.swapped
       and f.subject_type = a.subject_type
       and f.kind <> 'intention'
    union all
    select a.n, a.relation, a.space_id, a.single, a.commit_no, e.path, 'o', f.record_no, f.object, f.subject, f.subject_type, f.subject_key,
           f.negated, f.kind, f.confidence, f.event_from, f.event_to, f.said_at, f.extractor
      from asked a
      join entity_name e on e.n = a.n
      join muniment.fact f
        on f.tenant_id = _tenant
       and f.space_id = a.space_id
       and f.object_key = e.name
       and f.relation = a.name
     where a.swapped
       and f.object_type = a.subject_type
       and f.kind <> 'intention'
       -- of one entity twice, under whatever names, a symmetric relation says nothing a second time
       and not (f.subject_type = a.subject_type
                and exists (select from entity_name o where o.n = a.n and o.name = f.subject_key))
  ),
  partner as materialized (
    select distinct m.n, m.relation, m.space_id, m.commit_no, m.object_type as entity_type,
           muniment.entity_root(_tenant, m.space_id, m.object_type, m.object_key, m.commit_no) as entity
      from own_mention m
     where m.single
       and exists (select from asked a where a.n = m.n and a.swapped and a.name = a.relation)
  ),
  partner_name as (
    select p.n, p.relation, p.space_id, p.commit_no, p.entity_type, p.entity, p.entity as name, 0 as depth
      from partner p
    union all
    select p.n, p.relation, p.space_id, p.commit_no, p.entity_type, p.entity, a.name, p.depth + 1
      from partner_name p
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = p.space_id
       and a.entity_type = p.entity_type
       and a.entity = p.name
       and a.live_from_commit <= p.commit_no
       and (a.live_to_commit is null or a.live_to_commit > p.commit_no)
     where p.depth < 16
  ),
  -- what the other side is said to be one with but the subject: of the subject's claim it is a denial that is not told as one
  rival as (
    select p.n, p.relation, p.space_id, p.commit_no, p.entity_type, p.entity, f.other_key, f.record_no, f.subject, f.object, f.kind,
           f.confidence, f.event_from, f.event_to, f.said_at, f.extractor
      from partner_name p
      join (select distinct a.n, a.name, a.subject_type from asked a) a on a.n = p.n
     cross join lateral (
             select f.*, f.object_type as other_type, f.object_key as other_key
               from muniment.fact f
              where f.tenant_id = _tenant
                and f.space_id = p.space_id
                and f.subject_key = p.name
                and f.relation = a.name
                and f.subject_type = p.entity_type
             union all
             select f.*, f.subject_type, f.subject_key
               from muniment.fact f
              where f.tenant_id = _tenant
                and f.space_id = p.space_id
                and f.object_key = p.name
                and f.relation = a.name
                and f.object_type = p.entity_type) f
     where f.kind <> 'intention'
       and not f.negated
       and not (f.other_type = a.subject_type and exists (select from entity_name o where o.n = p.n and o.name = f.other_key))
       and not (f.other_type = p.entity_type and exists (select from partner_name o
                                                          where o.n = p.n and o.entity = p.entity and o.name = f.other_key))
  ),
  mention as (
    select m.n, m.relation, m.space_id, m.single, m.commit_no, m.path, m.side, m.record_no, m.subject, m.object, m.object_type, m.object_key,
           null as other_key, m.negated, m.kind, m.confidence, m.event_from, m.event_to, m.said_at, m.extractor
      from own_mention m
    union all
    select r.n, r.relation, r.space_id, true, r.commit_no, '', 'r', r.record_no, r.subject, r.object, r.entity_type, r.entity,
           r.other_key, true, r.kind, r.confidence, r.event_from, r.event_to, r.said_at, r.extractor
      from rival r
  ),
  known as materialized (
    select m.n, m.relation, m.space_id, m.single, m.commit_no, m.path, m.side, m.record_no, m.other_key, r.record_id, m.subject, m.object, m.object_type,
           m.negated, m.kind, m.confidence, m.event_from, m.event_to, m.said_at, m.extractor = 'person' or coalesce(b.corrected, false) as person,
           l.learned,
           l.live and (b.bases = 0 or b.live) as live, k.at as learned_at,
           coalesce(b.groups, array[r.group_no]) as groups,
           case when cardinality(b.groups) = 1 and b.conversation then b.groups[1] end as turn_group, b.turn,
           coalesce(b.conversation, false) as conversation,
           case when (select true
                        from muniment.entity_alias a
                       where a.tenant_id = _tenant
                         and a.space_id = m.space_id
                         and a.entity_type = m.object_type
                         and a.name = m.object_key
                       limit 1)
                then muniment.entity_root(_tenant, m.space_id, m.object_type, m.object_key, m.commit_no)
                else m.object_key end as object_key
      from mention m
     cross join lateral (
             select min(v.live_from_commit) as learned,
                    bool_or(v.live_to_commit is null or v.live_to_commit > m.commit_no) as live
               from muniment.liveness v
              where v.tenant_id = _tenant
                and v.record_no = m.record_no
                and v.live_from_commit <= m.commit_no) l
      join muniment.log_commit k on k.tenant_id = _tenant and k.commit_no = l.learned
      join muniment.record r on r.tenant_id = _tenant and r.record_no = m.record_no
     cross join lateral (
             select count(*) as bases, bool_or(x.live) as live, array_agg(distinct x.group_no) filter (where x.live) as groups,
                    bool_and(x.modality = 'conversation') filter (where x.live) as conversation,
                    bool_and(x.kind = 'correction') as corrected,
                    max(x.position) filter (where x.live) as turn
               from (select y.group_no, y.position, y.modality, y.kind,
                            coalesce((select bool_or(v.live_to_commit is null or v.live_to_commit > m.commit_no)
                                        from muniment.liveness v
                                       where v.tenant_id = _tenant
                                         and v.record_no = y.record_no
                                         and v.live_from_commit <= m.commit_no), false) as live
                       from (select distinct e.basis_no
                               from muniment.evidence e
                              where e.tenant_id = _tenant
                                and e.record_no = m.record_no) e
                       join muniment.record y on y.tenant_id = _tenant and y.record_no = e.basis_no) x) b
  ),
  stance as materialized (
    select k.n, k.record_no as no, k.record_id, k.single, not k.single and k.relation in (select d.relation from refined d) as refined,
           k.commit_no, k.path, k.side, k.subject, k.object, k.object_key, t.object_type,
           k.object_key || chr(31) || t.object_type as value, k.other_key, k.negated, k.person, k.live, k.learned, k.confidence, k.groups,
           k.turn_group, k.turn, coalesce(k.said_at, k.learned_at) as told, t.start, t.basis, k.kind,
           case when k.lasting then null else k.event_to end as fin
      from (select k.*, case when k.said_at is not null then k.said_at when k.conversation then k.learned_at end as voiced,
                   k.kind = 'event' and (k.single or k.negated) as lasting,
                   min(k.object_type) filter (where k.object_type <> 'unknown') over (partition by k.n, k.object_key) as typed
              from known k) k
     cross join lateral (
             select case when k.object_type = 'unknown' then coalesce(k.typed, 'unknown') else k.object_type end as object_type,
                    case when k.event_from is not null then k.event_from
                         when k.event_to is not null and k.lasting then k.event_to
                         when k.event_to is null or k.voiced < k.event_to then k.voiced end as start,
                    case when k.event_from is not null then 'event'
                         when k.event_to is not null and (k.lasting or k.voiced is null or k.voiced >= k.event_to) then 'event'
                         when k.said_at is not null then 'said'
                         when k.conversation then 'learned'
                         else 'unknown' end as basis) t
  ),
  undone as materialized (
    select l.n, l.value, l.negated, w.value as by_value, w.negated as by_negated, u.undone_commit
      from stance l
      join muniment.claim_undo u on u.tenant_id = _tenant and u.record_no = l.no and u.undone_commit <= l.commit_no
      join stance w on w.n = l.n and w.no = u.by_record_no
  ),
  -- two values that are told in one breath, of the same time: I work at Acme and Zeta
  together as materialized (
    select s.n, s.no, o.no as other_no
      from stance s
      join stance o
        on o.n = s.n
       and o.no <> s.no
       and o.value <> s.value
       and o.start is not distinct from s.start
       and o.fin is not distinct from s.fin
     where s.single
       and s.live
       and o.live
       and s.side <> 'r'
       and o.side <> 'r'
       and not s.negated
       and not o.negated
       and exists (select
                     from muniment.evidence e
                     join muniment.evidence v
                       on v.tenant_id = _tenant
                      and v.record_no = o.no
                      and v.basis_no = e.basis_no
                      and v.span_start = e.span_start
                      and v.span_end = e.span_end
                    where e.tenant_id = _tenant
                      and e.record_no = s.no)
  ),
  -- what a person's word put right, and what says that again: about its time, or closed since; that a change happened is no mere
  -- saying, unless that was what was put right
  repeated as materialized (
    select distinct p.n, p.no, b.no as by_no
      from stance b
      join stance p on p.n = b.n and p.no <> b.no
      join stance o on o.n = p.n and o.no <> p.no and o.value = p.value and o.negated = p.negated and o.other_key is not distinct from p.other_key
     where b.person
       and not p.person
       and p.basis <> 'event'
       and not o.person
       and o.learned < b.learned
       and (o.start is null or b.start is null or o.start >= b.start or not o.live)
       and (p.kind <> 'event' or o.kind = 'event')
  ),
  opposed as materialized (
    select p.n, p.no, b.no as by_no, b.start, b.learned as by_learned, p.person, b.person as by_person,
           b.negated and not p.negated and b.side <> 'r' as denied,
           p.value = b.value and b.side <> 'r' and b.start = p.start and b.turn_group = p.turn_group and b.turn > p.turn
             and (b.fin is null or p.fin <= b.fin) as taken_back,
           b.person and not p.person
             and (p.start is null or b.start is null or p.start >= b.start)
             and (p.start is null or b.fin is null or p.start < b.fin)
             and (p.start is null or p.start < b.told or p.start = b.start
                  or (exists (select from repeated r where r.n = p.n and r.no = p.no and r.by_no = b.no)
                      and not exists (select from stance z
                                       where z.n = b.n and z.live and z.start > b.start and z.start >= b.told and z.start < p.start
                                         and ((z.value = b.value and z.negated <> b.negated)
                                              or (z.single and z.value <> b.value and z.value <> p.value
                                                  and not z.negated and not b.negated))
                                         and not exists (select from repeated r
                                                          where r.n = z.n and r.no = z.no and r.by_no = b.no)))) as outranked,
           coalesce(b.start > p.start
                    or (b.start = p.start and b.turn_group = p.turn_group and b.turn > p.turn)
                    or (p.start is null and p.fin is null and b.start > p.told), false)
             or t.cut or t.gone as later,
           case when t.cut then tstzrange(null, case when b.fin < p.fin then b.fin else b.start end)
                when t.gone then tstzrange(b.fin, null)
                else tstzrange(b.start, case when b.fin is not null and ((b.negated and b.side <> 'r') or p.told >= b.fin) then b.fin end)
           end as hole
      from stance p
      join stance b on b.n = p.n and b.no <> p.no
     cross join lateral (
             -- one whose start nobody told begins after the start of another, or its end, and ends what was said before
             select coalesce(p.start is null and b.start < p.fin and p.single and not p.negated and not b.negated, false) as cut,
                    coalesce(b.start is null and p.start < b.fin and p.told < b.fin and p.single and not p.negated and not b.negated,
                             false) as gone) t
     where p.live
       and b.live
       and not exists (select from together g where g.n = p.n and g.no = p.no and g.other_no = b.no)
       and ((p.value = b.value and p.negated <> b.negated)
            or (p.single and p.value <> b.value and not p.negated and not b.negated)
            or (p.refined and b.object_key <> p.object_key and not p.negated and not b.negated
                and strpos(' ' || b.object_key || ' ', ' ' || p.object_key || ' ') > 0))
       and not exists (select from undone u
                        where u.n = p.n
                          and u.value = p.value and u.negated = p.negated and p.learned <= u.undone_commit
                          and u.by_value = b.value and u.by_negated = b.negated and b.learned <= u.undone_commit)
  ),
  outranked as materialized (
    select distinct o.n, o.no from opposed o where o.outranked
  ),
  -- what a later turn denies of all its time, or says to be so after all, never was: it ends nothing
  taken_back as materialized (
    select distinct o.n, o.no
      from opposed o
     where coalesce(o.taken_back, false)
       and not exists (select from outranked x where x.n = o.n and x.no = o.by_no)
  ),
  ending as materialized (
    select o.n, o.no, o.by_no, o.start, o.by_learned, o.person, o.by_person, o.denied, o.outranked, o.hole
      from opposed o
     where (o.outranked or o.later)
       and not exists (select from outranked x where x.n = o.n and x.no = o.by_no)
       and not exists (select from taken_back x where x.n = o.n and x.no = o.by_no)
  ),
  standing as materialized (
    select s.n, s.no, s.record_id, s.single, s.path, s.side, s.subject, s.object, s.object_key, s.object_type, s.value, s.negated,
           s.learned, s.confidence, s.groups, s.told, s.start, s.basis,
           case when exists (select from outranked x where x.n = s.n and x.no = s.no) then '{}'::tstzmultirange
                else tstzmultirange(tstzrange(s.start, s.fin))
                     - coalesce((select range_agg(e.hole) from ending e where e.n = s.n and e.no = s.no), '{}'::tstzmultirange)
           end as spans
      from stance s
     where s.live
       and s.side <> 'r'
       and not (s.negated and exists (select from ending e where e.n = s.n and e.by_no = s.no and e.denied))
  ),
  stint as materialized (
    select g.n, g.value, g.negated, span, row_number() over () as stint_no
      from (select s.n, s.value, s.negated, range_agg(s.spans) as spans
              from standing s
             group by s.n, s.value, s.negated) g
     cross join lateral unnest(g.spans) span
    union all
    select s.n, s.value, s.negated, 'empty'::tstzrange, - row_number() over ()
      from standing s
     where isempty(s.spans)
     group by s.n, s.value, s.negated
  ),
  support as materialized (
    select t.stint_no, t.n, s.no, s.record_id, s.path, s.side, s.subject, s.object, s.learned, s.confidence, s.groups, s.told, s.start,
           s.basis, s.object_key, s.object_type,
           row_number() over (partition by t.stint_no order by s.learned, s.no) as place
      from stint t
      join standing s
        on s.n = t.n
       and s.value = t.value
       and s.negated = t.negated
       and (s.spans && t.span or (isempty(t.span) and isempty(s.spans)))
  ),
  body as materialized (
    select t.stint_no, t.n, t.negated, t.span, t.value, a.no as anchor_no, a.record_id, a.learned as anchor_commit, a.subject, a.object,
           a.object_key, a.object_type, u.evidence, u.facts, u.groups, u.fact_confidence, u.last_said_at,
           case when isempty(t.span) then u.first_start else lower(t.span) end as valid_from,
           case when isempty(t.span) then u.first_start else upper(t.span) end as valid_to,
           coalesce((select min(s.basis) from support s where s.stint_no = t.stint_no and s.start = lower(t.span)),
                    case when isempty(t.span) then a.basis when lower(t.span) is null then 'unknown' else 'event' end) as from_basis,
           a.record_id || a.path || ':' || a.side || ':'
             || row_number() over (partition by t.n, a.no order by isempty(t.span), lower(t.span) nulls first) as name
      from stint t
      join support a on a.stint_no = t.stint_no and a.place = 1
     cross join lateral (
             select array_agg(s.no order by s.no) as evidence, count(*)::integer as facts,
                    round(avg(s.confidence::numeric), 6)::double precision as fact_confidence,
                    max(s.told) as last_said_at, min(coalesce(s.start, s.told)) as first_start,
                    (select count(distinct g)::integer from support x, unnest(x.groups) g where x.stint_no = t.stint_no) as groups
               from support s
              where s.stint_no = t.stint_no) u
  ),
  ender as materialized (
    select distinct on (s.stint_no) s.stint_no, e.by_no,
           case when e.outranked or (e.by_person and not e.person) then 'correction'
                when e.denied then 'negation'
                else 'later_value' end as rule
      from support s
      join stint t on t.stint_no = s.stint_no
      join ending e on e.n = s.n and e.no = s.no
     where isempty(t.span) or lower(e.hole) = upper(t.span)
     order by s.stint_no, e.outranked desc, e.start, e.by_learned, e.by_no
  ),
  contest as materialized (
    select x.stint_no, y.anchor_no as by_no, x.span * y.span as during
      from body x
      join body y on y.n = x.n and y.stint_no <> x.stint_no and y.span && x.span
     where (x.value = y.value and x.negated <> y.negated)
        or (x.value <> y.value and not x.negated and not y.negated
            and exists (select from asked a where a.n = x.n and a.single)
            and not exists (select
                              from support s
                              join together g on g.n = s.n and g.no = s.no
                              join support o on o.stint_no = y.stint_no and o.no = g.other_no
                             where s.stint_no = x.stint_no))
  ),
  decided as (
    select d.stint_no, array_agg(d.decision_id order by d.decision_id) as decisions,
           array_agg(d.rule order by d.decision_id) as rules, array_agg(d.by_no order by d.decision_id) as by_records
      from (select d.stint_no, d.rule, d.by_no,
                   muniment.derived_id(d.rule || ':' || b.name || ':' || r.record_id) as decision_id
              from (select e.stint_no, e.rule, e.by_no from ender e
                    union
                    select c.stint_no, 'no_order', c.by_no from contest c) d
              join body b on b.stint_no = d.stint_no
              join muniment.record r on r.tenant_id = _tenant and r.record_no = d.by_no) d
     group by d.stint_no
  )
  select q.n, muniment.derived_id(b.name), q.space_id, q.subject_type, q.subject_key, b.subject, q.relation, b.object_type, b.object_key,
         b.object, b.negated,
         case when exists (select from ender e where e.stint_no = b.stint_no) then 'SUPERSEDED'
              when upper(c.during) is not distinct from upper(b.span) and c.during is not null then 'CONTESTED'
              else 'ACTIVE' end,
         c.during,
         b.valid_from, b.valid_to, b.from_basis, b.facts, b.groups, b.fact_confidence, b.last_said_at, b.anchor_commit, b.anchor_no,
         b.evidence, coalesce(d.decisions, '{}'), coalesce(d.rules, '{}'), coalesce(d.by_records, '{}')
    from question q
    join body b on b.n = q.n
    left join (select c.stint_no, range_agg(c.during) as during from contest c group by c.stint_no) c on c.stint_no = b.stint_no
    left join decided d on d.stint_no = b.stint_no;
end $$;
