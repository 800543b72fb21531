-- The claims that a question asks about, as known at a commit: of a subject or a value that it names (_names: every run of its words, as
-- names are compared), of a relation one of whose names shares at least half of its words with it (_terms). Each with the share of these
-- words, whether it holds at some time from _from to _to (null: open), and the facts that it rests on. Best first, at
-- most _most. A probe of an index a name and space; for each subject that there is one a relation of its, and one a claim.
create or replace function muniment.search_claims(
  _tenant bigint, _spaces bigint[], _names text[], _terms text[], _language text, _known_at bigint, _from timestamptz, _to timestamptz,
  _most integer)
returns table (claim_id uuid, subject_key text, relation text, score double precision, holds boolean, facts bigint[])
language plpgsql stable security invoker set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with recursive place as materialized (
    select s.space_id, n.name from unnest(_spaces) s (space_id), unnest(_names) n (name)
  ),
  meant as materialized (
    select p.space_id, p.name from place p
    union
    select a.space_id, muniment.entity_root(_tenant, a.space_id, a.entity_type, a.name, _known_at)
      from place p
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = p.space_id
       and a.entity_type = any (array['person', 'organization', 'place', 'product', 'event', 'thing'])
       and a.name = p.name
  ),
  told as (  -- the relations that a subject has, one probe each
    select m.space_id, m.name,
           (select c.relation
              from muniment.claim c
             where c.tenant_id = _tenant and c.space_id = m.space_id and c.subject_key = m.name
             order by c.relation
             limit 1) as relation
      from meant m
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
  valued as (  -- the relations that a value has
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
  called as materialized (
    select n.name, n.relation from muniment.relation_names(_tenant) n where n.live_to_commit is null
  ),
  asked as materialized (  -- which of these relations the question asks about
    select r.relation, max(x.score) as score
      from (select t.relation from told t union select coalesce(c.relation, v.relation) from valued v left join called c on c.name = v.relation) r
     cross join lateral (
             select r.relation as name
             union
             select c.name from called c where c.relation = r.relation) n
     cross join lateral (
             select avg((w.term = any (_terms))::integer) as score
               from muniment.tokenize(replace(n.name, '_', ' '), _language) w
              where length(w.term) > 2) x
     where r.relation is not null
       and x.score >= 0.5
     group by r.relation
  ),
  claim as materialized (
    select c.claim_id, c.subject_key, c.relation, c.valid_from, c.valid_to, a.score + case when c.object_key = any (_names) then 1 else 0 end as score
      from told t
      join asked a on a.relation = t.relation
     cross join lateral (
             select c.*
               from muniment.claim c
              where c.tenant_id = _tenant
                and c.space_id = t.space_id
                and c.subject_key = t.name
                and c.relation = t.relation
                and c.live_from_commit <= _known_at
                and (c.live_to_commit is null or c.live_to_commit > _known_at)
              order by c.live_from_commit desc
              limit 4 * _most) c
    union
    select c.claim_id, c.subject_key, c.relation, c.valid_from, c.valid_to, a.score + case when c.subject_key = any (_names) then 1 else 0 end
      from valued v
      join asked a on a.relation = coalesce((select n.relation from called n where n.name = v.relation limit 1), v.relation)
     cross join lateral (
             select f.record_no
               from muniment.fact f
              where f.tenant_id = _tenant
                and f.space_id = v.space_id
                and f.object_key = v.name
                and f.relation = v.relation
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
  ),
  best as (
    select c.claim_id, c.subject_key, c.relation, c.score::double precision as score,
           (c.valid_from is null or _to is null or c.valid_from <= _to) and (c.valid_to is null or _from is null or c.valid_to > _from) as holds
      from claim c
     order by c.score desc, 5 desc, c.valid_from desc nulls last, c.claim_id
     limit _most
  )
  select b.claim_id, b.subject_key, b.relation, b.score, b.holds,
         array(select e.record_no
                 from muniment.claim_evidence e
                where e.tenant_id = _tenant
                  and e.claim_id = b.claim_id
                  and e.live_from_commit <= _known_at
                  and (e.live_to_commit is null or e.live_to_commit > _known_at)
                order by e.record_no desc
                limit 8)
    from best b;
end $$;
