-- Brings the claims of keys up to their definition at a commit each, where the versions that are live are those of the commits
-- before. Each key stands once. How many keys. Cost: the definition's, and a write for what changed. The caller holds the keys' locks.
create or replace function muniment.apply_claims(
  _tenant bigint, _spaces bigint[], _types text[], _subjects text[], _relations text[], _commits bigint[])
returns bigint language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  with question as materialized (
    select q.n::integer as n, q.space_id, q.subject_type, q.subject_key, q.relation, q.commit_no
      from unnest(_spaces, _types, _subjects, _relations, _commits)
           with ordinality as q (space_id, subject_type, subject_key, relation, commit_no, n)
  ),
  defined as materialized (
    select d.* from muniment.claim_definition(_tenant, _spaces, _types, _subjects, _relations, _commits) d
  ),
  current as materialized (
    select q.n, q.commit_no, c.claim_id, c.live_from_commit,
           exists (select from defined d
                    where d.question = q.n
                      and d.claim_id = c.claim_id
                      and row(d.subject, d.object_type, d.object_key, d.object, d.negated, d.status, d.contested_during, d.valid_from, d.valid_to,
                              d.from_basis, d.facts, d.groups, d.fact_confidence, d.last_said_at, d.anchor_commit, d.anchor_no)
                          is not distinct from
                          row(c.subject, c.object_type, c.object_key, c.object, c.negated, c.status, c.contested_during, c.valid_from, c.valid_to,
                              c.from_basis, c.facts, c.groups, c.fact_confidence, c.last_said_at, c.anchor_commit, c.anchor_no)) as kept
      from question q
      join muniment.claim c
        on c.tenant_id = _tenant
       and c.space_id = q.space_id
       and c.subject_key = q.subject_key
       and c.relation = q.relation
       and c.subject_type = q.subject_type
       and c.live_to_commit is null
  ),
  involved as materialized (
    select c.n, c.commit_no, c.claim_id from current c
    union
    select d.question, q.commit_no, d.claim_id from defined d join question q on q.n = d.question
  ),
  closed as (
    update muniment.claim c
       set live_to_commit = o.commit_no
      from current o
     where c.tenant_id = _tenant
       and c.claim_id = o.claim_id
       and c.live_from_commit = o.live_from_commit
       and not o.kept
  ),
  opened as (
    insert into muniment.claim (
      tenant_id, claim_id, live_from_commit, space_id, subject_type, subject_key, subject, relation, object_type, object_key, object,
      negated, status, contested_during, valid_from, valid_to, from_basis, facts, groups, fact_confidence, last_said_at, anchor_commit, anchor_no)
    select _tenant, d.claim_id, q.commit_no, d.space_id, d.subject_type, d.subject_key, d.subject, d.relation, d.object_type,
           d.object_key, d.object, d.negated, d.status, d.contested_during, d.valid_from, d.valid_to, d.from_basis, d.facts, d.groups,
           d.fact_confidence, d.last_said_at, d.anchor_commit, d.anchor_no
      from defined d
      join question q on q.n = d.question
     where not exists (select from current c where c.n = d.question and c.claim_id = d.claim_id and c.kept)
  ),
  evidence as materialized (
    select d.question, d.claim_id, d.space_id, e.record_no from defined d, unnest(d.evidence) e (record_no)
  ),
  resting as materialized (
    select i.n, i.commit_no, v.claim_id, v.record_no, v.live_from_commit
      from involved i
      join muniment.claim_evidence v on v.tenant_id = _tenant and v.claim_id = i.claim_id and v.live_to_commit is null
  ),
  evidence_closed as (
    update muniment.claim_evidence v
       set live_to_commit = r.commit_no
      from resting r
     where v.tenant_id = _tenant
       and v.claim_id = r.claim_id
       and v.record_no = r.record_no
       and v.live_from_commit = r.live_from_commit
       and not exists (select from evidence e where e.claim_id = r.claim_id and e.record_no = r.record_no)
  ),
  evidence_opened as (
    insert into muniment.claim_evidence (tenant_id, claim_id, record_no, live_from_commit, space_id)
    select _tenant, e.claim_id, e.record_no, q.commit_no, e.space_id
      from evidence e
      join question q on q.n = e.question
     where not exists (select from resting r where r.claim_id = e.claim_id and r.record_no = e.record_no)
  ),
  decision as materialized (
    select d.question, d.claim_id, d.space_id, d.anchor_no, x.decision_id, x.rule, x.by_record_no
      from defined d, unnest(d.decisions, d.rules, d.by_records) x (decision_id, rule, by_record_no)
  ),
  deciding as materialized (
    select i.n, i.commit_no, v.decision_id, v.claim_id, v.live_from_commit
      from involved i
      join muniment.claim_decision v on v.tenant_id = _tenant and v.claim_id = i.claim_id and v.live_to_commit is null
  ),
  decision_closed as (
    update muniment.claim_decision v
       set live_to_commit = r.commit_no
      from deciding r
     where v.tenant_id = _tenant
       and v.decision_id = r.decision_id
       and v.live_from_commit = r.live_from_commit
       and not exists (select from decision d where d.decision_id = r.decision_id)
  )
  insert into muniment.claim_decision (tenant_id, decision_id, live_from_commit, space_id, claim_id, rule, record_no, by_record_no)
  select _tenant, d.decision_id, q.commit_no, d.space_id, d.claim_id, d.rule, d.anchor_no, d.by_record_no
    from decision d
    join question q on q.n = d.question
   where not exists (select from deciding r where r.decision_id = d.decision_id);
  return cardinality(_commits);
end $$;

-- The names that a relation has or ever had, itself among them, and the commits between which; and what else its own name meant. Reads the
-- registry.
create or replace function muniment.relation_called(_tenant bigint, _relation text)
returns table (name text, live_from_commit bigint, live_to_commit bigint)
language sql stable security invoker set search_path = '' as $$
  select r.name, r.live_from_commit, r.live_to_commit from muniment.relation_names(_tenant) r where r.relation = _relation
  union all
  select _relation, null, null
  union all
  select r.name, r.live_from_commit, r.live_to_commit from muniment.relation_names(_tenant) r where r.name = _relation;
$$;

-- The facts that speak of a key, or did at some commit, whichever way round. Index ranges of the key's names.
create or replace function muniment.facts_of_key(_tenant bigint, _space bigint, _type text, _subject text, _relation text)
returns table (record_no bigint, subject_type text, subject_key text, object_type text, object_key text)
language sql stable security invoker set search_path = '' as $$
  with recursive name as (
    select _subject as name
    union
    select a.name
      from name n
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = _space
       and a.entity_type = _type
       and a.entity = n.name
  )
  select f.record_no, f.subject_type, f.subject_key, f.object_type, f.object_key
    from name n
   cross join (select distinct c.name from muniment.relation_called(_tenant, _relation) c) c
   cross join lateral (
           select f.record_no, f.subject_type, f.subject_key, f.object_type, f.object_key
             from muniment.fact f
            where f.tenant_id = _tenant
              and f.space_id = _space
              and f.subject_key = n.name
              and f.relation = c.name
           union all
           select f.record_no, f.subject_type, f.subject_key, f.object_type, f.object_key
             from muniment.fact f
            where f.tenant_id = _tenant
              and f.space_id = _space
              and f.object_key = n.name
              and f.relation = c.name) f;
$$;

-- The commits at which the claims of a key may have changed, in order: more than did is no harm. Reads the key's facts and evidence.
create or replace function muniment.claim_changes(_tenant bigint, _space bigint, _type text, _subject text, _relation text)
returns table (commit_no bigint) language plpgsql stable security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with called as materialized (
    select c.live_from_commit, c.live_to_commit from muniment.relation_called(_tenant, _relation) c
  ),
  spoken as materialized (
    select f.record_no, f.subject_type, f.subject_key, f.object_type, f.object_key
      from muniment.facts_of_key(_tenant, _space, _type, _subject, _relation) f
  ),
  -- of a relation that is its own inverse also what is said of the other ends
  mentioned as materialized (
    select s.record_no, s.subject_type, s.subject_key, s.object_type, s.object_key from spoken s
    union
    select f.record_no, f.subject_type, f.subject_key, f.object_type, f.object_key
      from spoken s
     cross join lateral (values (s.subject_type, s.subject_key), (s.object_type, s.object_key)) t (entity_type, name)
     cross join lateral muniment.entity_names(_tenant, _space, t.entity_type, t.name) n
     cross join lateral muniment.facts_of_key(_tenant, _space, t.entity_type, n.name, _relation) f
     where exists (select from muniment.relation_names(_tenant) r where r.relation = _relation and r.name = _relation and r.swapped)
  ),
  moment as (
    select c.live_from_commit as commit_no from called c
    union
    select c.live_to_commit from called c
    union
    select x.commit_no
      from mentioned m
     cross join lateral (
             select l.live_from_commit, l.live_to_commit
               from muniment.liveness l
              where l.tenant_id = _tenant
                and l.record_no = m.record_no
             union all
             select l.live_from_commit, l.live_to_commit
               from muniment.evidence e
               join muniment.liveness l on l.tenant_id = _tenant and l.record_no = e.basis_no
              where e.tenant_id = _tenant
                and e.record_no = m.record_no) l
     cross join lateral (values (l.live_from_commit), (l.live_to_commit)) x (commit_no)
    union
    select x.commit_no
      from mentioned m
     cross join lateral (values (m.subject_type, m.subject_key), (m.object_type, m.object_key)) t (entity_type, name)
     cross join lateral muniment.entity_names(_tenant, _space, t.entity_type, t.name) e
      join muniment.entity_alias a
        on a.tenant_id = _tenant
       and a.space_id = _space
       and a.entity_type = t.entity_type
       and a.name = e.name
     cross join lateral (values (a.live_from_commit), (a.live_to_commit)) x (commit_no)
    union
    select u.undone_commit
      from mentioned m
      join muniment.claim_undo u on u.tenant_id = _tenant and u.record_no = m.record_no
  )
  select m.commit_no from moment m where m.commit_no > 0 order by 1;
end $$;

-- Recompiles up to so many stale keys that nobody else is at, each under its lock; how many keys that was, and whether
-- some are left, here or with others.
-- Commits are taken one after the other, so that every version is the one of its commit. Cost: apply_claims for each.
create or replace function muniment.compile_claims(_tenant bigint, _limit integer)
returns table (keys bigint, more boolean) language plpgsql volatile security invoker set search_path = ''
set enable_seqscan = off  -- the table of dirty keys is empty most of the time, and its statistics say nothing
as $$
declare
  _spaces bigint[]; _types text[]; _subjects text[]; _relations text[]; _commits bigint[];
  _key record;
  _keys bigint;
begin
  select array_agg(k.space_id), array_agg(k.subject_type), array_agg(k.subject_key), array_agg(k.relation)
    into _spaces, _types, _subjects, _relations
    from (select d.space_id, d.subject_type, d.subject_key, d.relation
            from (select distinct d.space_id, d.subject_type, d.subject_key, d.relation
                    from muniment.claim_dirty d
                   where d.tenant_id = _tenant
                   order by d.space_id, d.subject_type, d.subject_key, d.relation
                   limit 8 * _limit) d
           where pg_try_advisory_xact_lock(muniment.claim_lock(_tenant, d.space_id, d.subject_type, d.subject_key, d.relation))
           limit _limit) k;
  if _spaces is null then
    -- others are at all of them, or there are none: wait for one, so that nobody returns before what it asked for is done
    select d.space_id, d.subject_type, d.subject_key, d.relation into _key
      from muniment.claim_dirty d
     where d.tenant_id = _tenant
     order by d.space_id, d.subject_type, d.subject_key, d.relation
     limit 1;
    if not found then
      return query select 0::bigint, false;
      return;
    end if;
    perform pg_advisory_xact_lock(muniment.claim_lock(_tenant, _key.space_id, _key.subject_type, _key.subject_key, _key.relation));
    _spaces := array[_key.space_id]; _types := array[_key.subject_type];
    _subjects := array[_key.subject_key]; _relations := array[_key.relation];
  end if;
  _keys := cardinality(_spaces);
  -- from here on each statement starts after the locks are held, and sees what their last holders wrote
  for _key in
    select k.space_id, k.subject_type, k.subject_key, k.relation
      from unnest(_spaces, _types, _subjects, _relations) as k (space_id, subject_type, subject_key, relation)
      join muniment.claim_dirty d
        on d.tenant_id = _tenant
       and d.space_id = k.space_id
       and d.subject_type = k.subject_type
       and d.subject_key = k.subject_key
       and d.relation = k.relation
       and d.commit_no = 0
  loop
    perform muniment.recompile_key(_tenant, _key.space_id, _key.subject_type, _key.subject_key, _key.relation);
  end loop;
  loop
    with due as materialized (
      select k.space_id, k.subject_type, k.subject_key, k.relation, d.commit_no
        from unnest(_spaces, _types, _subjects, _relations) as k (space_id, subject_type, subject_key, relation)
       cross join lateral (
               select d.commit_no
                 from muniment.claim_dirty d
                where d.tenant_id = _tenant
                  and d.space_id = k.space_id
                  and d.subject_type = k.subject_type
                  and d.subject_key = k.subject_key
                  and d.relation = k.relation
                order by d.commit_no
                limit 1) d
    ),
    taken as (
      delete from muniment.claim_dirty d
       using due k
       where d.tenant_id = _tenant
         and d.space_id = k.space_id
         and d.subject_type = k.subject_type
         and d.subject_key = k.subject_key
         and d.relation = k.relation
         and d.commit_no = k.commit_no
    )
    select array_agg(k.space_id), array_agg(k.subject_type), array_agg(k.subject_key), array_agg(k.relation), array_agg(k.commit_no)
      into _spaces, _types, _subjects, _relations, _commits
      from due k;
    exit when _spaces is null;
    perform muniment.apply_claims(_tenant, _spaces, _types, _subjects, _relations, _commits);
  end loop;
  return query
  select _keys, exists (select from muniment.claim_dirty d where d.tenant_id = _tenant limit 1);
end $$;

-- Makes all versions of a key's claims anew, and takes it off the list of what is stale. Cost: apply_claims for each of its changes.
-- The caller holds the key's lock.
create or replace function muniment.recompile_key(_tenant bigint, _space bigint, _type text, _subject text, _relation text)
returns void language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  _claims uuid[];
  _commit bigint;
  -- what is sealed from here on is left on the list
  _last bigint := (select h.commits from muniment.log_head h where h.tenant_id = _tenant);
begin
  delete from muniment.claim_dirty d
   where d.tenant_id = _tenant and d.space_id = _space and d.subject_type = _type and d.subject_key = _subject and d.relation = _relation
     and d.commit_no <= _last;
  with gone as (
    delete from muniment.claim c
     where c.tenant_id = _tenant and c.space_id = _space and c.subject_key = _subject and c.relation = _relation and c.subject_type = _type
    returning c.claim_id
  )
  select array_agg(distinct g.claim_id) into _claims from gone g;
  if _claims is not null then
    delete from muniment.claim_evidence e where e.tenant_id = _tenant and e.claim_id = any (_claims);
    delete from muniment.claim_decision d where d.tenant_id = _tenant and d.claim_id = any (_claims);
  end if;
  for _commit in
    select c.commit_no from muniment.claim_changes(_tenant, _space, _type, _subject, _relation) c where c.commit_no <= _last
  loop
    perform muniment.apply_claims(_tenant, array[_space], array[_type], array[_subject], array[_relation], array[_commit]);
  end loop;
end $$;

-- The number of a key's advisory lock. Constant cost.
create or replace function muniment.claim_lock(_tenant bigint, _space bigint, _type text, _subject text, _relation text)
returns bigint language sql immutable security invoker set search_path = '' as $$
  select hashtextextended(concat_ws(chr(31), 'claim', _tenant, _space, _type, _subject, _relation), 0);
$$;
