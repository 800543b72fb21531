-- The relations in which names stand, as subjects of claims or as values of facts: of whom and what a question may ask. _names are runs of
-- its words, as names are compared; a decision about a name leads to what it means, and one of _first_names to those, at most 8 of each,
-- who have it. Each with all names of the relation, and whether it
-- has one value at a time. A probe of an index a name and space, and one for each relation that is there.
create or replace function muniment.relations_asked(_tenant bigint, _spaces bigint[], _names text[], _first_names text[],
                                                    _known_at bigint)
returns table (space_id bigint, name text, relation text, valued boolean, meant text, single boolean, called text[])
language plpgsql stable security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with recursive place as materialized (
    select s.space_id, n.name from unnest(_spaces) s (space_id), unnest(_names) n (name)
  ),
  subject as materialized (
    select p.space_id, p.name from place p
    union
    select a.space_id, muniment.entity_root(_tenant, a.space_id, a.entity_type, a.name, _known_at)
      from place p
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = p.space_id
       and a.entity_type = any (array['person', 'organization', 'place', 'product', 'event', 'thing'])
       and a.name = p.name
    union
    select s.space_id, muniment.entity_root(_tenant, s.space_id, 'person', e.name, _known_at)
      from unnest(_spaces) s (space_id)
     cross join unnest(_first_names) n (name)
     cross join lateral (
             select e.name
               from muniment.entity e
              where e.tenant_id = _tenant
                and e.space_id = s.space_id
                and e.entity_type = 'person'
                and e.first_name = n.name
                and e.name <> n.name
              order by e.name
              limit 8) e
  ),
  told as (
    select s.space_id, s.name,
           (select c.relation
              from muniment.claim c
             where c.tenant_id = _tenant and c.space_id = s.space_id and c.subject_key = s.name
             order by c.relation
             limit 1) as relation
      from subject s
    union all
    select t.space_id, t.name,
           (select c.relation
              from muniment.claim c
             where c.tenant_id = _tenant and c.space_id = t.space_id and c.subject_key = t.name and c.relation > t.relation
             order by c.relation
             limit 1)
      from told t
     where t.relation is not null
  ),
  valued as (
    select p.space_id, p.name,
           (select f.relation
              from muniment.fact f
             where f.tenant_id = _tenant and f.space_id = p.space_id and f.object_key = p.name
             order by f.relation
             limit 1) as relation
      from place p
    union all
    select v.space_id, v.name,
           (select f.relation
              from muniment.fact f
             where f.tenant_id = _tenant and f.space_id = v.space_id and f.object_key = v.name and f.relation > v.relation
             order by f.relation
             limit 1)
      from valued v
     where v.relation is not null
  ),
  standing as materialized (
    select t.space_id, t.name, t.relation, false as valued from told t where t.relation is not null
    union all
    select v.space_id, v.name, v.relation, true from valued v where v.relation is not null
  ),
  known as materialized (
    select n.name, n.relation, n.single
      from muniment.relation_names(_tenant) n
     where n.live_to_commit is null
       and exists (select from standing)
  )
  select s.space_id, s.name, s.relation, s.valued, coalesce(k.relation, s.relation),
         coalesce(k.single, muniment.single_by_name(s.relation)),
         array(select n.name from known n where n.relation = coalesce(k.relation, s.relation))
    from standing s
    left join lateral (select n.relation, n.single from known n where n.name = s.relation limit 1) k on true;
end $$;

-- The claims of these names and relations as known at a commit, with whether each holds at some time from _from to _to (null: open), or
-- was ended by another or denied, and the facts that it rests on. A name stands for a subject, or where _valued for a value. At most
-- _most, the later beginnings first where scores are the same; one that has another of _named in it scores 1 more. Where all values of a
-- relation had ended by _from, what denies one of them holds: such a claim stands here twice, the second time with the facts of its
-- denials; one that has another of _named in it does so whatever else holds. A probe a name and relation, one a claim.
create or replace function muniment.search_claims(
  _tenant bigint, _spaces bigint[], _names text[], _relations text[], _valued boolean[], _scores double precision[], _named text[],
  _known_at bigint, _from timestamptz, _to timestamptz, _most integer)
returns table (claim_id uuid, space_id bigint, subject_key text, relation text, score double precision, holds boolean, superseded boolean, contested boolean, facts bigint[])
language plpgsql stable security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with asked as materialized (
    select q.space_id, q.name, q.relation, q.valued, q.score
      from unnest(_spaces, _names, _relations, _valued, _scores) q (space_id, name, relation, valued, score)
  ),
  claim as materialized (
    select c.claim_id, a.space_id, c.subject_key, c.relation, c.status, c.contested_during, c.valid_from, c.valid_to,
           c.object_key = any (_named) as named, a.score + case when c.object_key = any (_named) then 1 else 0 end as score
      from asked a
     cross join lateral (
             select c.claim_id, c.subject_key, c.relation, c.object_key, c.status, c.contested_during, c.valid_from, c.valid_to
               from muniment.claim c
              where c.tenant_id = _tenant
                and c.space_id = a.space_id
                and c.subject_key = a.name
                and c.relation = a.relation
                and c.live_from_commit <= _known_at
                and (c.live_to_commit is null or c.live_to_commit > _known_at)
              order by c.live_from_commit desc
              limit 4 * _most) c
     where not a.valued
    union
    select c.claim_id, a.space_id, c.subject_key, c.relation, c.status, c.contested_during, c.valid_from, c.valid_to,
           c.subject_key = any (_named), a.score + case when c.subject_key = any (_named) then 1 else 0 end
      from asked a
     cross join lateral (
             select f.record_no
               from muniment.fact f
              where f.tenant_id = _tenant
                and f.space_id = a.space_id
                and f.object_key = a.name
                and f.relation = a.relation
              order by f.record_no desc
              limit 2 * _most) f
      join muniment.claim_evidence e
        on e.tenant_id = _tenant
       and e.record_no = f.record_no
       and e.live_from_commit <= _known_at
       and (e.live_to_commit is null or e.live_to_commit > _known_at)
      join muniment.claim c
        on c.tenant_id = _tenant
       and c.claim_id = e.claim_id
       and c.live_from_commit <= _known_at
       and (c.live_to_commit is null or c.live_to_commit > _known_at)
     where a.valued
  ),
  best as (
    select c.claim_id, c.space_id, c.subject_key, c.relation, max(c.score)::double precision as score,
           (c.valid_from is null or _to is null or c.valid_from <= _to) and (c.valid_to is null or _from is null or c.valid_to > _from) as holds,
           c.status = 'SUPERSEDED' as superseded, coalesce(c.contested_during @> _from, false) as contested, bool_or(c.named) as named, c.valid_from, c.valid_to
      from claim c
     group by c.claim_id, c.space_id, c.subject_key, c.relation, c.status, c.contested_during, c.valid_from, c.valid_to
     order by 5 desc, 6 desc, c.valid_from desc nulls last, c.claim_id
     limit _most
  )
  select b.claim_id, b.space_id, b.subject_key, b.relation, b.score, b.holds, b.superseded, b.contested,
         array(select e.record_no
                 from muniment.claim_evidence e
                where e.tenant_id = _tenant
                  and e.claim_id = b.claim_id
                  and e.live_from_commit <= _known_at
                  and (e.live_to_commit is null or e.live_to_commit > _known_at)
                order by e.record_no desc
                limit 8)
    from best b
  union all
  select b.claim_id, b.space_id, b.subject_key, b.relation, b.score, true, false, false, d.denials
    from best b
   cross join lateral (
           select array_agg(d.by_record_no order by d.by_record_no desc) as denials
             from muniment.claim_decision d
            where d.tenant_id = _tenant
              and d.claim_id = b.claim_id
              and d.rule = 'negation'
              and d.live_from_commit <= _known_at
              and (d.live_to_commit is null or d.live_to_commit > _known_at)) d
   where b.valid_to <= _from
     and d.denials is not null
     and (b.named
          or not exists (select from best h where h.holds and h.subject_key = b.subject_key and h.relation = b.relation));
end $$;
