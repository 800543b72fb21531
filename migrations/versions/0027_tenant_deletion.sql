alter table muniment_auth.tenant add column changed_at timestamptz not null default clock_timestamp();
comment on column muniment_auth.tenant.changed_at is 'When the state was set: what processes remember of credentials is older for some seconds yet.';

create table muniment_auth.tenant_deletion (
  public_id     uuid primary key,
  tenant_no     bigint not null unique,
  begun_at      timestamptz not null default clock_timestamp(),
  commits       bigint not null,
  entries       bigint not null,
  root          bytea not null check (octet_length(root) = 32),
  checkpoint    text not null,
  audit_entries bigint not null,
  audit_digest  bytea not null check (octet_length(audit_digest) = 32),
  export_sha256 bytea check (octet_length(export_sha256) = 32),
  rows          jsonb not null default '{}',
  deleted_at    timestamptz,
  vacuumed_at   timestamptz
);
comment on table muniment_auth.tenant_deletion is 'Receipts of deleted tenants, which outlive them: ids, the last root and digests, and how many rows of each table went. Nothing of their content.';
