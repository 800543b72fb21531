-- What an erasure of records takes from claims, before their contents go: a name that another fact has too is kept by that fact; a
-- decision about a name whose facts all go is gone. The claims of every key that erased facts ever spoke of are deleted, for they may
-- quote them. Returns the facts that are left and speak of these keys, to be marked once the contents are gone. Takes the locks of the
-- keys, so that nobody compiles them meanwhile. Reads the facts of these keys, and of the names that lose a decision.
create or replace function muniment.release_claims(_tenant bigint, _records bigint[])
returns bigint[] language plpgsql volatile security invoker set search_path = '' as $$
declare
  _facts bigint[] := array(select f.record_no from muniment.fact f where f.tenant_id = _tenant and f.record_no = any (_records));
  _key record;
  _left bigint[] := '{}';
  _claims uuid[];
begin
  if _facts = '{}' then
    return _left;
  end if;
  perform muniment.keep_names(_tenant, _facts);
  _left := muniment.facts_losing_names(_tenant, _facts);
  for _key in
    select k.space_id, k.subject_type, k.subject_key, k.relation
      from muniment.claim_keys(_tenant, _facts || _left, null) k
     order by 1, 2, 3, 4
  loop
    perform pg_advisory_xact_lock(muniment.claim_lock(_tenant, _key.space_id, _key.subject_type, _key.subject_key, _key.relation));
    _left := _left || array(
      select m.record_no
        from muniment.facts_of_key(_tenant, _key.space_id, _key.subject_type, _key.subject_key, _key.relation) m);
    delete from muniment.claim_dirty d
     where d.tenant_id = _tenant and d.space_id = _key.space_id and d.subject_type = _key.subject_type
       and d.subject_key = _key.subject_key and d.relation = _key.relation;
    with gone as (
      delete from muniment.claim c
       where c.tenant_id = _tenant and c.space_id = _key.space_id and c.subject_key = _key.subject_key
         and c.relation = _key.relation and c.subject_type = _key.subject_type
      returning c.claim_id
    )
    select array_agg(distinct g.claim_id) into _claims from gone g;
    if _claims is not null then
      delete from muniment.claim_evidence e where e.tenant_id = _tenant and e.claim_id = any (_claims);
      delete from muniment.claim_decision d where d.tenant_id = _tenant and d.claim_id = any (_claims);
    end if;
  end loop;
  return array(select distinct l.record_no from unnest(_left) l (record_no) where l.record_no <> all (_facts) order by 1);
end $$;

-- Lets names that erased facts brought, and decisions that rest on their having them, rest on other facts with the same names. A
-- decision that an erased fact states outright stays with it. A few look-ups a name.
create or replace function muniment.keep_names(_tenant bigint, _facts bigint[])
returns void language plpgsql volatile security invoker set search_path = '' as $$
declare
  _alias record;
begin
  update muniment.entity e
     set record_no = o.record_no
    from (select n.space_id, n.entity_type, n.name,
                 muniment.fact_with_name(_tenant, n.space_id, n.entity_type, n.name, _facts) as record_no
            from muniment.names_of_facts(_tenant, _facts) n) o
   where e.tenant_id = _tenant and e.space_id = o.space_id and e.entity_type = o.entity_type and e.name = o.name
     and e.record_no = any (_facts) and o.record_no is not null;
  update muniment.entity_gram g
     set record_no = e.record_no
    from muniment.entity e
   where g.tenant_id = _tenant and g.record_no = any (_facts)
     and e.tenant_id = _tenant and e.space_id = g.space_id and e.entity_type = g.entity_type and e.name = g.name
     and e.record_no <> all (_facts);
  for _alias in
    select a.decision_id,
           case when a.record_no <> all (_facts) then a.record_no
                else muniment.fact_with_name(_tenant, a.space_id, a.entity_type, a.name, _facts) end as record_no,
           case when a.entity_record_no <> all (_facts) then a.entity_record_no
                else muniment.fact_with_name(_tenant, a.space_id, a.entity_type, a.entity, _facts) end as entity_record_no
      from muniment.aliases_on(_tenant, _facts) a
     where a.rule <> 'stated'
  loop
    update muniment.entity_alias a
       set record_no = _alias.record_no, entity_record_no = _alias.entity_record_no
     where a.tenant_id = _tenant and a.decision_id = _alias.decision_id
       and _alias.record_no is not null and _alias.entity_record_no is not null;
  end loop;
end $$;

-- The decisions about names that rest on facts. Indexes entity_alias_record and entity_alias_entity_record.
create or replace function muniment.aliases_on(_tenant bigint, _facts bigint[])
returns setof muniment.entity_alias language sql stable security invoker set search_path = '' as $$
  select a.* from muniment.entity_alias a where a.tenant_id = _tenant and a.record_no = any (_facts)
  union
  select a.* from muniment.entity_alias a where a.tenant_id = _tenant and a.entity_record_no = any (_facts);
$$;

-- A fact with a name, other than these; null for none. A look-up.
create or replace function muniment.fact_with_name(_tenant bigint, _space bigint, _type text, _name text, _but bigint[])
returns bigint language sql stable security invoker set search_path = '' as $$
  select x.record_no
    from (select f.record_no
            from muniment.fact f
           where f.tenant_id = _tenant and f.space_id = _space and f.subject_key = _name and f.subject_type = _type
             and f.record_no <> all (_but)
          union all
          select f.record_no
            from muniment.fact f
           where f.tenant_id = _tenant and f.space_id = _space and f.object_key = _name and f.object_type = _type
             and f.record_no <> all (_but)) x
   limit 1;
$$;

-- The facts whose names mean something else once the decisions that rest on these facts are gone. Reads the facts of these names.
create or replace function muniment.facts_losing_names(_tenant bigint, _facts bigint[])
returns bigint[] language sql stable security invoker set search_path = '' as $$
  with recursive below as (
    select a.space_id, a.entity_type, a.name
      from muniment.aliases_on(_tenant, _facts) a
    union
    select b.space_id, b.entity_type, a.name
      from below b
     cross join lateral (
             select a.name
               from muniment.entity_alias a
              where a.tenant_id = _tenant and a.space_id = b.space_id and a.entity_type = b.entity_type and a.entity = b.name
             offset 0) a
  )
  select coalesce(array_agg(distinct f.record_no), '{}')
    from below b
   cross join lateral (
           select f.record_no
             from muniment.fact f
            where f.tenant_id = _tenant and f.space_id = b.space_id and f.subject_key = b.name and f.subject_type = b.entity_type
           union all
           select f.record_no
             from muniment.fact f
            where f.tenant_id = _tenant and f.space_id = b.space_id and f.object_key = b.name and f.object_type = b.entity_type) f;
$$;
