-- Sources with their current content, and groups with what they hold. Primary keys; reading all costs a look-up a row.
create or replace view analytics.sources with (security_invoker = true) as
  select s.source_no, 's_' || pg_catalog.replace(s.source_id::text, '-', '') as source_id, s.source_id as source_uuid, s.source_key, s.kind,
         s.created_at, v.version, v.media_type, v.title, v.filename, v.language, v.bytes, v.records,
         v.version is not null and v.live_to_commit is null as live, p.project_id, p.user_id, p.agent_id
    from muniment.source s
    left join lateral (
           select n.version, n.media_type, n.title, n.filename, n.language, n.bytes, n.records, n.live_to_commit
             from muniment.source_version n
            where n.tenant_id = s.tenant_id
              and n.source_no = s.source_no
            order by n.version desc
            limit 1) v
      on true
    left join muniment.space p
      on p.tenant_id = s.tenant_id
     and p.space_id = s.space_id;

comment on view analytics.sources is 'What was brought in: texts, files and conversations, each with its latest version.';
comment on column analytics.sources.source_no is 'The number of the source within the tenant, by which other views refer to it.';
comment on column analytics.sources.source_id is 'The id of the source in the interfaces: s_ and 32 hexadecimal digits.';
comment on column analytics.sources.source_uuid is 'The same id as a uuid: filter by this one, which an index finds.';
comment on column analytics.sources.source_key is 'The key under which later contents are its versions, as it was given or made.';
comment on column analytics.sources.kind is 'text, file or conversation.';
comment on column analytics.sources.created_at is 'When it first came in.';
comment on column analytics.sources.version is 'Its latest version, counted from 1; null while it is not sealed.';
comment on column analytics.sources.media_type is 'Of that version.';
comment on column analytics.sources.title is 'Of that version, where it has one.';
comment on column analytics.sources.filename is 'Of that version, where it has one.';
comment on column analytics.sources.language is 'Of that version: of the stems that words are searched by.';
comment on column analytics.sources.bytes is 'How large that version is.';
comment on column analytics.sources.records is 'How many records came of that version.';
comment on column analytics.sources.live is 'Whether that version counts: it was not retracted.';
comment on column analytics.sources.project_id is 'The project of its namespace; null where it has none.';
comment on column analytics.sources.user_id is 'The user of its namespace; null where it has none.';
comment on column analytics.sources.agent_id is 'The agent of its namespace; null where it has none.';

create or replace view analytics.groups with (security_invoker = true) as
  select g.group_no, g.group_key, g.source_no, g.session_id, g.created_at, n.records, n.live_records, n.first_said_at, n.last_said_at,
         p.project_id, p.user_id, p.agent_id
    from muniment.record_group g
   cross join lateral (
           select count(*) as records, count(*) filter (where r.kind = 'fact') as facts, count(*) filter (where l.live_to_commit is null and l.record_no is not null) as live_records,
                  min(r.said_at) as first_said_at, max(r.said_at) as last_said_at
             from muniment.record r
             left join muniment.liveness l
               on l.tenant_id = r.tenant_id
              and l.record_no = r.record_no
              and not l.reopened
            where r.tenant_id = g.tenant_id
              and r.group_no = g.group_no) n
    left join muniment.space p
      on p.tenant_id = g.tenant_id
     and p.space_id = g.space_id
   where n.facts = 0  -- the facts about a version stand in a group of their own
      or n.facts < n.records;

comment on view analytics.groups is 'Conversations, and versions of documents: records in an order.';
comment on column analytics.groups.group_no is 'The number of the group within the tenant, by which other views refer to it.';
comment on column analytics.groups.group_key is 'The key of the group, as it was given or made.';
comment on column analytics.groups.source_no is 'The source that it belongs to: analytics.sources.';
comment on column analytics.groups.session_id is 'The session in which it came in, where one was named.';
comment on column analytics.groups.created_at is 'When its first record came in.';
comment on column analytics.groups.records is 'How many records it has; the facts drawn from them are not among these.';
comment on column analytics.groups.live_records is 'How many of them count now.';
comment on column analytics.groups.first_said_at is 'When the first of them was said, where that is known.';
comment on column analytics.groups.last_said_at is 'When the last of them was said, where that is known.';
comment on column analytics.groups.project_id is 'The project of its namespace; null where it has none.';
comment on column analytics.groups.user_id is 'The user of its namespace; null where it has none.';
comment on column analytics.groups.agent_id is 'The agent of its namespace; null where it has none.';
