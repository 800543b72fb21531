create table muniment.served_key (
  tenant_id bigint not null references muniment_auth.tenant (tenant_id),
  key       bytea not null check (octet_length(key) = 32),
  primary key (tenant_id)
);
comment on table muniment.served_key is 'The random key of a tenant''s fingerprints, without which no guess at what was served can be confirmed.';

create table muniment.served (
  tenant_id   bigint not null,
  fingerprint bigint not null,
  record_no   bigint not null,
  space_id    bigint not null,
  served_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, fingerprint, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index served_record on muniment.served (tenant_id, record_no);  -- erase
comment on table muniment.served is 'Keyed fingerprints of the sentences that searches and answers served, with the records that they came from.';

alter table muniment.ingestion_item add column served jsonb not null default '[]';
comment on column muniment.ingestion_item.served is 'What was not stored, because it had been served from the log: by its index, the records that it came from.';
