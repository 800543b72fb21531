-- Tables, keys and constraints of the log, its sources, the indexes, the query runs, tenants and jobs.
-- Every tenant table carries tenant_id first in each key, and space_id.

-- tenants and credentials -----------------------------------------------------------------------------

create sequence muniment_auth.tenant_number;

create table muniment_auth.tenant (
  tenant_id  bigint not null primary key,
  public_id  uuid not null,
  name       text not null,
  state      text not null default 'active' check (state in ('active', 'suspended', 'deleted')),
  created_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, public_id)
);
comment on table muniment_auth.tenant is 'One row per tenant. The number stays inside; public_id is its name outside.';

create table muniment_auth.instance (
  singleton         boolean not null primary key default true check (singleton),
  instance_id       uuid not null default gen_random_uuid(),
  default_tenant_no bigint references muniment_auth.tenant (tenant_id),
  created_at        timestamptz not null default clock_timestamp()
);
comment on table muniment_auth.instance is 'One row: this installation, and the tenant that a local store opens.';

create table muniment_auth.credential (
  tenant_id     bigint not null references muniment_auth.tenant (tenant_id),
  credential_id uuid not null,
  prefix        text not null,
  secret_hash   bytea not null check (octet_length(secret_hash) = 32),
  label         text not null,
  scopes        text[] not null,
  created_at    timestamptz not null default clock_timestamp(),
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  primary key (tenant_id, credential_id)
);
create index credential_secret on muniment_auth.credential (secret_hash);  -- resolve_credential
comment on table muniment_auth.credential is 'API keys: SHA-256 of the secret, never the secret.';

create table muniment_auth.sql_login (
  tenant_id  bigint not null references muniment_auth.tenant (tenant_id),
  login      name not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, login),
  unique (login)
);
comment on table muniment_auth.sql_login is 'Which tenant a PostgreSQL login of the group muniment_analyst reads.';

-- spaces ----------------------------------------------------------------------------------------------

create table muniment.counter (
  tenant_id  bigint not null references muniment_auth.tenant (tenant_id),
  name       text not null check (name in ('record', 'source', 'group', 'space', 'run', 'query', 'job')),
  next_value bigint not null check (next_value > 0),
  primary key (tenant_id, name)
);
comment on table muniment.counter is 'Numbers handed out in blocks, in a transaction of their own; gaps are normal.';

create table muniment.space (
  tenant_id  bigint not null references muniment_auth.tenant (tenant_id),
  space_id   bigint not null,
  project_id text,
  user_id    text,
  agent_id   text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, space_id),
  unique nulls not distinct (tenant_id, project_id, user_id, agent_id)
);
comment on table muniment.space is 'A namespace (project, user, agent) under its number; a record lives in exactly one.';

-- sources ---------------------------------------------------------------------------------------------

create table muniment.blob (
  tenant_id  bigint not null,
  space_id   bigint not null,
  sha256     bytea not null check (octet_length(sha256) = 32),
  size       bigint not null,
  content    bytea not null,
  primary key (tenant_id, space_id, sha256),
  foreign key (tenant_id, space_id) references muniment.space
);
comment on table muniment.blob is 'The original bytes of sources, addressed by their SHA-256.';

create table muniment.source (
  tenant_id  bigint not null,
  source_no  bigint not null,
  space_id   bigint not null,
  source_id  uuid not null,
  source_key text not null,
  kind       text not null check (kind in ('text', 'file', 'conversation')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, source_no),
  unique (tenant_id, source_id),
  unique (tenant_id, space_id, source_key),
  foreign key (tenant_id, space_id) references muniment.space
);
create index source_space on muniment.source (tenant_id, space_id, source_no);  -- a space's sources, newest first

create table muniment.source_version (
  tenant_id        bigint not null,
  source_no        bigint not null,
  version          integer not null check (version > 0),
  space_id         bigint not null,
  content_hash     bytea check (octet_length(content_hash) = 32),
  blob_sha256      bytea,
  media_type       text not null,
  filename         text,
  title            text,
  language         text not null default 'english',
  bytes            bigint not null,
  records          integer not null,
  live_from_commit bigint not null,
  live_to_commit   bigint,
  primary key (tenant_id, source_no, version),
  foreign key (tenant_id, source_no) references muniment.source
);
comment on table muniment.source_version is 'Each content that a source has had, in order; at most one is current.';

create table muniment.record_group (
  tenant_id     bigint not null,
  group_no      bigint not null,
  space_id      bigint not null,
  group_key     text not null,
  source_no     bigint not null,
  session_id    text,
  next_position integer not null default 0,
  created_at    timestamptz not null default clock_timestamp(),
  primary key (tenant_id, group_no),
  unique (tenant_id, space_id, group_key),
  foreign key (tenant_id, source_no) references muniment.source
);
comment on table muniment.record_group is 'Records in an order: the turns of a conversation, the chunks of one version of a document.';

create table muniment.ingestion_run (
  tenant_id  bigint not null,
  run_no     bigint not null,
  space_id   bigint not null,
  run_id     uuid not null,
  kind       text not null check (kind in ('sources', 'messages')),
  items      integer not null,
  session_id text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, run_no),
  unique (tenant_id, run_id),
  foreign key (tenant_id, space_id) references muniment.space
);

create table muniment.ingestion_item (
  tenant_id      bigint not null,
  run_no         bigint not null,
  item_no        integer not null,
  space_id       bigint not null,
  state          text not null check (state in ('stored', 'unchanged', 'failed')),
  source_no      bigint,
  source_version integer,
  source_key     text,
  records        integer not null default 0,
  record_ids     uuid[] not null default '{}',
  blob_sha256    bytea,
  input          jsonb not null default '{}',
  error_code     text,
  error_detail   text,
  error_facts    jsonb,
  attempts       integer not null default 1,
  finished_at    timestamptz not null default clock_timestamp(),
  primary key (tenant_id, run_no, item_no),
  foreign key (tenant_id, run_no) references muniment.ingestion_run
);
comment on table muniment.ingestion_item is 'The end of one source of a run, written by the transaction that stored it, so that no retry stores it twice.';

create table muniment.idempotency (
  tenant_id    bigint not null,
  key          text not null,
  space_id     bigint not null,
  request_hash bytea not null,
  run_no       bigint not null,
  lease_until  timestamptz not null,
  response     jsonb,
  created_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, key)
);

-- the log ---------------------------------------------------------------------------------------------

create table muniment.record (
  tenant_id      bigint not null,
  record_no      bigint not null,
  space_id       bigint not null,
  record_id      uuid not null,
  kind           text not null check (kind in ('raw', 'fact', 'correction')),
  modality       text not null check (modality in ('document', 'conversation', 'code', 'table', 'image', 'data')),
  source_no      bigint not null,
  source_version integer not null,
  group_no       bigint not null,
  position       integer not null,
  session_id     text,
  speaker        text,
  role           text,
  said_at        timestamptz,
  said_offset    smallint,
  event_from     timestamptz,
  event_to       timestamptz,
  locator        jsonb not null,
  trust          real not null default 1 check (trust between 0 and 1),
  commitment     bytea not null check (octet_length(commitment) = 32),
  primary key (tenant_id, record_no),
  unique (tenant_id, record_id),
  foreign key (tenant_id, source_no) references muniment.source,
  foreign key (tenant_id, group_no) references muniment.record_group
);
create index record_group_position on muniment.record (tenant_id, group_no, position);  -- a group's records in order
create index record_source on muniment.record (tenant_id, source_no, source_version);  -- the records of one version
create index record_speaker on muniment.record (tenant_id, space_id, speaker) where speaker is not null;  -- who takes part
create index record_session on muniment.record (tenant_id, session_id) where session_id is not null;  -- a narrowed search
comment on table muniment.record is 'The spine of the log: who, where and when. Never updated, never deleted.';
comment on column muniment.record.said_at is 'When it was said or written; never when it happened.';
comment on column muniment.record.said_offset is 'Minutes east of UTC of the zone in which said_at was given.';
comment on column muniment.record.commitment is 'HMAC-SHA-256 of the content under the salt in record_content.';

create table muniment.record_content (
  tenant_id bigint not null,
  record_no bigint not null,
  space_id  bigint not null,
  salt      bytea not null check (octet_length(salt) = 32),
  text      text not null,
  fields    jsonb not null default '{}',
  payload   jsonb not null default '{}',
  primary key (tenant_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record
);
comment on table muniment.record_content is 'The content of a record; only an erase deletes it.';

create table muniment.message_key (
  tenant_id bigint not null,
  group_no  bigint not null,
  key       text not null,
  space_id  bigint not null,
  record_no bigint not null,
  primary key (tenant_id, group_no, key),
  foreign key (tenant_id, group_no) references muniment.record_group,
  foreign key (tenant_id, record_no) references muniment.record
);
comment on table muniment.message_key is 'The record that now stands under a client''s message id (i:…) or position (p:…).';

create table muniment.record_metadata (
  tenant_id bigint not null,
  space_id  bigint not null,
  key       text not null,
  value     text not null,
  record_no bigint not null,
  primary key (tenant_id, key, value, space_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index record_metadata_record on muniment.record_metadata (tenant_id, record_no);  -- erase, show

create table muniment.evidence (
  tenant_id  bigint not null,
  record_no  bigint not null,
  basis_no   bigint not null,
  space_id   bigint not null,
  span_start integer not null check (span_start >= 0),
  span_end   integer not null,
  primary key (tenant_id, record_no, basis_no, span_start, span_end),
  check (span_end > span_start),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade,
  foreign key (tenant_id, basis_no) references muniment.record_content on delete cascade
);
create index evidence_basis on muniment.evidence (tenant_id, basis_no);  -- what rests on a record
comment on table muniment.evidence is 'Derivation: record_no rests on characters [span_start, span_end) of basis_no.';

create table muniment.log_head (
  tenant_id bigint not null primary key references muniment_auth.tenant (tenant_id),
  commits   bigint not null default 0,
  entries   bigint not null default 0,
  last_at   timestamptz,
  peaks     bytea[] not null default '{}'
);
comment on table muniment.log_head is 'The end of the log; its lock is the last that a write takes. peaks are the roots of the perfect subtrees, largest first.';

create table muniment.log_commit (
  tenant_id   bigint not null,
  commit_no   bigint not null check (commit_no > 0),
  space_id    bigint,
  at          timestamptz not null,
  first_entry bigint not null,
  entries     integer not null check (entries > 0),
  root        bytea not null check (octet_length(root) = 32),
  primary key (tenant_id, commit_no)
);

create table muniment.log_entry (
  tenant_id bigint not null,
  entry_no  bigint not null check (entry_no >= 0),
  commit_no bigint not null,
  ordinal   integer not null check (ordinal >= 0),
  space_id  bigint not null,
  event     text not null check (event in ('record', 'version', 'close', 'correct', 'forget', 'retract', 'erase', 'undo', 'policy')),
  record_no bigint,
  detail    jsonb,
  leaf      bytea not null check (octet_length(leaf) = 32),
  primary key (tenant_id, entry_no),
  unique (tenant_id, commit_no, ordinal),
  foreign key (tenant_id, commit_no) references muniment.log_commit,
  foreign key (tenant_id, record_no) references muniment.record
);
create index log_entry_record on muniment.log_entry (tenant_id, record_no);  -- a record's history and proof
create index log_entry_space on muniment.log_entry (tenant_id, space_id, entry_no) where event = 'record';  -- a space's records in order
comment on table muniment.log_entry is 'What a commit holds, in order; entry_no is the leaf''s index in the history tree.';

create table muniment.tree_node (
  tenant_id bigint not null,
  level     smallint not null check (level > 0 and level % 8 = 0),
  node_no   bigint not null check (node_no >= 0),
  hash      bytea not null check (octet_length(hash) = 32),
  primary key (tenant_id, level, node_no)
);
comment on table muniment.tree_node is 'Every eighth level of the history tree; the levels between are hashed from these.';

create table muniment.checkpoint (
  tenant_id  bigint not null,
  entries    bigint not null,
  root       bytea not null check (octet_length(root) = 32),
  note       text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, entries)
);

create table muniment.liveness (
  tenant_id        bigint not null,
  record_no        bigint not null,
  space_id         bigint not null,
  group_no         bigint not null,
  position         integer not null,
  live_from_commit bigint not null,
  live_to_commit   bigint,
  primary key (tenant_id, record_no),
  check (live_to_commit > live_from_commit),
  foreign key (tenant_id, record_no) references muniment.record
);
create index liveness_closed on muniment.liveness (tenant_id, record_no) where live_to_commit is not null;  -- which of many records are closed
create index liveness_group on muniment.liveness (tenant_id, group_no, position);  -- neighbours in a group
comment on table muniment.liveness is 'From which commit to which a record counts; computed from log_entry.';

-- the lexical index -----------------------------------------------------------------------------------

create table muniment.lexical_document (
  tenant_id bigint not null,
  record_no bigint not null,
  space_id  bigint not null,
  length    integer not null check (length >= 0),
  terms     text[] collate "C" not null,
  counts    smallint[] not null,
  primary key (tenant_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
comment on table muniment.lexical_document is 'The forward row of a record: its terms with their counts, and its length in tokens.';

create table muniment.posting_tail (
  tenant_id    bigint not null,
  term         text collate "C" not null,
  space_id     bigint not null,
  first_record bigint not null,
  documents    integer not null check (documents > 0),
  total_length bigint not null,
  records      bigint[] not null,
  counts       smallint[] not null,
  lengths      integer[] not null,
  primary key (tenant_id, term, space_id, first_record)
);
comment on table muniment.posting_tail is 'Postings of recent writes, one small run a write; term '''' counts every document.';

create table muniment.posting_block (
  tenant_id    bigint not null,
  term         text collate "C" not null,
  space_id     bigint not null,
  first_record bigint not null,
  documents    integer not null check (documents > 0),
  total_length bigint not null,
  records      bigint[] not null,
  counts       smallint[] not null,
  lengths      integer[] not null,
  primary key (tenant_id, term, space_id, first_record)
);
comment on table muniment.posting_block is 'Postings packed by the merge job; the same shape as the tail, searched as one with it.';

-- the vector index ------------------------------------------------------------------------------------

create table muniment.embedding_model (
  model_no   integer not null generated always as identity primary key,
  name       text not null unique,
  dimensions integer not null check (dimensions between 1 and 4000),
  created_at timestamptz not null default clock_timestamp()
);
comment on table muniment.embedding_model is 'The models that vectors were made with; shared by all tenants, holds nothing of theirs.';

create table muniment.embedding (
  tenant_id bigint not null,
  model_no  integer not null references muniment.embedding_model,
  space_id  bigint not null,
  record_no bigint not null,
  vector    halfvec not null,
  primary key (tenant_id, model_no, space_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index embedding_record on muniment.embedding (tenant_id, record_no);  -- erase, rerank
comment on table muniment.embedding is 'Unit vectors, one per record and model.';

create table muniment.embedding_pending (
  tenant_id bigint not null,
  space_id  bigint not null,
  record_no bigint not null,
  primary key (tenant_id, space_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index embedding_pending_record on muniment.embedding_pending (tenant_id, record_no);  -- erase
comment on table muniment.embedding_pending is 'Records that wait for their vector.';

-- the graph -------------------------------------------------------------------------------------------

create table muniment.record_entity (
  tenant_id bigint not null,
  entity    text not null,
  space_id  bigint not null,
  record_no bigint not null,
  primary key (tenant_id, entity, space_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index record_entity_record on muniment.record_entity (tenant_id, record_no);  -- a record's entities

create table muniment.similarity (
  tenant_id    bigint not null,
  record_no    bigint not null,
  neighbour_no bigint not null,
  space_id     bigint not null,
  weight       real not null check (weight between 0 and 1),
  primary key (tenant_id, record_no, neighbour_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade,
  foreign key (tenant_id, neighbour_no) references muniment.record_content on delete cascade
);
-- the strongest edges to a record; erase
create index similarity_neighbour on muniment.similarity (tenant_id, neighbour_no, weight desc, record_no);
comment on table muniment.similarity is 'The at most five records that were nearest to record_no when it was sealed; the weight is their cosine.';

create table muniment.similarity_linked (
  tenant_id bigint not null,
  record_no bigint not null,
  space_id  bigint not null,
  primary key (tenant_id, record_no),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
comment on table muniment.similarity_linked is 'Records whose edges by similarity are stored, also where there is none.';

-- query runs ------------------------------------------------------------------------------------------

create table muniment.query_run (
  tenant_id   bigint not null,
  query_no    bigint not null,
  space_id    bigint not null,
  query_id    uuid not null,
  mode        text not null check (mode in ('search', 'query')),
  question    text not null,
  parameters  jsonb not null,
  known_at    bigint not null,
  statistics  jsonb not null,
  answer      text,
  abstain     boolean,
  score       real,
  started_at  timestamptz not null,
  duration_ms real not null,
  primary key (tenant_id, query_no),
  unique (tenant_id, query_id)
);

create table muniment.query_stage (
  tenant_id   bigint not null,
  query_no    bigint not null,
  stage_no    integer not null,
  space_id    bigint not null,
  name        text not null,
  decision    text,
  detail      jsonb not null,
  duration_ms real not null,
  primary key (tenant_id, query_no, stage_no),
  foreign key (tenant_id, query_no) references muniment.query_run on delete cascade
);

create table muniment.query_hit (
  tenant_id bigint not null,
  query_no  bigint not null,
  rank      integer not null check (rank > 0),
  space_id  bigint not null,
  record_no bigint not null,
  score     real not null,
  routes    jsonb not null,
  cited     boolean not null default false,
  primary key (tenant_id, query_no, rank),
  foreign key (tenant_id, query_no) references muniment.query_run on delete cascade,
  foreign key (tenant_id, record_no) references muniment.record
);
create index query_hit_record on muniment.query_hit (tenant_id, record_no);  -- where a record was retrieved

-- jobs ------------------------------------------------------------------------------------------------

create table muniment.job (
  tenant_id   bigint not null,
  job_id      uuid not null,
  space_id    bigint,
  kind        text not null,
  arguments   jsonb not null,
  result      jsonb,
  error       text,
  created_at  timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (tenant_id, job_id)
);

create table muniment_jobs.queue (
  job_id       uuid not null primary key,
  tenant_no    bigint not null,
  kind         text not null,
  dedup_key    text,
  priority     smallint not null default 0,
  state        text not null default 'queued' check (state in ('queued', 'running', 'dead')),
  run_at       timestamptz not null default clock_timestamp(),
  attempts     smallint not null default 0,
  lease_token  uuid,
  lease_until  timestamptz,
  enqueued_at  timestamptz not null default clock_timestamp()
);
create unique index queue_dedup on muniment_jobs.queue (tenant_no, kind, dedup_key) where state = 'queued' and dedup_key is not null;
create index queue_ready on muniment_jobs.queue (priority desc, run_at) where state = 'queued';  -- claim_jobs
create index queue_lease on muniment_jobs.queue (lease_until) where state = 'running';  -- reap_jobs
comment on table muniment_jobs.queue is 'What is still to be done, ids and states only, claimable across tenants; what a job is about lies in muniment.job under row-level security.';

insert into muniment_auth.instance default values;
