create table muniment.summary_progress (
  tenant_id      bigint not null primary key references muniment_auth.tenant (tenant_id),
  through_commit bigint not null default 0
);
comment on table muniment.summary_progress is 'Up to which commit the log was read for what summaries it changes.';

create table muniment.summary_due (
  tenant_id bigint not null,
  space_id  bigint not null,
  group_no  bigint not null,
  commit_no bigint not null,
  primary key (tenant_id, group_no),
  foreign key (tenant_id, group_no) references muniment.record_group
);
comment on table muniment.summary_due is 'Groups whose summaries are to be compiled anew.';

create table muniment.summary (
  tenant_id        bigint not null,
  summary_no       bigint not null,
  summary_id       uuid not null,
  space_id         bigint not null,
  kind             text not null check (kind in ('card', 'episode', 'profile')),
  group_no         bigint,
  entity_key       text not null default '' check (octet_length(entity_key) <= 1024),
  part             integer not null default 0,
  live_from_commit bigint not null,
  live_to_commit   bigint,
  through_commit   bigint not null,
  title            text not null,
  text             text not null,
  phrasings        text[] not null,
  detail           jsonb not null,
  records          bigint[] not null,
  first_at         timestamptz,
  last_at          timestamptz,
  inputs           text not null,
  form             text not null,
  compiled_at      timestamptz not null default clock_timestamp(),
  primary key (tenant_id, summary_no),
  unique (tenant_id, summary_id),
  check (live_to_commit >= live_from_commit),
  check ((kind = 'profile') = (group_no is null)),
  foreign key (tenant_id, group_no) references muniment.record_group
);
create index summary_group on muniment.summary (tenant_id, group_no, kind);  -- recompiling, erase
create index summary_entity on muniment.summary (tenant_id, space_id, entity_key) where kind = 'profile';  -- an entity's profile; erase
create index summary_place on muniment.summary (tenant_id, space_id, kind, summary_no);  -- lists
comment on table muniment.summary is 'Cards of groups, episodes and profiles of entities, in versions: they lead to records and are never cited themselves.';
comment on column muniment.summary.part is 'Of an episode, the position of its first turn; else 0.';
comment on column muniment.summary.through_commit is 'The last commit that changed what it is compiled from.';
comment on column muniment.summary.records is 'The records it quotes, or whose turns it holds.';
comment on column muniment.summary.inputs is 'A digest of the numbers of all that it was compiled from.';
comment on column muniment.summary.form is 'rules:<version>, or model:<name>:<hash of the prompt>.';

create table muniment.summary_posting (
  tenant_id  bigint not null,
  kind       text not null,
  hash       integer not null,
  space_id   bigint not null,
  summary_no bigint not null,
  tf         smallint not null,
  length     integer not null,
  primary key (tenant_id, kind, hash, space_id, summary_no),
  foreign key (tenant_id, summary_no) references muniment.summary on delete cascade
);
create index summary_posting_summary on muniment.summary_posting (tenant_id, summary_no);  -- erase
comment on table muniment.summary_posting is 'The terms of summaries, apart from those of records: they count in no statistics of these.';

create table muniment.summary_vector (
  tenant_id  bigint not null,
  model_no   integer not null references muniment.embedding_model,
  kind       text not null,
  space_id   bigint not null,
  summary_no bigint not null,
  vector     halfvec not null,
  primary key (tenant_id, kind, model_no, space_id, summary_no),
  foreign key (tenant_id, summary_no) references muniment.summary on delete cascade
);
create index summary_vector_summary on muniment.summary_vector (tenant_id, summary_no);  -- erase, search
comment on table muniment.summary_vector is 'Unit vectors of summaries.';

create table muniment.summary_call (
  tenant_id         bigint not null,
  call_id           uuid not null,
  space_id          bigint not null,
  at                timestamptz not null default clock_timestamp(),
  kind              text not null,
  form              text not null,
  requests          smallint not null,
  refused           integer not null,
  reason            text,
  prompt_tokens     bigint not null,
  completion_tokens bigint not null,
  estimated         boolean not null,
  duration_ms       real not null,
  primary key (tenant_id, call_id)
);
create index summary_call_at on muniment.summary_call (tenant_id, at);  -- what was spent since a moment
comment on table muniment.summary_call is 'One summary that a model was asked for: what came of it, and what it cost. Holds no content.';

alter table muniment.counter drop constraint counter_name_check;
alter table muniment.counter add constraint counter_name_check
  check (name in ('record', 'source', 'group', 'space', 'run', 'query', 'job', 'summary'));
