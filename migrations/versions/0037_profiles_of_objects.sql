alter table muniment.profile_due add column as_object boolean not null default false;
alter table muniment.profile_due drop constraint profile_due_pkey;
alter table muniment.profile_due add primary key (tenant_id, record_no, as_object);
comment on table muniment.profile_due is 'Facts whose coming or going made the profile of their subject, or as_object that of their object, stale.';
