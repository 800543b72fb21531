-- Row-level security, grants and the owners of definer functions, generated from one list.
-- A new table without a line here fails the catalog test.
do $$
declare
  _line record;
  _space text;
begin
  for _line in
    select * from (values
      -- schema, table, what muniment_app may do, whether muniment_analyst reads it, whether rows belong to a space
      ('muniment_auth', 'tenant',           'select, insert, update',         false, false),
      ('muniment_auth', 'credential',       'select, insert, update',         false, false),
      ('muniment_auth', 'audit_head',       'select, insert, update',         false, false),
      ('muniment_auth', 'audit_entry',      'select, insert',                 false, false),
      ('muniment_auth', 'member',           'select, insert, update, delete', false, false),
      ('muniment_auth', 'oauth_client',     'select, insert, update',         false, false),
      ('muniment_auth', 'oauth_grant',      'select, insert, update, delete', false, false),
      ('muniment_auth', 'oauth_code',       'select, insert, update',         false, false),
      ('muniment_auth', 'oauth_refresh',    'select, insert, update',         false, false),
      ('muniment_auth', 'oauth_device',     'select, insert, update, delete', false, false),
      ('muniment_auth', 'session',          'select, insert, delete',         false, false),
      ('muniment_auth', 'external_issuer',  'select, insert, delete',         false, false),
      ('muniment_auth', 'sql_login',        'select, insert, update, delete', false, false),
      ('muniment',      'counter',          'select, insert, update',         false, false),
      ('muniment',      'space',            'select, insert',                 true,  true),
      ('muniment',      'blob',             'select, insert',                 true,  true),
      ('muniment',      'source',           'select, insert, update',         true,  true),
      ('muniment',      'source_version',   'select, insert, update',         true,  true),
      ('muniment',      'record_group',     'select, insert, update',         true,  true),
      ('muniment',      'ingestion_run',    'select, insert, update',         true,  true),
      ('muniment',      'ingestion_item',   'select, insert, update',         true,  true),
      ('muniment',      'idempotency',      'select, insert, update, delete', false, true),
      ('muniment',      'record',           'select, insert',                 true,  true),
      ('muniment',      'record_content',   'select, insert',                 true,  true),
      ('muniment',      'message_key',      'select, insert, update',         false, true),
      ('muniment',      'record_metadata',  'select, insert, delete',         true,  true),
      ('muniment',      'evidence',         'select, insert',                 true,  true),
      ('muniment',      'log_head',         'select, insert, update',         true,  false),
      ('muniment',      'log_commit',       'select, insert',                 true,  false),
      ('muniment',      'log_entry',        'select, insert',                 true,  true),
      ('muniment',      'tree_node',        'select, insert',                 true,  false),
      ('muniment',      'checkpoint',       'select, insert',                 true,  false),
      ('muniment',      'erasure',          'select, insert, update',         true,  false),
      ('muniment',      'tombstone',        'select, insert',                 true,  true),
      ('muniment',      'liveness',         'select, insert, update, delete', true,  true),
      ('muniment',      'lexical_document', 'select, insert, delete',         true,  true),
      ('muniment',      'posting_tail',     'select, insert, delete',         true,  true),
      ('muniment',      'posting_block',    'select, insert, update, delete', true,  true),
      ('muniment',      'embedding',        'select, insert, delete',         true,  true),
      ('muniment',      'embedding_pending','select, insert, delete',         true,  true),
      ('muniment',      'record_entity',    'select, insert, delete',         true,  true),
      ('muniment',      'record_subject',   'select, insert, delete',         true,  true),
      ('muniment',      'record_time',      'select, insert, delete',         true,  true),
      ('muniment',      'fact',             'select, insert',                 true,  true),
      ('muniment',      'extraction',       'select, insert, update',         true,  true),
      ('muniment',      'extraction_call',  'select, insert',                 true,  true),
      ('muniment',      'similarity',       'select, insert, delete',         true,  true),
      ('muniment',      'similarity_linked','select, insert, delete',         true,  true),
      ('muniment',      'relation',         'select, insert, update',         true,  false),
      ('muniment',      'entity',           'select, insert, update, delete', true,  true),
      ('muniment',      'entity_gram',      'select, insert, update, delete', true,  true),
      ('muniment',      'entity_alias',     'select, insert, update',         true,  true),
      ('muniment',      'claim_dirty',      'select, insert, delete',         false, true),
      ('muniment',      'claim',            'select, insert, update, delete', true,  true),
      ('muniment',      'claim_evidence',   'select, insert, update, delete', true,  true),
      ('muniment',      'claim_decision',   'select, insert, update, delete', true,  true),
      ('muniment',      'claim_undo',       'select, insert',                 true,  true),
      ('muniment',      'derivation',       'select, insert, update',         false, false),
      ('muniment',      'summary_progress', 'select, insert, update',         false, false),
      ('muniment',      'summary_due',      'select, insert, update, delete', false, true),
      ('muniment',      'summary',          'select, insert, update, delete', true,  true),
      ('muniment',      'profile_due',      'select, insert, update, delete', false, true),
      ('muniment',      'summary_posting',  'select, insert',                 false, true),
      ('muniment',      'summary_vector',   'select, insert',                 false, true),
      ('muniment',      'summary_call',     'select, insert',                 true,  true),
      ('muniment',      'retrieval_profile','select, insert',                 true,  false),
      ('muniment',      'query_run',        'select, insert, update, delete', true,  true),
      ('muniment',      'query_stage',      'select, insert',                 true,  true),
      ('muniment',      'query_hit',        'select, insert, update',         true,  true),
      ('muniment',      'served_key',       'select, insert',                 false, false),
      ('muniment',      'served',           'select, insert, update, delete', false, true),
      ('muniment',      'quota',            'select, insert, update',         true,  false),
      ('muniment',      'ration',           'select, insert, update',         false, false),
      ('muniment',      'search_lease',     'select, insert, delete',         false, false),
      ('muniment',      'usage_day',        'select, insert, update',         true,  false),
      ('muniment',      'usage_entry',      'select, insert, update, delete', true,  false),
      ('muniment',      'job',              'select, insert, update, delete', true,  true)
    ) as list (schema_name, table_name, app, analyst, spaced)
  loop
    _space := case when _line.spaced
      then ' and ((select muniment_auth.scope_whole()) or space_id in (select muniment_auth.scope_spaces()))' else '' end;
    execute format('alter table %I.%I enable row level security', _line.schema_name, _line.table_name);
    execute format('alter table %I.%I force row level security', _line.schema_name, _line.table_name);
    execute format('drop policy if exists app on %I.%I', _line.schema_name, _line.table_name);
    execute format('drop policy if exists analyst on %I.%I', _line.schema_name, _line.table_name);
    execute format('create policy app on %I.%I to muniment_app using (tenant_id = (select muniment_auth.scope_tenant())%s)',
                   _line.schema_name, _line.table_name, _space);
    execute format('create policy analyst on %I.%I for select to muniment_analyst using (tenant_id = (select muniment_auth.login_tenant()))',
                   _line.schema_name, _line.table_name);
    -- who removes whole tenants sees those alone that were given up; of the tenants themselves its function asks that
    execute format('drop policy if exists remover on %I.%I', _line.schema_name, _line.table_name);
    execute format('create policy remover on %I.%I to muniment_remover using (tenant_id = (select muniment_auth.%I()))',
                   _line.schema_name, _line.table_name, case when _line.table_name = 'tenant' then 'scope_tenant' else 'condemned_tenant' end);
    execute format('revoke all on %I.%I from public, muniment_app, muniment_analyst, muniment_ops, muniment_remover', _line.schema_name, _line.table_name);
    execute format('grant select, delete on %I.%I to muniment_remover', _line.schema_name, _line.table_name);
    execute format('grant %s on %I.%I to muniment_app', _line.app, _line.schema_name, _line.table_name);
    if _line.analyst then
      execute format('grant select on %I.%I to muniment_analyst', _line.schema_name, _line.table_name);
    end if;
  end loop;
end $$;

-- the policy is the whole tenant's and has no space: who is pinned to some is under it too, and so must see it
drop policy if exists app_policy on muniment.log_entry;
create policy app_policy on muniment.log_entry for select to muniment_app
  using (tenant_id = (select muniment_auth.scope_tenant()) and event = 'policy');

-- tables without a tenant
revoke all on muniment_auth.instance, muniment_auth.signing_key, muniment_auth.tenant_deletion, muniment.embedding_model, muniment_jobs.queue, muniment_jobs.turn from public, muniment_app, muniment_analyst;
grant select, update on muniment_auth.instance to muniment_app;
grant select, insert, update, delete on muniment_auth.signing_key to muniment_app;
grant select, insert, update on muniment_auth.tenant_deletion to muniment_app;
grant select on muniment.alembic_version, muniment.applied_files to muniment_app;
grant select, insert on muniment.embedding_model to muniment_app;
grant select on muniment.embedding_model to muniment_analyst;
grant select, insert on muniment_jobs.queue to muniment_app;
grant usage on sequence muniment_auth.tenant_number to muniment_app;

-- schemas
grant usage on schema muniment, muniment_auth, muniment_jobs to muniment_app;
grant usage on schema muniment, muniment_auth, analytics to muniment_analyst;
grant usage on schema ops to muniment_ops, muniment_app;

-- the views that SQL logins are told of: each reads as its reader
do $$
declare
  _view regclass;
begin
  for _view in
    select c.oid from pg_catalog.pg_class c
     where c.relnamespace = 'analytics'::regnamespace and c.relkind = 'v'
  loop
    execute format('grant select on %s to muniment_analyst', _view);
  end loop;
end $$;

-- functions of ours: nobody but whom they are for (those that cross tenants say so beside themselves)
do $$
declare
  _function regprocedure;
begin
  for _function in
    select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('muniment', 'muniment_auth', 'muniment_jobs') and p.proowner = current_user::regrole
  loop
    execute format('revoke all on function %s from public', _function);
    execute format('grant execute on function %s to muniment_app', _function);
  end loop;
end $$;

-- what muniment.search reads with, for the SQL logins: each runs as its caller, reads under its policies, and writes nothing
do $$
declare
  _name text;
begin
  foreach _name in array regexp_split_to_array(btrim($list$
    add_postings, admit_search, admit_window, asks_only_of_time, cosines, count_of, date_terms, describe_candidates, drop_closed,
    filter_given, filter_texts, find_by_routes, finish_by_documents, finish_by_postings, first_of_each_text, fold_marks, in_first_person,
    languages, question_languages, question_words, read_question, stem_of,
    lexical_statistics, lists_of, matching_records, metadata_condition, metadata_fits, model_of, narrow_records, near_times,
    other_marks, question_terms, score_coverage, score_records, score_times, search, search_default, search_lexical,
    search_lexical_terms, search_times, search_vector, search_vector_index, search_vector_scan, spaceless_letters, spaceless_marks, speakers,
    speakers_named, stem_dictionary, step_graph, tail_postings, term_hash, time_proximity, tokenize, tokenize_chunks, unpack_tail,
    walk_graph, weigh_hashes, weigh_lists, weigh_terms, when_cues
  $list$, E' \n'), ',\s*')
  loop
    execute format('grant execute on function %s to muniment_analyst', ('muniment.' || quote_ident(_name))::regproc::regprocedure);
  end loop;
  revoke all on function muniment.search from muniment_app;  -- whose tenant is that of its scope: it calls search_default
end $$;

-- the roles that cross tenants, and what each may touch
grant select on muniment_auth.credential, muniment_auth.tenant, muniment_auth.sql_login, muniment_auth.oauth_client,
                muniment_auth.oauth_grant, muniment_auth.oauth_device, muniment_auth.member
  to muniment_resolver;
grant select on muniment_auth.sql_login to muniment_watchdog;
grant select on muniment_auth.instance to muniment_dispatcher;
grant select, update, delete on muniment_jobs.queue to muniment_dispatcher;
grant select, insert, update, delete on muniment_jobs.turn to muniment_dispatcher;
grant execute on function muniment_auth.scope_tenant() to muniment_dispatcher, muniment_remover;
grant execute on function muniment_auth.tenant_tables(), muniment_auth.condemned_tenant() to muniment_remover;
drop policy if exists resolver on muniment_auth.credential;
drop policy if exists resolver on muniment_auth.tenant;
drop policy if exists resolver on muniment_auth.sql_login;
drop policy if exists watchdog on muniment_auth.sql_login;
drop policy if exists resolver on muniment_auth.oauth_client;
drop policy if exists resolver on muniment_auth.oauth_grant;
drop policy if exists resolver on muniment_auth.oauth_device;
drop policy if exists resolver on muniment_auth.member;
create policy resolver on muniment_auth.credential for select to muniment_resolver using (true);
create policy resolver on muniment_auth.tenant for select to muniment_resolver using (true);
create policy resolver on muniment_auth.sql_login for select to muniment_resolver using (true);
create policy resolver on muniment_auth.oauth_client for select to muniment_resolver using (true);
create policy resolver on muniment_auth.oauth_grant for select to muniment_resolver using (true);
create policy resolver on muniment_auth.oauth_device for select to muniment_resolver using (true);
create policy resolver on muniment_auth.member for select to muniment_resolver using (true);
create policy watchdog on muniment_auth.sql_login for select to muniment_watchdog using (true);

-- what an erase may touch, of the scope's tenant alone: nobody else deletes content
do $$
declare
  _line record;
begin
  for _line in
    select * from (values
      ('record',           'select, update'),
      ('record_content',   'select, delete'),
      ('source',           'select, update'),
      ('source_version',   'select, update'),
      ('record_group',     'select, update'),
      ('blob',             'select, delete'),
      ('ingestion_item',   'select, update'),
      ('idempotency',      'select, delete'),
      ('lexical_document', 'select'),
      ('posting_tail',     'select'),
      ('posting_block',    'select, insert, update, delete'),
      ('query_run',        'select, update'),
      ('query_stage',      'select, update'),
      ('query_hit',        'select'),
      ('served',           'select, delete'),
      ('tombstone',        'select, insert'),
      ('evidence',         'select'),
      ('summary',          'select, delete'),
      ('summary_due',      'select, insert, update'),
      ('profile_due',      'select, insert'),
      ('fact',             'select'),
      ('usage_entry',      'insert'),
      ('job',              'select, update')
    ) as list (table_name, privileges)
  loop
    execute format('drop policy if exists eraser on muniment.%I', _line.table_name);
    execute format('create policy eraser on muniment.%I to muniment_eraser using (tenant_id = (select muniment_auth.scope_tenant()))',
                   _line.table_name);
    execute format('revoke all on muniment.%I from muniment_eraser', _line.table_name);
    execute format('grant %s on muniment.%I to muniment_eraser', _line.privileges, _line.table_name);
  end loop;
end $$;
grant execute on function muniment_auth.scope_tenant() to muniment_eraser;
grant execute on function muniment.has_word(text, text[]), muniment.texts_of(jsonb), muniment.without_words(jsonb, text[], text[]), muniment.indexed_text(text, jsonb), muniment.tokenize(text, text), muniment.tokenize_chunks(text[]),
                          muniment.stem_dictionary(text), muniment.other_marks(), muniment.spaceless_letters(),
                          muniment.spaceless_marks(), muniment.fold_marks(text), muniment.stem_of(regdictionary, text), muniment.lists_of(text)
  to muniment_eraser;
