create table muniment.profile_due (
  tenant_id bigint not null,
  space_id  bigint not null,
  record_no bigint not null,
  primary key (tenant_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
comment on table muniment.profile_due is 'Facts whose coming or going made the profile of their subject stale.';
