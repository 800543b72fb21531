-- What is derived by an earlier version of its definition is derived anew by a job.
create table muniment.derivation (
  tenant_id bigint not null,
  name      text not null,
  version   text not null,
  at        timestamptz not null default clock_timestamp(),
  primary key (tenant_id, name)
);
comment on table muniment.derivation is 'By which version of its definition what is derived was last derived as a whole.';
