-- The language of a message that is not in its conversation's; and which languages other than English there are: questions are read in
-- those. The indexes hold nothing of what is English.
alter table muniment.record add column language text;
comment on column muniment.record.language is 'The language of its text, where that is not the one of its source version.';
create index record_language on muniment.record (tenant_id, language, space_id) where language is not null;
create index source_version_language on muniment.source_version (tenant_id, language, space_id) where language <> 'english';
