-- Sources inside sources: attachments of mail, members of archives, files of a directory.
alter table muniment.source add column parent_no bigint;
comment on column muniment.source.parent_no is 'The source that it is inside of; set when that one is whole.';
create index source_parent on muniment.source (tenant_id, parent_no) where parent_no is not null;  -- what is inside a source

alter table muniment.source_version add column notes text[] not null default '{}';
comment on column muniment.source_version.notes is 'What its reader could not do as well as it would have liked, in sentences.';

alter table muniment.ingestion_item drop constraint ingestion_item_state_check;
alter table muniment.ingestion_item
  add constraint ingestion_item_state_check check (state in ('stored', 'unchanged', 'failed', 'archived'));
