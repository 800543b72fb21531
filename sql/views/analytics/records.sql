-- The log's records, one row each, with whose they are, their text, and whether they count now. Primary keys; reading all is linear.
create or replace view analytics.records with (security_invoker = true) as
  select r.record_no, 'd_' || pg_catalog.replace(r.record_id::text, '-', '') as record_id, r.record_id as record_uuid,
         c.text, r.kind, r.modality, r.speaker, r.role, r.said_at, r.source_no, s.source_key, r.source_version, r.group_no, g.group_key,
         r.position, p.project_id, p.user_id, p.agent_id, r.session_id, c.payload as metadata, r.locator, r.trust,
         l.live_from_commit as commit_no, t.at as learned_at,
         l.live_from_commit is not null and l.live_to_commit is null as live, c.record_no is null as erased
    from muniment.record r
    left join muniment.record_content c
      on c.tenant_id = r.tenant_id
     and c.record_no = r.record_no
    left join muniment.source s
      on s.tenant_id = r.tenant_id
     and s.source_no = r.source_no
    left join muniment.record_group g
      on g.tenant_id = r.tenant_id
     and g.group_no = r.group_no
    left join muniment.space p
      on p.tenant_id = r.tenant_id
     and p.space_id = r.space_id
    left join muniment.liveness l
      on l.tenant_id = r.tenant_id
     and l.record_no = r.record_no
     and not l.reopened
    left join muniment.log_commit t
      on t.tenant_id = l.tenant_id
     and t.commit_no = l.live_from_commit;

comment on view analytics.records is 'The records of the log with their texts, sources and namespaces; live where they count now.';
comment on column analytics.records.record_no is 'The number of the record within the tenant, by which other views refer to it; gaps are normal.';
comment on column analytics.records.record_id is 'The id of the record in the interfaces: d_ and 32 hexadecimal digits.';
comment on column analytics.records.record_uuid is 'The same id as a uuid: filter by this one, which an index finds.';
comment on column analytics.records.text is 'The text; null where it was erased.';
comment on column analytics.records.kind is 'raw: as it came in; fact: derived from others, see analytics.facts; description: what a model says that an image shows; correction: what a person put in the place of one.';
comment on column analytics.records.modality is 'document, conversation, code, table, image or data.';
comment on column analytics.records.speaker is 'Who said it, of a message.';
comment on column analytics.records.role is 'user, assistant and the like, of a message.';
comment on column analytics.records.said_at is 'When it was said or written; never when it happened. Null where that is not known.';
comment on column analytics.records.source_no is 'The source that it came from: analytics.sources.';
comment on column analytics.records.source_key is 'The key of that source, as it was given or made.';
comment on column analytics.records.source_version is 'Which content of the source it is part of, counted from 1.';
comment on column analytics.records.group_no is 'The conversation or version of a document that it stands in: analytics.groups.';
comment on column analytics.records.group_key is 'The key of that group, as it was given or made.';
comment on column analytics.records.position is 'Its place in the group, counted from 0.';
comment on column analytics.records.project_id is 'The project of its namespace; null where it has none.';
comment on column analytics.records.user_id is 'The user of its namespace; null where it has none.';
comment on column analytics.records.agent_id is 'The agent of its namespace; null where it has none.';
comment on column analytics.records.session_id is 'The session in which it came in, where one was named.';
comment on column analytics.records.metadata is 'The metadata given with it, as JSON.';
comment on column analytics.records.locator is 'Where it stands in its source, as JSON: characters, lines, page, message.';
comment on column analytics.records.trust is 'From 0 to 1.';
comment on column analytics.records.commit_no is 'The commit of the log from which it counts; null while it is not sealed.';
comment on column analytics.records.learned_at is 'When that commit was sealed.';
comment on column analytics.records.live is 'Whether it counts now: sealed, and not corrected, forgotten, retracted or replaced since.';
comment on column analytics.records.erased is 'Whether its content was erased; where, when and by whom it was said stays.';
