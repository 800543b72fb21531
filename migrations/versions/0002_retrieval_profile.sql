create table muniment.retrieval_profile (
  tenant_id  bigint not null references muniment_auth.tenant (tenant_id),
  name       text not null,
  version    integer not null check (version > 0),
  base       text not null,
  changes    jsonb not null,
  digest     text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, name, version)
);
comment on table muniment.retrieval_profile is 'A tenant''s own ranking constants: what differs from a built-in profile. The highest version of a name is the one in force.';
