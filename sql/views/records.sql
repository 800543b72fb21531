-- The log's records, one row each, with whose they are, their text, and whether they count now. Primary keys; reading all is linear.
create or replace view analytics.records with (security_invoker = true) as
  select 'd_' || pg_catalog.replace(r.record_id::text, '-', '') as record_id,
         c.text, r.kind, r.modality, r.speaker, r.role, r.said_at, s.source_key, r.source_version, g.group_key, r.position,
         p.project_id, p.user_id, p.agent_id, r.session_id, c.payload as metadata, r.locator,
         l.live_from_commit is not null and l.live_to_commit is null as live
    from muniment.record r
    left join muniment.record_content c
      on c.tenant_id = r.tenant_id
     and c.record_no = r.record_no
    join muniment.source s
      on s.tenant_id = r.tenant_id
     and s.source_no = r.source_no
    join muniment.record_group g
      on g.tenant_id = r.tenant_id
     and g.group_no = r.group_no
    join muniment.space p
      on p.tenant_id = r.tenant_id
     and p.space_id = r.space_id
    left join muniment.liveness l
      on l.tenant_id = r.tenant_id
     and l.record_no = r.record_no;

comment on view analytics.records is 'The records of the log with their texts, sources and namespaces; live where they count now.';
grant select on analytics.records to muniment_analyst;
