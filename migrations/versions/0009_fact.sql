create table muniment.fact (
  tenant_id    bigint not null,
  record_no    bigint not null,
  space_id     bigint not null,
  subject      text not null,
  subject_type text not null check (subject_type in ('person', 'organization', 'place', 'product', 'event', 'thing', 'time', 'quantity',
                                                     'unknown')),
  relation     text not null,
  object       text not null,
  object_type  text not null check (object_type in ('person', 'organization', 'place', 'product', 'event', 'thing', 'time', 'quantity',
                                                    'unknown')),
  negated      boolean not null default false,
  kind         text not null default 'statement' check (kind in ('statement', 'event', 'intention')),
  confidence   real not null check (confidence between 0 and 1),
  event_from   timestamptz,
  event_to     timestamptz,
  said_at      timestamptz,
  extractor    text not null,
  primary key (tenant_id, record_no),
  check (event_to > event_from),
  check (octet_length(subject) <= 1024 and octet_length(relation) <= 256),  -- what an index row has room for
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index fact_subject on muniment.fact (tenant_id, space_id, subject, relation);  -- a claim's facts; all about a subject
comment on table muniment.fact is 'What a record of kind fact, or a correction, says. What it rests on is its evidence; it counts while its record is live.';
comment on column muniment.fact.relation is 'Lower snake case: lives_in, works_at.';
comment on column muniment.fact.event_from is 'With event_to: when it holds or happened, half open, null where that is not said. Never when it was said.';
comment on column muniment.fact.said_at is 'When its evidence was said.';
comment on column muniment.fact.extractor is 'rules:<version>, model:<name>:<hash of the prompt>, or person.';
