create table muniment_auth.audit_head (
  tenant_id bigint not null references muniment_auth.tenant (tenant_id),
  entries   bigint not null check (entries >= 0),
  digest    bytea not null check (octet_length(digest) = 32),
  primary key (tenant_id)
);
comment on table muniment_auth.audit_head is 'The end of a tenant''s audit log, so that entries taken off its end are missed. Its row is the lock of who appends.';

create table muniment_auth.audit_entry (
  tenant_id bigint not null references muniment_auth.tenant (tenant_id),
  entry_no  bigint not null check (entry_no >= 1),
  at        timestamptz not null,
  actor     text not null,
  action    text not null,
  target    text,
  detail    jsonb not null,
  previous  bytea not null check (octet_length(previous) = 32),
  digest    bytea not null check (octet_length(digest) = 32),
  primary key (tenant_id, entry_no)
);
comment on table muniment_auth.audit_entry is 'Who administered what, and who erased: append-only, each entry with the digest of the one before. Ids and facts, never content.';
