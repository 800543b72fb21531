create table muniment.record_subject (
  tenant_id bigint not null,
  subject   text not null,
  space_id  bigint not null,
  record_no bigint not null,
  primary key (tenant_id, subject, space_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index record_subject_record on muniment.record_subject (tenant_id, record_no);  -- erase, rebuild
comment on table muniment.record_subject is 'What a piece of a document is about, by its title or heading: other records that name it lead to it.';
