-- name: be_replica
-- For the rest of the session: the rows that the benchmark makes refer to each other, so nothing need be looked up for each.
set session_replication_role = replica;

-- name: lazily
-- For the rest of the session: a store for measuring can be made again.
set synchronous_commit = off;

-- name: make_given
-- What a batch of records is made from.
create temporary table if not exists given (
  record_no bigint, space_id bigint, group_no bigint, position integer, speaker text, text text, entity text
) on commit delete rows;

-- name: copy_given
-- A batch of records, tab-separated.
copy given from stdin;

-- name: copy_vectors
-- Vectors of a batch.
copy muniment.embedding (tenant_id, model_no, space_id, record_no, vector) from stdin (format binary);

-- name: copy_edges
-- Similarity edges of a batch.
copy muniment.similarity (tenant_id, record_no, neighbour_no, space_id, weight) from stdin;

-- name: insert_spaces
-- The users' spaces of a tenant, or the one of a project.
insert into muniment.space (tenant_id, space_id, project_id, user_id)
select cast(:tenant as bigint), s.n, case when cast(:count as bigint) = 1 then 'scale' end,
       case when cast(:count as bigint) > 1 then 'user-' || s.n end
  from generate_series(1, cast(:count as bigint)) s (n);

-- name: insert_records
-- The batch in all tables of the log, as messages of conversations, each with a source of its own.
with sources as (
  insert into muniment.source (tenant_id, source_no, space_id, source_id, source_key, kind)
  select cast(:tenant as bigint), g.group_no, min(g.space_id), gen_random_uuid(), 'group-' || g.group_no, 'conversation'
    from given g
   group by g.group_no),
versions as (
  insert into muniment.source_version (tenant_id, source_no, version, space_id, media_type, bytes, records, live_from_commit)
  select cast(:tenant as bigint), g.group_no, 1, min(g.space_id), 'application/json', sum(octet_length(g.text)), count(*),
         (min(g.record_no) - 1) / 1000 + 1
    from given g
   group by g.group_no),
groups as (
  insert into muniment.record_group (tenant_id, group_no, space_id, group_key, source_no, next_position)
  select cast(:tenant as bigint), g.group_no, min(g.space_id), 'group-' || g.group_no, g.group_no, count(*)
    from given g
   group by g.group_no),
records as (
  insert into muniment.record (tenant_id, record_no, space_id, record_id, kind, modality, source_no, source_version, group_no,
                               position, speaker, role, said_at, said_offset, locator, commitment)
  select cast(:tenant as bigint), g.record_no, g.space_id, gen_random_uuid(), 'raw', 'conversation', g.group_no, 1, g.group_no,
         g.position, g.speaker, case g.position % 2 when 0 then 'user' else 'assistant' end,
         timestamptz '2020-01-01 00:00Z' + make_interval(mins => g.record_no::integer), 0,
         jsonb_build_object('kind', 'message', 'group_id', 'group-' || g.group_no, 'turn', g.position),
         sha256(int8send(g.record_no))
    from given g
   order by g.record_no),
contents as (
  insert into muniment.record_content (tenant_id, record_no, space_id, salt, text)
  select cast(:tenant as bigint), g.record_no, g.space_id, sha256(int8send(-g.record_no)), g.text
    from given g
   order by g.record_no),
lives as (
  insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit)
  select cast(:tenant as bigint), g.record_no, g.space_id, g.group_no, g.position, (g.record_no - 1) / 1000 + 1
    from given g
   order by g.record_no),
entries as (
  insert into muniment.log_entry (tenant_id, entry_no, commit_no, ordinal, space_id, event, record_no, leaf)
  select cast(:tenant as bigint), g.record_no - 1, (g.record_no - 1) / 1000 + 1, (g.record_no - 1) % 1000, g.space_id, 'record',
         g.record_no, sha256(int8send(g.record_no))
    from given g
   order by g.record_no),
linked as (
  insert into muniment.similarity_linked (tenant_id, record_no, space_id)
  select cast(:tenant as bigint), g.record_no, g.space_id
    from given g
   order by g.record_no)
insert into muniment.record_entity (tenant_id, entity, space_id, record_no)
select cast(:tenant as bigint), g.entity, g.space_id, g.record_no
  from given g
 order by g.entity, g.space_id, g.record_no;

-- name: index_records
-- The batch in the lexical index, as a write does it.
select muniment.index_records(cast(:tenant as bigint), (select array_agg(g.record_no order by g.record_no) from given g), 'english');

-- name: pack
-- All postings of a space, packed. Cost: the function's.
select muniment.merge_postings(cast(:tenant as bigint), cast(:space as bigint), 256);

-- name: shrink_tail
-- The tail held all postings for a while, as it never does where merges run in between.
reindex table muniment.posting_tail;

-- name: close_log
-- The end of the log and the counters, so that writes can go on.
with head as (
  update muniment.log_head
     set commits = (cast(:records as bigint) - 1) / 1000 + 1, entries = cast(:records as bigint), last_at = clock_timestamp(),
         peaks = array_fill(sha256(''), array[bit_count(cast(:records as bigint)::bit(64))::integer])
   where tenant_id = cast(:tenant as bigint))
insert into muniment.counter (tenant_id, name, next_value)
select cast(:tenant as bigint), n.name, cast(:records as bigint) + 1
  from unnest(array['record', 'source', 'group', 'space']) n (name);

-- name: vacuum
-- As autovacuum leaves the tables.
vacuum (analyze);

-- name: stage_times
-- How long each stage took in the runs of all tenants since a moment, in milliseconds. Whole tables.
select s.name, percentile_cont(0.5) within group (order by s.duration_ms) as p50,
       percentile_cont(0.95) within group (order by s.duration_ms) as p95
  from muniment.query_run r
  join muniment.query_stage s
    on s.tenant_id = r.tenant_id
   and s.query_no = r.query_no
 where r.started_at >= cast(:since as timestamptz)
 group by s.name
 order by min(s.stage_no), s.name;

-- name: sizes
-- Bytes of each table with what is stored beside it, and of each index; not of the query runs, which the benchmark itself leaves.
select c.relname as name, c.relkind = 'i' as is_index,
       case when c.relkind = 'i' then pg_relation_size(c.oid) else pg_table_size(c.oid) end as bytes
  from pg_class c
 where c.relnamespace = 'muniment'::regnamespace
   and c.relkind in ('r', 'i')
   and c.relname not like 'query\_%'
 order by bytes desc;

-- name: lexical_exhaustive
-- What the lexical search must find. Cost: the function's.
select record_no, score
  from muniment.search_lexical_exhaustive(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:question as text), cast(:language as text),
         cast(:known_at as bigint), cast(:k1 as double precision), cast(:b as double precision), cast(:limit as integer));

-- name: lexical
-- The best records by BM25 as searches find them, to be held against the sum. The postings of the question's terms.
select record_no, score
  from muniment.search_lexical(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:question as text), cast(:language as text),
         cast(:known_at as bigint), cast(:k1 as double precision), cast(:b as double precision), cast(:limit as integer),
         cast(:cap as integer));
