alter table muniment.extraction_call
  add column refusals jsonb not null default '{}';
comment on column muniment.extraction_call.refusals is 'How many facts were refused by why: form, evidence, object, relation, subject, polarity.';
