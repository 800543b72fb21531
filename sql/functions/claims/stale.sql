-- Notes the keys that facts speak of as stale at a commit; how many. With commit 0 every key that they ever had, for the whole of its
-- history. A few look-ups a fact.
create or replace function muniment.mark_facts(_tenant bigint, _commit bigint, _records bigint[])
returns bigint language sql volatile security invoker set search_path = '' as $$
  select muniment.mark_facts_as(_tenant, _commit, _records, nullif(_commit, 0));
$$;

-- The same by what names, those of relations too, meant at another commit: what a change of meaning takes facts away from.
create or replace function muniment.mark_facts_as(_tenant bigint, _commit bigint, _records bigint[], _meaning bigint)
returns bigint language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  _rows bigint;
begin
  insert into muniment.claim_dirty (tenant_id, space_id, subject_type, subject_key, relation, commit_no, record_no)
  select _tenant, k.space_id, k.subject_type, k.subject_key, k.relation, _commit, k.record_no
    from muniment.claim_keys(_tenant, _records, _meaning) k
  on conflict do nothing;
  get diagnostics _rows = row_count;
  return _rows;
end $$;

-- The keys that facts speak of, each with the first of the facts, by what names meant at a commit; null: every key that they ever had.
-- A few look-ups a fact.
create or replace function muniment.claim_keys(_tenant bigint, _records bigint[], _meaning bigint)
returns table (space_id bigint, subject_type text, subject_key text, relation text, record_no bigint)
language plpgsql stable security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with fact as materialized (
    select f.record_no, f.space_id, f.subject_type, f.subject_key, f.object_type, f.object_key, f.relation
      from muniment.fact f
     where f.tenant_id = _tenant
       and f.record_no = any (_records)
       and f.kind <> 'intention'
  ),
  meant as materialized (
    select n.name, n.relation, n.swapped
      from muniment.relation_names(_tenant) n
     where _meaning is null
        or (n.live_from_commit <= _meaning and (n.live_to_commit is null or n.live_to_commit > _meaning))
  ),
  placed as (
    select f.record_no, f.space_id, m.swapped, coalesce(m.relation, f.relation) as relation,
           case when m.swapped then f.object_type else f.subject_type end as subject_type,
           case when m.swapped then f.object_key else f.subject_key end as subject_key
      from fact f
      left join meant m on m.name = f.relation
    union
    select f.record_no, f.space_id, false, f.relation, f.subject_type, f.subject_key
      from fact f
     where _meaning is null
  ),
  key as materialized (
    select p.space_id, p.subject_type, k.name, p.relation, min(p.record_no) as record_no
      from placed p
     cross join lateral muniment.names_meant(_tenant, p.space_id, p.subject_type, p.subject_key, _meaning) k
     group by p.space_id, p.subject_type, k.name, p.relation
  ),
  -- what a relation that is its own inverse says of one end counts for all that stand with it
  mutual as (
    select k.space_id, t.entity_type, n.name, k.relation, k.record_no
      from key k
     cross join lateral muniment.facts_of_key(_tenant, k.space_id, k.subject_type, k.name, k.relation) f
     cross join lateral (values (f.subject_type, f.subject_key), (f.object_type, f.object_key)) t (entity_type, name)
     cross join lateral muniment.names_meant(_tenant, k.space_id, t.entity_type, t.name, _meaning) n
     where exists (select from meant m where m.relation = k.relation and m.name = k.relation and m.swapped)
  )
  select a.space_id, a.subject_type, a.name, a.relation, min(a.record_no)
    from (select k.space_id, k.subject_type, k.name, k.relation, k.record_no from key k
          union all
          select m.space_id, m.entity_type, m.name, m.relation, m.record_no from mutual m) a
   group by a.space_id, a.subject_type, a.name, a.relation;
end $$;

-- The entity that a name meant at a commit; null: every entity that it ever meant. A few look-ups.
create or replace function muniment.names_meant(_tenant bigint, _space bigint, _type text, _name text, _commit bigint)
returns table (name text) language sql stable security invoker set search_path = '' as $$
  select muniment.entity_root(_tenant, _space, _type, _name, _commit) where _commit is not null
  union
  select n.name from muniment.entity_names(_tenant, _space, _type, _name) n where _commit is null;
$$;

-- Every entity that a name ever meant, the name itself among them. A few look-ups.
create or replace function muniment.entity_names(_tenant bigint, _space bigint, _type text, _name text)
returns table (name text) language sql stable security invoker set search_path = '' as $$
  with recursive step as (
    select _name as name
    union
    select a.entity
      from step s
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = _space
       and a.entity_type = _type
       and a.name = s.name
  )
  select s.name from step s;
$$;

-- Notes as stale what a commit changed by bringing or closing these records, and by archiving these versions of sources: the keys of
-- the facts among them, and of the facts that rest on what was closed. How many keys. Look-ups for each record that was closed.
create or replace function muniment.mark_commit(_tenant bigint, _commit bigint, _brought bigint[], _closed bigint[], _sources uuid[],
                                                _versions integer[])
returns bigint language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  _ended bigint[] := _closed;
  _facts bigint[];
begin
  if cardinality(_sources) > 0 then
    _ended := _ended || array(
      select r.record_no
        from unnest(_sources, _versions) as a (source_id, version)
        join muniment.source s on s.tenant_id = _tenant and s.source_id = a.source_id
        join muniment.record r on r.tenant_id = _tenant and r.source_no = s.source_no and r.source_version = a.version);
  end if;
  select array_agg(distinct x.record_no) into _facts
    from (select f.record_no
            from muniment.fact f
           where f.tenant_id = _tenant
             and f.record_no = any (_brought || _ended)
          union all
          select e.record_no
            from muniment.evidence e
           where e.tenant_id = _tenant
             and e.basis_no = any (_ended)) x;
  if _facts is null then
    return 0;
  end if;
  return muniment.mark_facts(_tenant, _commit, _facts);
end $$;

-- Notes as stale at a commit what changes as a name begins or ceases to mean another entity: the keys of both, and those whose values
-- they are. How many keys. Reads the facts of the two names.
create or replace function muniment.mark_name(_tenant bigint, _commit bigint, _space bigint, _type text, _name text)
returns bigint language plpgsql volatile security invoker set search_path = '' as $$
declare
  _records bigint[];
begin
  with recursive below as (
    select _name as name
    union
    select a.name
      from below b
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = _space
       and a.entity_type = _type
       and a.entity = b.name
  )
  select array_agg(distinct f.record_no) into _records
    from below b
   cross join lateral (
           select f.record_no
             from muniment.fact f
            where f.tenant_id = _tenant
              and f.space_id = _space
              and f.subject_key = b.name
              and f.subject_type = _type
           union all
           select f.record_no
             from muniment.fact f
            where f.tenant_id = _tenant
              and f.space_id = _space
              and f.object_key = b.name
              and f.object_type = _type) f;
  if _records is null then
    return 0;
  end if;
  -- under what the name meant before, and under what it means now
  return muniment.mark_facts_as(_tenant, _commit, _records, _commit - 1) + muniment.mark_facts_as(_tenant, _commit, _records, _commit);
end $$;

-- Gives the logged decisions of a commit that two names are one effect, and notes what they make stale; how many keys.
create or replace function muniment.apply_aliases(_tenant bigint, _commit bigint, _decisions uuid[], _records bigint[], _parts text[],
                                                  _of bigint[], _of_parts text[], _rules text[], _similarities real[])
returns bigint language plpgsql volatile security invoker set search_path = '' as $$
declare
  _alias record;
  _rows bigint := 0;
begin
  for _alias in
    insert into muniment.entity_alias (tenant_id, space_id, entity_type, name, live_from_commit, entity, decision_id, rule, similarity,
                                       record_no, entity_record_no)
    select _tenant, a.space_id, case when d.part = 'subject' then a.subject_type else a.object_type end,
           case when d.part = 'subject' then a.subject_key else a.object_key end, _commit,
           case when d.of_part = 'subject' then o.subject_key else o.object_key end, d.decision_id, d.rule, d.similarity,
           d.record_no, d.of_no
      from unnest(_decisions, _records, _parts, _of, _of_parts, _rules, _similarities)
           as d (decision_id, record_no, part, of_no, of_part, rule, similarity)
      join muniment.fact a on a.tenant_id = _tenant and a.record_no = d.record_no
      join muniment.fact o on o.tenant_id = _tenant and o.record_no = d.of_no
    returning space_id, entity_type, name
  loop
    _rows := _rows + muniment.mark_name(_tenant, _commit, _alias.space_id, _alias.entity_type, _alias.name);
  end loop;
  return _rows;
end $$;

-- Notes as stale at a commit what the registry's change of these names of relations makes so; how many keys. Reads the facts of these
-- relations.
create or replace function muniment.mark_relations(_tenant bigint, _commit bigint, _names text[])
returns bigint language plpgsql volatile security invoker set search_path = '' as $$
declare
  _records bigint[] := array(
    select f.record_no from muniment.fact f where f.tenant_id = _tenant and f.relation = any (_names) and f.kind <> 'intention');
begin
  return muniment.mark_facts_as(_tenant, _commit, _records, _commit - 1) + muniment.mark_facts_as(_tenant, _commit, _records, _commit);
end $$;
