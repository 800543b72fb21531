-- Facts and what they rest on. Primary keys, and fact_subject for those about somebody; reading all is linear.
create or replace view analytics.facts with (security_invoker = true) as
  select f.record_no, 'd_' || pg_catalog.replace(r.record_id::text, '-', '') as record_id, f.subject, f.subject_key, f.subject_type, f.relation, f.object,
         f.object_type, f.negated, f.kind, f.confidence, f.event_from, f.event_to, f.said_at, f.extractor, c.text,
         p.project_id, p.user_id, p.agent_id, l.live_from_commit as commit_no, t.at as learned_at,
         l.live_from_commit is not null and l.live_to_commit is null as live
    from muniment.fact f
    left join muniment.record r
      on r.tenant_id = f.tenant_id
     and r.record_no = f.record_no
    left join muniment.record_content c
      on c.tenant_id = f.tenant_id
     and c.record_no = f.record_no
    left join muniment.space p
      on p.tenant_id = f.tenant_id
     and p.space_id = f.space_id
    left join muniment.liveness l
      on l.tenant_id = f.tenant_id
     and l.record_no = f.record_no
     and not l.reopened
    left join muniment.log_commit t
      on t.tenant_id = l.tenant_id
     and t.commit_no = l.live_from_commit;

comment on view analytics.facts is 'What was drawn from the evidence, one statement a row; a fact is a record of kind fact, or a correction.';
comment on column analytics.facts.record_no is 'The number of the record that is the fact: analytics.records, analytics.query_hits.';
comment on column analytics.facts.record_id is 'The id of that record in the interfaces.';
comment on column analytics.facts.subject is 'Whom or what it is about.';
comment on column analytics.facts.subject_key is 'The subject in the form in which names are compared: filter by this one, which an index finds.';
comment on column analytics.facts.subject_type is 'person, organization, place, product, event, thing, time, quantity or unknown.';
comment on column analytics.facts.relation is 'What is said, in lower snake case: lives_in, works_at.';
comment on column analytics.facts.object is 'The value: where, for whom, what.';
comment on column analytics.facts.object_type is 'Of what type the value is; as subject_type.';
comment on column analytics.facts.negated is 'Whether it says that this is not so.';
comment on column analytics.facts.kind is 'statement, event or intention.';
comment on column analytics.facts.confidence is 'From 0 to 1, as the extractor gave it.';
comment on column analytics.facts.event_from is 'From when it holds or happened; null where that was not said. Never when it was said.';
comment on column analytics.facts.event_to is 'Until when, exclusive; null where that was not said.';
comment on column analytics.facts.said_at is 'When its evidence was said.';
comment on column analytics.facts.extractor is 'rules:<version>, model:<name>:<hash of the prompt>, or person.';
comment on column analytics.facts.text is 'The fact in a sentence.';
comment on column analytics.facts.project_id is 'The project of its namespace; null where it has none.';
comment on column analytics.facts.user_id is 'The user of its namespace; null where it has none.';
comment on column analytics.facts.agent_id is 'The agent of its namespace; null where it has none.';
comment on column analytics.facts.commit_no is 'The commit of the log from which it counts; null while it is not sealed.';
comment on column analytics.facts.learned_at is 'When that commit was sealed.';
comment on column analytics.facts.live is 'Whether it counts now.';

create or replace view analytics.evidence with (security_invoker = true) as
  select e.record_no, e.basis_no, e.span_start, e.span_end
    from muniment.evidence e;

comment on view analytics.evidence is 'What derived records rest on: characters of the texts of others.';
comment on column analytics.evidence.record_no is 'The derived record: analytics.facts, analytics.records.';
comment on column analytics.evidence.basis_no is 'The record that it rests on: analytics.records.';
comment on column analytics.evidence.span_start is 'The first character of the basis, counted from 0.';
comment on column analytics.evidence.span_end is 'The character after the last one.';
