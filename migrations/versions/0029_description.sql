-- What a model says that an image shows: a kind of record of its own, and a method of its own among those that read records.
alter table muniment.record drop constraint record_kind_check;
alter table muniment.record
  add constraint record_kind_check check (kind in ('raw', 'fact', 'correction', 'description'));

alter table muniment.extraction drop constraint extraction_method_check;
alter table muniment.extraction
  add constraint extraction_method_check check (method in ('rules', 'model', 'vision'));
comment on column muniment.extraction.facts is
  'How many live facts rested on the record when it was extracted, or of vision the records of the description; 0 with the state none.';
comment on table muniment.extraction_call is
  'One window of turns that a model read for facts, or one image that it described: what came of it, and what it cost. Holds no content.';
