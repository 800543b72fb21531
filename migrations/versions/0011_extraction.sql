create table muniment.extraction (
  tenant_id  bigint not null,
  record_no  bigint not null,
  method     text not null check (method in ('rules', 'model')),
  space_id   bigint not null,
  state      text not null default 'pending' check (state in ('pending', 'facts', 'none', 'failed')),
  extractor  text,
  facts      integer not null default 0 check (facts >= 0),
  reason     text,
  attempts   smallint not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, record_no, method),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index extraction_open on muniment.extraction (tenant_id, method, state, record_no) where state in ('pending', 'failed');  -- what is left to do
comment on table muniment.extraction is 'How the extraction of facts from a record stands, by each method: counted, never forgotten.';
comment on column muniment.extraction.facts is 'How many live facts rested on the record when it was extracted; 0 with the state none.';
comment on column muniment.extraction.reason is 'The code of why it failed, or waits.';

create table muniment.extraction_call (
  tenant_id         bigint not null,
  call_id           uuid not null,
  space_id          bigint not null,
  at                timestamptz not null default clock_timestamp(),
  extractor         text not null,
  group_no          bigint not null,
  records           integer not null,
  facts             integer not null default 0,
  refused           integer not null default 0,
  requests          smallint not null,
  reason            text,
  prompt_tokens     bigint not null default 0,
  completion_tokens bigint not null default 0,
  estimated         boolean not null default false,
  duration_ms       real not null,
  primary key (tenant_id, call_id)
);
create index extraction_call_at on muniment.extraction_call (tenant_id, at);  -- what was spent since a moment
comment on table muniment.extraction_call is 'One window of turns that a model read for facts: what came of it, and what it cost. Holds no content.';
comment on column muniment.extraction_call.refused is 'Facts that the model gave without support in the text they were said to rest on.';
comment on column muniment.extraction_call.estimated is 'The endpoint told no token counts; they are estimated from the length.';
