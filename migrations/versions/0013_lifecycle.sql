create table muniment.erasure (
  tenant_id    bigint not null references muniment_auth.tenant (tenant_id),
  erasure_id   uuid not null,
  reason       text not null,
  commit_no    bigint not null,
  records      integer not null check (records >= 0),
  requested_at timestamptz not null default clock_timestamp(),
  purged_at    timestamptz,
  vacuumed_at  timestamptz,
  primary key (tenant_id, erasure_id)
);
comment on table muniment.erasure is 'Receipts: what was asked to be erased, and how far that is. Holds nothing of the content.';

create table muniment.tombstone (
  tenant_id    bigint not null,
  record_no    bigint not null,
  space_id     bigint not null,
  erasure_id   uuid not null,
  spine_digest bytea not null check (octet_length(spine_digest) = 32),
  primary key (tenant_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record,
  foreign key (tenant_id, erasure_id) references muniment.erasure
);
create index tombstone_erasure on muniment.tombstone (tenant_id, erasure_id);  -- what an erasure took
comment on table muniment.tombstone is 'An erased record: the digest of the spine that its leaf holds, for the spine loses what names things.';

create index log_entry_lifecycle on muniment.log_entry (tenant_id, event, entry_no)
  where event in ('correct', 'forget', 'retract', 'erase', 'undo');  -- undone commits; histories
alter table muniment.query_run add column erased_at timestamptz;
comment on column muniment.query_run.erased_at is 'When the words of the run were taken out, because it quoted what was erased.';
