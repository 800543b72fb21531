-- Two tenants of 50,000 records each, and a thousand empty ones, so that a plan which forgets the tenant or its key shows.
-- Record n stands in group 1 + (n - 1) / 10, which is also its source and commit; group g in space 1 + g % 20. The last
-- group is space 21 and alone there; after it stand ten records that are written but not sealed.
set session_replication_role = replica;
set synchronous_commit = off;

create temporary table grp as
select t as tenant_id, g, case when g >= 5000 then 21 else 1 + g % 20 end::bigint as space_id
  from generate_series(1, 2) t, generate_series(1, 5001) g;
create temporary table rec as
select r.tenant_id, n, r.g, r.space_id, (n - 1) % 10 as position, n <= 50000 as sealed
  from grp r, generate_series(10 * r.g - 9, 10 * r.g) n;

insert into muniment_auth.tenant (tenant_id, public_id, name)
select t, md5('tenant' || t)::uuid, 'tenant ' || t from generate_series(1, 1000) t;
insert into muniment.log_head (tenant_id, commits, entries, last_at, peaks)
select t, 5000, 50000, now(), array[sha256('')] from generate_series(1, 1000) t;
insert into muniment.counter (tenant_id, name, next_value)
select t, c, 100000 from generate_series(1, 1000) t, unnest(array['record', 'source', 'group', 'space', 'run', 'query', 'job']) c;
insert into muniment_auth.credential (tenant_id, credential_id, prefix, secret_hash, label, scopes)
select t, md5('key' || t || '-' || k)::uuid, 'mun_', sha256((t || 'secret' || k)::bytea), 'key', '{tenant:admin}'
  from generate_series(1, 1000) t, generate_series(1, 3) k;
insert into muniment_auth.audit_head (tenant_id, entries, digest) select t, 3000, sha256('') from generate_series(1, 1000) t;
insert into muniment_auth.audit_entry (tenant_id, entry_no, at, actor, action, target, detail, previous, digest)
select t, n, now(), 'cli', 'key.create', 'k_' || n, '{}', sha256(''), sha256('') from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment_auth.member (tenant_id, member_id, email, scopes)
select t, md5('member' || t || '-' || n)::uuid, 'member' || n || '@example.org', '{}' from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment_auth.session (tenant_id, session_hash, member_id, expires_at)
select t, sha256(('session' || n)::bytea), md5('member' || t || '-' || n)::uuid, now() + interval '1 hour'
  from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment_auth.oauth_client (tenant_id, client_id, secret_hash, name, grant_types, scopes, auth_method)
select t, md5('client' || t || '-' || n)::uuid, sha256(''), 'client', '{}', '{}', 'client_secret_basic'
  from generate_series(1, 2) t, generate_series(1, 1000) n;
insert into muniment_auth.oauth_grant (tenant_id, grant_id, client_id, member_id, scopes, resource, expires_at)
select t, md5('grant' || t || '-' || n)::uuid, md5('client' || t || '-' || 1 + n % 1000)::uuid, md5('member' || t || '-' || n)::uuid, '{}',
       'r', now() + interval '1 hour'
  from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment_auth.oauth_code (tenant_id, code_hash, grant_id, challenge, expires_at)
select t, sha256(('code' || n)::bytea), md5('grant' || t || '-' || n)::uuid, 'c', now() + interval '1 hour'
  from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment_auth.oauth_refresh (tenant_id, token_hash, grant_id, expires_at)
select t, sha256(('refresh' || n)::bytea), md5('grant' || t || '-' || n)::uuid, now() + interval '1 hour'
  from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment_auth.oauth_device (tenant_id, device_hash, user_hash, client_id, scopes, resource, grant_id, expires_at)
select t, sha256(('device' || n)::bytea), sha256(('user' || n)::bytea), md5('client' || t || '-' || 1 + n % 1000)::uuid, '{}', 'r',
       md5('grant' || t || '-' || n)::uuid, now() + interval '1 hour'
  from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment_auth.external_issuer (tenant_id, issuer_id, url, scopes, scope_claim)
select t, md5('issuer' || t || '-' || n)::uuid, 'https://idp' || n || '.example', '{}', 'scope'
  from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment_auth.sql_login (tenant_id, login) select t, 'login_' || t from generate_series(1, 1000) t;

insert into muniment.quota (tenant_id, records) select t, 1000000 from generate_series(1, 1000) t;
insert into muniment.ration (tenant_id, tokens, filled_at) select t, 1, now() from generate_series(1, 1000) t;
insert into muniment.search_lease (tenant_id, holder, slots, expires_at)
select t, md5('holder' || h)::uuid, 1, now() + interval '1 hour' from generate_series(1, 1000) t, generate_series(1, 4) h;
insert into muniment.usage_day (tenant_id, day, records)
select t, date '2026-01-01' - d, 1 from generate_series(1, 1000) t, generate_series(0, 99) d;
insert into muniment.usage_entry (tenant_id, records) select t, 1 from generate_series(1, 1000) t, generate_series(1, 20);

insert into muniment.space (tenant_id, space_id, project_id, user_id)
select t, s, 'project' || s % 100, 'user' || s from generate_series(1, 2) t, generate_series(1, 2000) s;
insert into muniment.source (tenant_id, source_no, space_id, source_id, source_key, kind)
select tenant_id, g, space_id, md5('source' || tenant_id || '-' || g)::uuid, 'key' || g, case g % 2 when 0 then 'text' else 'conversation' end
  from grp;
insert into muniment.source_version (tenant_id, source_no, version, space_id, content_hash, blob_sha256, media_type, bytes, records,
                                     live_from_commit)
select tenant_id, g, 1, space_id, sha256(g::text::bytea), sha256(g::text::bytea), 'text/plain', 100, 10, g from grp;
insert into muniment.blob (tenant_id, space_id, sha256, size, content)
select tenant_id, space_id, sha256(g::text::bytea), length(g::text), g::text::bytea from grp;
insert into muniment.record_group (tenant_id, group_no, space_id, group_key, source_no, session_id, next_position)
select tenant_id, g, space_id, 'key' || g, g, 'session' || g, 10 from grp;

insert into muniment.record (tenant_id, record_no, space_id, record_id, kind, modality, source_no, source_version, group_no, position,
                             session_id, speaker, said_at, locator, commitment)
select tenant_id, n, space_id, md5('record' || tenant_id || '-' || n)::uuid, 'raw', 'conversation', g, 1, g, position,
       'session' || g, 'speaker' || n % 8, now(), '{}', sha256(n::text::bytea)
  from rec;
insert into muniment.record_content (tenant_id, record_no, space_id, salt, text)
select tenant_id, n, space_id, sha256(n::text::bytea), format('alpha%s beta%s word', n % 500, n % 50) from rec;
insert into muniment.message_key (tenant_id, group_no, key, space_id, record_no)
select tenant_id, g, 'p:' || position, space_id, n from rec where sealed;
insert into muniment.record_metadata (tenant_id, space_id, key, value, record_no)
select tenant_id, space_id, 'key' || n % 5, 'value' || n % 1000, n from rec where sealed;
insert into muniment.evidence (tenant_id, record_no, basis_no, space_id, span_start, span_end)
select tenant_id, n, n - 1, space_id, 0, 1 from rec where sealed and position > 0;

insert into muniment.log_commit (tenant_id, commit_no, space_id, at, first_entry, entries, root)
select tenant_id, g, space_id, now(), 10 * (g - 1), 10, sha256(g::text::bytea) from grp where g <= 5000;
insert into muniment.log_entry (tenant_id, entry_no, commit_no, ordinal, space_id, event, record_no, leaf)
select tenant_id, n - 1, g, position, space_id, 'record', n, sha256(n::text::bytea) from rec where sealed;
insert into muniment.tree_node (tenant_id, level, node_no, hash)
select t, 8, n, sha256(n::text::bytea) from generate_series(1, 2) t, generate_series(0, 5000) n;
insert into muniment.checkpoint (tenant_id, entries, root, note)
select t, n, sha256(n::text::bytea), 'note' from generate_series(1, 2) t, generate_series(1, 3000) n;
insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit)
select tenant_id, n, space_id, g, position, g from rec where sealed;

create temporary table word as
select tenant_id, n as record_no, space_id, u.term
  from rec, unnest(array['alpha' || n % 500, 'beta' || n % 50, 'word']) u (term)
 where sealed;
insert into muniment.lexical_document (tenant_id, record_no, space_id, length, asks, hashes, counts)
select tenant_id, record_no, space_id, 3, false, array_agg(muniment.term_hash(term) order by muniment.term_hash(term)), '{1,1,1}'
  from word
 group by tenant_id, record_no, space_id;
create temporary table post as
select tenant_id, term, space_id, record_no from word
union all
select tenant_id, '', space_id, n from rec where sealed;
insert into muniment.posting_block (tenant_id, term, space_id, first_record, documents, total_length, records, counts, lengths)
select tenant_id, term, space_id, min(record_no), count(*), 3 * count(*), array_agg(record_no order by record_no),
       array_agg(1::smallint), array_agg(3)
  from post where record_no <= 48000 or record_no > 49990 group by tenant_id, term, space_id;
insert into muniment.posting_tail (tenant_id, bucket, space_id, first_record, documents, total_length, terms, ends, records, counts, lengths)
select tenant_id, 1, space_id, record_no, count(*), 3 * count(*), array_agg(term order by term collate "C"),
       array_agg(row_number order by term collate "C"), array_agg(record_no), array_agg(1::smallint), array_agg(3)
  from (select p.*, (row_number() over (partition by tenant_id, record_no order by term collate "C"))::integer as row_number
          from post p where record_no between 48001 and 49990 and term <> '') p
 group by tenant_id, space_id, record_no;
insert into muniment.posting_tail (tenant_id, bucket, space_id, first_record, documents, total_length, terms, ends, records, counts, lengths)
select tenant_id, 0, space_id, record_no, 1, 3, '{}', '{}', '{}', '{}', '{}'
  from post where record_no between 48001 and 49990 and term = '';

insert into muniment.embedding_model (name, dimensions) values ('test:plans', 8);
insert into muniment.embedding (tenant_id, model_no, space_id, record_no, vector)
select tenant_id, 1, space_id, n,
       ('[' || concat_ws(',', sin(n), cos(n), sin(2 * n), cos(2 * n), sin(3 * n), cos(3 * n), sin(5 * n), cos(5 * n)) || ']')::public.halfvec
  from rec where sealed and n % 25 > 0;
insert into muniment.embedding_pending (tenant_id, space_id, record_no)
select tenant_id, space_id, n from rec where sealed and n % 25 = 0;
insert into muniment.record_entity (tenant_id, entity, space_id, record_no)
select tenant_id, e, space_id, n from rec, unnest(array['person' || n % 2000, 'place' || n % 9000]) e where sealed;
insert into muniment.retrieval_profile (tenant_id, name, version, base, changes, digest)
select t, 'profile' || n, v, 'default', '{}', 'digest' from generate_series(1, 2) t, generate_series(1, 400) n, generate_series(1, 5) v;
insert into muniment.record_subject (tenant_id, subject, space_id, record_no)
select tenant_id, 'subject' || n % 9000, space_id, n from rec where sealed and n % 2 = 0;
insert into muniment.record_time (tenant_id, record_no, ordinal, space_id, from_at, to_at, grain, expression)
select tenant_id, n, 0, space_id, timestamptz '2020-01-01' + n * interval '1 hour', timestamptz '2020-01-02' + n * interval '1 hour',
       'day', 'that day'
  from rec where sealed and n % 5 = 0;
insert into muniment.fact (tenant_id, record_no, space_id, subject, subject_type, relation, object, object_type, confidence, extractor)
select tenant_id, n, space_id, 'person' || n % 2000, 'person', (array['lives_in', 'works_at', 'likes'])[1 + n % 3], 'object' || n, 'thing', 0.9,
       'rules:1'
  from rec where sealed and n % 2 = 1;
insert into muniment.extraction (tenant_id, record_no, method, space_id, state, extractor, reason)
select tenant_id, n, 'rules', space_id, (array['pending', 'facts', 'none', 'failed'])[1 + n % 4], 'rules:1',
       case n % 4 when 3 then 'provider.invalid' end
  from rec where sealed;
insert into muniment.extraction_call (tenant_id, call_id, space_id, at, extractor, group_no, records, requests, duration_ms)
select tenant_id, md5('call' || tenant_id || '-' || g)::uuid, space_id, timestamptz '2026-01-01' - g * interval '1 hour', 'model:x:1', g, 10, 1, 1
  from grp;
insert into muniment.relation (tenant_id, relation, live_from_commit, single, aliases, set_by)
select t, 'relation' || n, 1, true, array['alias' || n], 'person' from generate_series(1, 1000) t, generate_series(1, 20) n;
insert into muniment.entity (tenant_id, space_id, entity_type, name, record_no)
select distinct on (f.tenant_id, f.space_id, f.subject_key) f.tenant_id, f.space_id, 'person', f.subject_key, f.record_no from muniment.fact f;
insert into muniment.entity_gram (tenant_id, space_id, entity_type, gram, name, record_no)
select e.tenant_id, e.space_id, e.entity_type, g, e.name, e.record_no from muniment.entity e, unnest((public.show_trgm(e.name))[1:4]) g;
insert into muniment.entity_alias (tenant_id, space_id, entity_type, name, live_from_commit, entity, decision_id, rule, record_no, entity_record_no)
select e.tenant_id, e.space_id, 'person', 'alias ' || e.name, 1, e.name, md5('alias' || e.tenant_id || '-' || e.record_no)::uuid, 'stated',
       e.record_no, e.record_no
  from muniment.entity e;
insert into muniment.claim (tenant_id, claim_id, live_from_commit, space_id, subject_type, subject_key, subject, relation, object_type,
                            object_key, object, negated, status, from_basis, facts, groups, fact_confidence, last_said_at, anchor_commit,
                            anchor_no)
select f.tenant_id, md5('claim' || f.tenant_id || '-' || f.record_no)::uuid, l.live_from_commit, f.space_id, 'person', f.subject_key, f.subject,
       f.relation, 'thing', f.object_key, f.object, false, 'ACTIVE', 'unknown', 1, 1, 0.9, now(), l.live_from_commit, f.record_no
  from muniment.fact f join muniment.liveness l using (tenant_id, record_no);
insert into muniment.claim_evidence (tenant_id, claim_id, record_no, live_from_commit, space_id)
select c.tenant_id, c.claim_id, c.anchor_no, c.live_from_commit, c.space_id from muniment.claim c;
insert into muniment.claim_decision (tenant_id, decision_id, live_from_commit, space_id, claim_id, rule, record_no, by_record_no)
select c.tenant_id, md5('decision' || c.tenant_id || '-' || c.anchor_no)::uuid, c.live_from_commit, c.space_id, c.claim_id, 'later_value',
       c.anchor_no, c.anchor_no
  from muniment.claim c;
insert into muniment.claim_undo (tenant_id, decision_id, space_id, undone_commit, rule, record_no, by_record_no)
select c.tenant_id, md5('undone' || c.tenant_id || '-' || c.anchor_no)::uuid, c.space_id, 5000, 'later_value', c.anchor_no, c.anchor_no
  from muniment.claim c;
insert into muniment.claim_dirty (tenant_id, space_id, subject_type, subject_key, relation, commit_no, record_no)
select c.tenant_id, c.space_id, c.subject_type, c.subject_key, c.relation, 5000, min(c.anchor_no)
  from muniment.claim c where c.anchor_no > 49000 group by 1, 2, 3, 4, 5;
insert into muniment.derivation (tenant_id, name, version) select t, 'claims', '1' from generate_series(1, 1000) t;
insert into muniment.summary_progress (tenant_id, through_commit) select t, 4990 from generate_series(1, 1000) t;
insert into muniment.summary_due (tenant_id, space_id, group_no, commit_no) select tenant_id, space_id, g, g from grp where g % 10 = 1;
insert into muniment.profile_due (tenant_id, space_id, record_no) select tenant_id, space_id, n from rec where sealed and n % 100 = 1;
insert into muniment.summary (tenant_id, summary_no, summary_id, space_id, kind, entity_key, live_from_commit, through_commit, title, text,
                              phrasings, detail, records, inputs, form)
select distinct tenant_id, 10000 + (n % 2000) * 20 + g % 20, md5('profile' || tenant_id || '-' || (n % 2000) * 20 + g % 20)::uuid, space_id, 'profile', 'person' || n % 2000, 1, 1,
       'person' || n % 2000, 'alpha', '{}'::text[], '{}'::jsonb, array[1]::bigint[], 'inputs', 'rules:1'
  from rec where sealed and n % 2 = 1 and g < 5000;
insert into muniment.summary (tenant_id, summary_no, summary_id, space_id, kind, group_no, live_from_commit, through_commit, title, text,
                              phrasings, detail, records, inputs, form)
select tenant_id, g, md5('summary' || tenant_id || '-' || g)::uuid, space_id, (array['card', 'episode'])[1 + g % 2], g, g, g,
       'alpha' || g % 500, 'beta' || g % 50, '{}', '{}', array[10 * g], 'inputs', 'rules:1'
  from grp;
insert into muniment.summary_posting (tenant_id, kind, hash, space_id, summary_no, tf, length)
select tenant_id, (array['card', 'episode'])[1 + g % 2], muniment.term_hash(term), space_id, g, 1, 2
  from grp, unnest(array['alpha' || g % 500, 'beta' || g % 50]) term;
insert into muniment.summary_vector (tenant_id, kind, model_no, space_id, summary_no, vector)
select tenant_id, (array['card', 'episode'])[1 + g % 2], 1, space_id, g,
       ('[' || concat_ws(',', sin(g), cos(g), sin(2 * g), cos(2 * g), sin(3 * g), cos(3 * g), sin(5 * g), cos(5 * g)) || ']')::public.halfvec
  from grp where g % 25 > 0;
insert into muniment.summary_call (tenant_id, call_id, space_id, at, kind, form, requests, refused, prompt_tokens, completion_tokens,
                                   estimated, duration_ms)
select tenant_id, md5('call' || tenant_id || '-' || g)::uuid, space_id, timestamptz '2026-01-01' - g * interval '1 hour', 'card', 'model:x:1',
       1, 0, 1, 1, false, 1
  from grp;
insert into muniment.similarity (tenant_id, record_no, neighbour_no, space_id, weight)
select tenant_id, n, n + d, space_id, 0.7 from rec, generate_series(1, 2) d where sealed and position < 8;
insert into muniment.similarity_linked (tenant_id, record_no, space_id) select tenant_id, n, space_id from rec where sealed and g <> 100;

insert into muniment.ingestion_run (tenant_id, run_no, space_id, run_id, kind, items)
select tenant_id, g, space_id, md5('run' || tenant_id || '-' || g)::uuid, 'sources', 2 from grp;
insert into muniment.ingestion_item (tenant_id, run_no, item_no, space_id, state, source_no, source_version, source_key, records, record_ids)
select tenant_id, g, i, space_id, case i when 0 then 'stored' else 'failed' end, g, 1, 'key' || g, 1,
       array[md5('record' || tenant_id || '-' || 10 * g)::uuid]
  from grp, generate_series(0, 1) i;
insert into muniment.idempotency (tenant_id, key, space_id, request_hash, run_no, lease_until)
select tenant_id, 'key' || g, space_id, sha256(''), g, now() from grp;
insert into muniment.query_run (tenant_id, query_no, space_id, query_id, mode, question, parameters, known_at, statistics, started_at,
                                duration_ms)
select tenant_id, g, space_id, md5('query' || tenant_id || '-' || g)::uuid, 'search', 'alpha1', '{}', 1, '{}', now(), 1 from grp;
insert into muniment.query_stage (tenant_id, query_no, stage_no, space_id, name, detail, duration_ms)
select tenant_id, g, s, space_id, 'stage', '{}', 1 from grp, generate_series(1, 3) s;
insert into muniment.query_hit (tenant_id, query_no, rank, space_id, record_no, score, routes)
select tenant_id, g, h, space_id, 10 * g - h, 1, '{}' from grp, generate_series(1, 5) h;
insert into muniment.job (tenant_id, job_id, space_id, kind, arguments)
select tenant_id, md5('job' || tenant_id || '-' || g)::uuid, space_id, 'embed', '{}' from grp;
insert into muniment_jobs.queue (job_id, tenant_no, kind, state, run_at, lease_token, lease_until)
select md5('job' || tenant_id || '-' || g)::uuid, tenant_id, 'embed', case when g <= 5 then 'running' else 'queued' end, now(),
       case when g <= 5 then md5('lease' || tenant_id || '-' || g)::uuid end, case when g <= 5 then now() + '1 hour' end
  from grp;

insert into muniment.erasure (tenant_id, erasure_id, reason, commit_no, records)
select t, md5('erasure' || t || '-' || n)::uuid, 'asked', 1, 10 from generate_series(1, 2) t, generate_series(1, 100) n;
insert into muniment.tombstone (tenant_id, record_no, space_id, erasure_id, spine_digest)
select tenant_id, n, space_id, md5('erasure' || tenant_id || '-' || n % 100)::uuid, sha256('') from rec where sealed and n % 10 = 0;
insert into muniment.served_key (tenant_id, key) select t, sha256('key') from generate_series(1, 1000) t;
insert into muniment.served (tenant_id, fingerprint, record_no, space_id)
select tenant_id, hashint8extended(n, 0), n, space_id from rec where sealed and n % 5 = 0;

reset session_replication_role;
select setval('muniment_auth.tenant_number', 1000);
