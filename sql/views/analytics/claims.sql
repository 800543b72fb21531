-- What the facts say together now. The index claim_key for those about somebody; reading all is linear.
create or replace view analytics.claims with (security_invoker = true) as
  select 'c_' || pg_catalog.replace(c.claim_id::text, '-', '') as claim_id, c.claim_id as claim_uuid, c.subject, c.subject_key, c.subject_type,
         c.relation, c.object, c.object_type, c.negated, c.status,
         coalesce(c.contested_during @> pg_catalog.now(), false) as contested_now,
         pg_catalog.lower(c.contested_during) as contested_from, c.valid_from, c.valid_to, c.from_basis, c.facts, c.groups,
         c.fact_confidence, c.last_said_at, p.project_id, p.user_id, p.agent_id, c.live_from_commit as commit_no, t.at as learned_at
    from muniment.claim c
    left join muniment.space p
      on p.tenant_id = c.tenant_id
     and p.space_id = c.space_id
    left join muniment.log_commit t
      on t.tenant_id = c.tenant_id
     and t.commit_no = c.live_from_commit
   where c.live_to_commit is null;

comment on view analytics.claims is 'What the facts say together, as known now: one row a claim, in its latest version.';
comment on column analytics.claims.claim_id is 'The id of the claim in the interfaces: c_ and 32 hexadecimal digits.';
comment on column analytics.claims.claim_uuid is 'The same id as a uuid: filter by this one, which an index finds.';
comment on column analytics.claims.subject is 'Whom or what it is about.';
comment on column analytics.claims.subject_key is 'The subject in the form in which names are compared: filter by this one, which an index finds.';
comment on column analytics.claims.subject_type is 'person, organization, place, product, event, thing, time, quantity or unknown.';
comment on column analytics.claims.relation is 'What is said, in lower snake case.';
comment on column analytics.claims.object is 'The value.';
comment on column analytics.claims.object_type is 'Of what type the value is; as subject_type.';
comment on column analytics.claims.negated is 'Whether it says that this is not so.';
comment on column analytics.claims.status is 'ACTIVE, CONTESTED or SUPERSEDED: how it stands at the end of its validity, or for good.';
comment on column analytics.claims.contested_now is 'Whether at this moment another value, or its denial, holds too and nothing orders the two.';
comment on column analytics.claims.contested_from is 'From when it was first contested; null for never, or for always.';
comment on column analytics.claims.valid_from is 'From when it holds; null where that is not known.';
comment on column analytics.claims.valid_to is 'Until when, exclusive; null: it still holds.';
comment on column analytics.claims.from_basis is 'What valid_from is: event, the time told of; said, the time of saying; learned, of arrival; unknown.';
comment on column analytics.claims.facts is 'How many facts say it.';
comment on column analytics.claims.groups is 'In how many conversations and documents.';
comment on column analytics.claims.fact_confidence is 'What these facts come to together, from 0 to 1, before any decay.';
comment on column analytics.claims.last_said_at is 'When it was last said, or else learned: what its age counts from.';
comment on column analytics.claims.project_id is 'The project of its namespace; null where it has none.';
comment on column analytics.claims.user_id is 'The user of its namespace; null where it has none.';
comment on column analytics.claims.agent_id is 'The agent of its namespace; null where it has none.';
comment on column analytics.claims.commit_no is 'The commit of the log that made this version.';
comment on column analytics.claims.learned_at is 'When that commit was sealed.';

create or replace view analytics.claim_facts with (security_invoker = true) as
  select e.claim_id as claim_uuid, e.record_no
    from muniment.claim_evidence e
   where e.live_to_commit is null;

comment on view analytics.claim_facts is 'The facts that each claim rests on now.';
comment on column analytics.claim_facts.claim_uuid is 'The claim: analytics.claims.';
comment on column analytics.claim_facts.record_no is 'The fact: analytics.facts.';
