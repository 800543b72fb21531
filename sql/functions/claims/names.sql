-- An id made from public ids, so that it is the same whenever it is computed: a UUID of version 8. Constant cost.
create or replace function muniment.derived_id(_of text)
returns uuid language sql immutable security invoker set search_path = '' as $$
  select overlay(overlay(md5(_of) placing '8' from 13) placing '8' from 17)::uuid;
$$;

-- A name as names are compared, as muniment.fact has it in subject_key and object_key. Linear in its length.
create or replace function muniment.name_key(_name text)
returns text language sql immutable security invoker set search_path = '' as $$
  select left(btrim(lower(regexp_replace(normalize(_name, NFKC), '\s+', ' ', 'g')), ' .,;:!?"''()'), 200);
$$;

-- The entity that a name meant at a commit: where the logged decisions lead from it, itself where there is none. A few look-ups.
create or replace function muniment.entity_root(_tenant bigint, _space bigint, _type text, _name text, _commit bigint)
returns text language sql stable security invoker set search_path = '' as $$
  with recursive step as (
    select _name as name, 0 as depth
    union all
    select a.entity, s.depth + 1
      from step s
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = _space
       and a.entity_type = _type
       and a.name = s.name
       and a.live_from_commit <= _commit
       and (a.live_to_commit is null or a.live_to_commit > _commit)
     where s.depth < 16
  )
  select s.name from step s order by s.depth desc limit 1;
$$;

-- Whether a relation that no registry knows has one value at a time, by its name alone. Constant cost.
create or replace function muniment.single_by_name(_relation text)
returns boolean language sql immutable security invoker set search_path = '' as $$
  select _relation ~ '^(favorite|favourite|current|main|primary|preferred)_';
$$;

-- Every name of a known relation, from which commit to which it means what: the relation, whether subject and object stand the
-- other way round, and whether a subject has one value of it at a time. What a tenant registered goes before the defaults.
-- Reads the tenant's registry.
create or replace function muniment.relation_names(_tenant bigint)
returns table (name text, relation text, swapped boolean, single boolean, live_from_commit bigint, live_to_commit bigint)
language sql stable security invoker set search_path = '' as $$
  with own as materialized (
    select r.relation, r.single, r.aliases, r.inverses, r.live_from_commit, r.live_to_commit
      from muniment.relation r
     where r.tenant_id = _tenant
  ),
  known as (
    select o.relation, o.single, o.aliases, o.inverses, o.live_from_commit, o.live_to_commit, true as registered
      from own o
    union all
    select d.relation, d.single, d.aliases, d.inverses, 0,
           (select min(o.live_from_commit) from own o where o.relation = d.relation), false
      from muniment.relation_default d
  ),
  named as (
    select k.relation as name, k.relation, false as swapped, k.single, k.live_from_commit, k.live_to_commit, true as registered
      from known k
    union all
    select a.name, k.relation, false, k.single, k.live_from_commit, k.live_to_commit, k.registered
      from known k, unnest(k.aliases) a (name)
    union all
    select i.name, k.relation, true, k.single, k.live_from_commit, k.live_to_commit, k.registered
      from known k, unnest(k.inverses) i (name)
  )
  select n.name, n.relation, n.swapped, n.single, n.live_from_commit,
         case when n.registered then n.live_to_commit
              else least(n.live_to_commit, (select min(o.live_from_commit) from own o where o.relation = n.name)) end
    from named n;
$$;
