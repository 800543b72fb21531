-- what two spellings of a name must share to be the same name without a decision: case, white space, width, outer punctuation
alter table muniment.fact
  add column subject_key text not null generated always as
    (left(btrim(lower(regexp_replace(normalize(subject, NFKC), '\s+', ' ', 'g')), ' .,;:!?"''()'), 200)) stored,
  add column object_key text not null generated always as
    (left(btrim(lower(regexp_replace(normalize(object, NFKC), '\s+', ' ', 'g')), ' .,;:!?"''()'), 200)) stored;
create index fact_subject_key on muniment.fact (tenant_id, space_id, subject_key, relation);  -- the facts of a claim
create index fact_object_key on muniment.fact (tenant_id, space_id, object_key, relation);  -- of an inverse relation; a name's uses
create index fact_relation on muniment.fact (tenant_id, relation, record_no);  -- what a change of the registry concerns
comment on column muniment.fact.subject_key is 'The subject as names are compared: NFKC, lower case, single spaces, no punctuation at its ends.';

-- the log's own word for a decision that facts do not force
alter table muniment.log_entry drop constraint log_entry_event_check;
alter table muniment.log_entry add constraint log_entry_event_check
  check (event in ('record', 'version', 'close', 'correct', 'forget', 'retract', 'erase', 'undo', 'policy', 'decide'));

-- relations -------------------------------------------------------------------------------------------

create table muniment.relation (
  tenant_id        bigint not null references muniment_auth.tenant (tenant_id),
  relation         text not null check (octet_length(relation) <= 256),
  live_from_commit bigint not null,
  live_to_commit   bigint,
  single           boolean not null,
  aliases          text[] not null default '{}',
  inverses         text[] not null default '{}',
  set_by           text not null check (set_by in ('learned', 'person')),
  primary key (tenant_id, relation, live_from_commit)
);
comment on table muniment.relation is 'What a tenant knows of a relation otherwise than relation_default says; learned from its facts, or set by a person.';
comment on column muniment.relation.inverses is 'Names of the same relation with subject and object exchanged; its own name where it is symmetric.';

-- entities --------------------------------------------------------------------------------------------

create table muniment.entity (
  tenant_id   bigint not null,
  space_id    bigint not null,
  entity_type text not null,
  name        text not null,
  record_no   bigint not null,
  primary key (tenant_id, space_id, entity_type, name),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index entity_record on muniment.entity (tenant_id, record_no);  -- erase
comment on table muniment.entity is 'Every name that facts use, by its type, with the fact that brought it: a new one is compared with the others.';

create table muniment.entity_gram (
  tenant_id   bigint not null,
  space_id    bigint not null,
  entity_type text not null,
  gram        text not null,
  name        text not null,
  record_no   bigint not null,
  primary key (tenant_id, space_id, entity_type, gram, name),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index entity_gram_record on muniment.entity_gram (tenant_id, record_no);  -- erase
comment on table muniment.entity_gram is 'Of each name so many of its trigrams that any similar name shares one with it.';

create table muniment.entity_alias (
  tenant_id        bigint not null,
  space_id         bigint not null,
  entity_type      text not null,
  name             text not null,
  live_from_commit bigint not null,
  live_to_commit   bigint,
  entity           text not null check (entity <> ''),
  decision_id      uuid not null,
  rule             text not null check (rule in ('trigram', 'stated', 'person')),
  similarity       real,
  record_no        bigint not null,
  entity_record_no bigint not null,
  primary key (tenant_id, space_id, entity_type, name, live_from_commit),
  unique (tenant_id, decision_id),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade,
  foreign key (tenant_id, entity_record_no) references muniment.record_content on delete cascade
);
create index entity_alias_entity on muniment.entity_alias (tenant_id, space_id, entity_type, entity);  -- the names of an entity
create index entity_alias_record on muniment.entity_alias (tenant_id, record_no);  -- erase
create index entity_alias_entity_record on muniment.entity_alias (tenant_id, entity_record_no);  -- erase
comment on table muniment.entity_alias is 'Logged decisions that a name means the entity of another name of the same type; made by the log entries ''decide'', ended by ''undo''.';

-- claims ----------------------------------------------------------------------------------------------

create table muniment.claim_dirty (
  tenant_id    bigint not null,
  space_id     bigint not null,
  subject_type text not null,
  subject_key  text not null,
  relation     text not null,
  commit_no    bigint not null,
  record_no    bigint not null,
  primary key (tenant_id, space_id, subject_type, subject_key, relation, commit_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index claim_dirty_record on muniment.claim_dirty (tenant_id, record_no);  -- erase
comment on table muniment.claim_dirty is 'Keys of claims that a commit made stale, written by that commit; commit 0 asks for the whole history of the key.';

create table muniment.claim (
  tenant_id        bigint not null,
  claim_id         uuid not null,
  live_from_commit bigint not null,
  live_to_commit   bigint,
  space_id         bigint not null,
  subject_type     text not null,
  subject_key      text not null,
  subject          text not null,
  relation         text not null,
  object_type      text not null,
  object_key       text not null,
  object           text not null,
  negated          boolean not null,
  status           text not null check (status in ('ACTIVE', 'CONTESTED', 'SUPERSEDED')),
  contested_during tstzmultirange,
  valid_from       timestamptz,
  valid_to         timestamptz,
  from_basis       text not null check (from_basis in ('event', 'said', 'learned', 'unknown')),
  facts            integer not null,
  groups           integer not null,
  fact_confidence  double precision not null,
  last_said_at     timestamptz not null,
  anchor_commit    bigint not null,
  anchor_no        bigint not null,
  primary key (tenant_id, claim_id, live_from_commit),
  foreign key (tenant_id, anchor_no) references muniment.record_content on delete cascade
);
create index claim_key on muniment.claim (tenant_id, space_id, subject_key, relation, live_from_commit);  -- recompiling; a subject's claims
create index claim_place on muniment.claim (tenant_id, space_id, anchor_commit, anchor_no, claim_id);  -- a space's claims in order
create index claim_anchor on muniment.claim (tenant_id, anchor_no);  -- erase
comment on table muniment.claim is 'What the live facts say together, in versions; the maintained form of muniment.claim_definition.';
comment on column muniment.claim.status is 'At the end of its validity, or for good.';
comment on column muniment.claim.contested_during is 'When another value, or its denial, holds too and nothing orders the two; null for never.';
comment on column muniment.claim.from_basis is 'What valid_from is: the time told of, the time of saying, the time of arrival, or not known.';
comment on column muniment.claim.last_said_at is 'When it was last said, or else learned: what its age counts from.';

create table muniment.claim_evidence (
  tenant_id        bigint not null,
  claim_id         uuid not null,
  record_no        bigint not null,
  live_from_commit bigint not null,
  live_to_commit   bigint,
  space_id         bigint not null,
  primary key (tenant_id, claim_id, record_no, live_from_commit),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index claim_evidence_record on muniment.claim_evidence (tenant_id, record_no);  -- erase; the claims of a fact
comment on table muniment.claim_evidence is 'The facts that a claim rests on, from which commit to which.';

create table muniment.claim_decision (
  tenant_id        bigint not null,
  decision_id      uuid not null,
  live_from_commit bigint not null,
  live_to_commit   bigint,
  space_id         bigint not null,
  claim_id         uuid not null,
  rule             text not null check (rule in ('later_value', 'negation', 'correction', 'no_order')),
  record_no        bigint not null,
  by_record_no     bigint not null,
  primary key (tenant_id, decision_id, live_from_commit),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade,
  foreign key (tenant_id, by_record_no) references muniment.record_content on delete cascade
);
create index claim_decision_claim on muniment.claim_decision (tenant_id, claim_id);  -- a claim's decisions
create index claim_decision_record on muniment.claim_decision (tenant_id, record_no);  -- erase
create index claim_decision_by on muniment.claim_decision (tenant_id, by_record_no);  -- erase
comment on table muniment.claim_decision is 'Why a claim ended or is contested: by which rule, and by which fact.';

create table muniment.claim_undo (
  tenant_id     bigint not null,
  decision_id   uuid not null,
  space_id      bigint not null,
  undone_commit bigint not null,
  rule          text not null,
  record_no     bigint not null,
  by_record_no  bigint not null,
  primary key (tenant_id, decision_id),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade,
  foreign key (tenant_id, by_record_no) references muniment.record_content on delete cascade
);
create index claim_undo_record on muniment.claim_undo (tenant_id, record_no);  -- the definition; erase
create index claim_undo_by on muniment.claim_undo (tenant_id, by_record_no);  -- erase
comment on table muniment.claim_undo is 'Decisions that a person took back, by the log entries ''undo'': the two facts no longer order what they say.';
