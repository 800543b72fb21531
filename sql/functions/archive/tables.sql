-- The tables of a tenant's archive, in an order in which each comes after those it refers to. Constant cost.
create or replace function muniment.archive_tables()
returns table (ordinal integer, name text)
language sql immutable security invoker set search_path = '' as $$
  select t.ordinal::integer, t.name
    from pg_catalog.unnest(array[
           'counter', 'space', 'source', 'source_version', 'blob', 'record_group', 'ingestion_run', 'ingestion_item', 'idempotency',
           'record', 'record_content', 'message_key', 'record_metadata', 'evidence', 'erasure', 'tombstone', 'log_head', 'log_commit',
           'log_entry', 'tree_node', 'checkpoint', 'liveness', 'lexical_document', 'posting_block', 'posting_tail', 'embedding',
           'embedding_pending', 'record_entity', 'record_subject', 'record_time', 'similarity', 'similarity_linked', 'fact', 'extraction',
           'extraction_call', 'relation', 'entity', 'entity_gram', 'entity_alias', 'claim_dirty', 'claim', 'claim_evidence',
           'claim_decision', 'claim_undo', 'summary_progress', 'summary_due', 'summary', 'summary_posting', 'summary_vector',
           'summary_call', 'profile_due', 'derivation', 'retrieval_profile', 'query_run', 'query_stage', 'query_hit', 'served_key',
           'served', 'job'])
         with ordinality as t (name, ordinal);
$$;
