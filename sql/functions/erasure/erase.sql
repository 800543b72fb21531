-- Erasing: the only way in which content leaves. Created, and so run, as a role that may do this to the scope's tenant and nothing else.
set local role muniment_eraser;

-- Takes records out of the packed postings of a space, with their share of its totals. The caller has merged its tail in the same
-- transaction, and so holds the lock of its postings. Reads the tenant's postings once: about a microsecond a posting.
create or replace function muniment.erase_postings(_tenant bigint, _space bigint, _records bigint[])
returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  _documents bigint;
  _length bigint;
begin
  select count(*), coalesce(sum(d.length), 0) into _documents, _length
    from muniment.lexical_document d
   where d.tenant_id = _tenant and d.space_id = _space and d.record_no = any (_records);
  with hit as (
    delete from muniment.posting_block b
     where b.tenant_id = _tenant and b.space_id = _space and b.term <> '' and b.records && _records
    returning b.term, b.first_record, b.records, b.counts, b.lengths
  )
  insert into muniment.posting_block (tenant_id, term, space_id, first_record, documents, total_length, records, counts, lengths)
  select _tenant, h.term, _space, min(u.record_no), count(*), sum(u.length),
         array_agg(u.record_no order by u.n), array_agg(u.tf order by u.n), array_agg(u.length order by u.n)
    from hit h, unnest(h.records, h.counts, h.lengths) with ordinality u (record_no, tf, length, n)
   where u.record_no <> all (_records)
   group by h.term, h.first_record;
  delete from muniment.posting_block b
   where b.tenant_id = _tenant and b.space_id = _space and b.term = '' and b.documents <= _documents;
  update muniment.posting_block b
     set documents = b.documents - _documents, total_length = b.total_length - _length
   where b.tenant_id = _tenant and b.space_id = _space and b.term = '' and _documents > 0;
end $$;

-- Erases the contents of records with all that hangs on them, leaves a tombstone of each with the digest of its spine (in hexadecimal
-- digits, beside the records), and takes out of the spine what names things. Returns the words that nothing else of the tenant's has.
-- Linear in the contents; erase_postings for each space.
create or replace function muniment.erase_contents(_tenant bigint, _erasure uuid, _records bigint[], _digests text[])
returns text[] language plpgsql volatile security definer set search_path = '' as $$
declare
  _words text[];
  _groups bigint[];
  _space bigint;
begin
  select array_agg(distinct w.term) into _words
    from muniment.record_content c
    join muniment.record r on r.tenant_id = _tenant and r.record_no = c.record_no,
         muniment.tokenize(concat_ws(' ', muniment.indexed_text(c.text, c.fields), c.payload::text, r.locator::text), 'none') w
   where c.tenant_id = _tenant and c.record_no = any (_records) and length(w.term) >= 3;
  -- profiles of those of whom erased facts tell in every version, to be compiled anew of their other facts
  insert into muniment.profile_due (tenant_id, space_id, record_no, as_object)
  select distinct on (f.space_id, f.entity_key) _tenant, f.space_id, o.record_no, o.as_object
    from muniment.fact_side f
    join muniment.fact_side o
      on o.tenant_id = _tenant
     and o.space_id = f.space_id
     and o.entity_key = f.entity_key
     and o.record_no <> all (_records)
   where f.tenant_id = _tenant
     and f.record_no = any (_records)
   order by f.space_id, f.entity_key, o.record_no, o.as_object
  on conflict (tenant_id, record_no, as_object) do nothing;
  delete from muniment.summary s
   using muniment.fact_side f
   where f.tenant_id = _tenant
     and f.record_no = any (_records)
     and s.tenant_id = _tenant
     and s.space_id = f.space_id
     and s.entity_key = f.entity_key
     and s.kind = 'profile';
  -- summaries of their groups in every version: any may quote them, and they are compiled anew of what is left
  _groups := array(
    select r.group_no from muniment.record r where r.tenant_id = _tenant and r.record_no = any (_records)
    union
    select b.group_no
      from muniment.evidence v
      join muniment.record b on b.tenant_id = _tenant and b.record_no = v.basis_no
     where v.tenant_id = _tenant and v.record_no = any (_records));
  insert into muniment.summary_due (tenant_id, space_id, group_no, commit_no)
  select _tenant, min(s.space_id), s.group_no, 0
    from muniment.summary s
   where s.tenant_id = _tenant
     and s.group_no = any (_groups)
   group by s.group_no
   order by s.group_no
  on conflict (tenant_id, group_no) do update set commit_no = excluded.commit_no;
  delete from muniment.summary s
   where s.tenant_id = _tenant
     and s.group_no = any (_groups);
  for _space in
    select distinct c.space_id from muniment.record_content c
     where c.tenant_id = _tenant and c.record_no = any (_records)
     order by 1
  loop
    perform muniment.erase_postings(_tenant, _space, _records);
  end loop;
  -- also what other records say in the same words, and answers that rest on several
  delete from muniment.served s
   where s.tenant_id = _tenant
     and s.fingerprint in (select f.fingerprint from muniment.served f where f.tenant_id = _tenant and f.record_no = any (_records));
  with gone as (
    delete from muniment.record_content c where c.tenant_id = _tenant and c.record_no = any (_records)
    returning octet_length(c.text) as size
  )
  insert into muniment.usage_entry (tenant_id, records_erased, bytes_erased)
  select _tenant, count(*), coalesce(sum(g.size), 0) from gone g;
  insert into muniment.tombstone (tenant_id, record_no, space_id, erasure_id, spine_digest)
  select _tenant, r.record_no, r.space_id, _erasure, decode(d.digest, 'hex')
    from unnest(_records, _digests) d (record_no, digest)
    join muniment.record r on r.tenant_id = _tenant and r.record_no = d.record_no
   where not exists (select from muniment.tombstone t where t.tenant_id = _tenant and t.record_no = d.record_no);
  -- without its commitment not even a guess at what the spine said can be confirmed by the digest
  update muniment.record r
     set locator = '{}', speaker = null, session_id = null, commitment = decode(repeat('00', 32), 'hex')
   where r.tenant_id = _tenant and r.record_no = any (_records);
  return array(
    select w.term
      from unnest(_words) w (term)
     where not exists (
             select from muniment.posting_block b where b.tenant_id = _tenant and b.term = any (muniment.lists_of(w.term)))
       and not exists (
             select from muniment.posting_tail t
              where t.tenant_id = _tenant and t.bucket > 0 and t.terms && muniment.lists_of(w.term)));
end $$;

-- Erases what is left of sources: the originals of the versions that erased records were of, of the exports that brought turns of the
-- same conversations, and of all sources that these are inside of, with their hashes, titles, file names and notes; of sources that
-- were erased whole also their keys. Reads the tenant's versions of the same originals.
create or replace function muniment.erase_originals(_tenant bigint, _records bigint[], _whole bigint[])
returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  _blobs bytea[];
begin
  select array_agg(distinct v.blob_sha256) into _blobs
    from muniment.source_version v
   where v.tenant_id = _tenant
     and v.blob_sha256 is not null
     and (v.source_no, v.version) in (
           select r.source_no, r.source_version from muniment.record r where r.tenant_id = _tenant and r.record_no = any (_records));
  -- exports that brought turns of the same conversations
  select _blobs || array_agg(distinct i.blob_sha256) into _blobs
    from muniment.ingestion_item i
    join muniment.source s on s.tenant_id = _tenant and s.source_no = i.source_no and s.kind = 'conversation'
   where i.tenant_id = _tenant
     and i.blob_sha256 is not null
     and (i.source_no = any (_whole)
          or i.source_no in (select r.source_no from muniment.record r where r.tenant_id = _tenant and r.record_no = any (_records)));
  with recursive around (source_no) as (
    select s.parent_no
      from muniment.source s
     where s.tenant_id = _tenant
       and (s.source_no = any (_whole)
            or s.source_no in (select v.source_no from muniment.source_version v where v.tenant_id = _tenant and v.blob_sha256 = any (_blobs))
            or s.source_no in (select r.source_no from muniment.record r where r.tenant_id = _tenant and r.record_no = any (_records)))
    union
    select s.parent_no from around a join muniment.source s on s.tenant_id = _tenant and s.source_no = a.source_no
  )
  select _blobs || array_agg(distinct v.blob_sha256) into _blobs
    from around a
    join muniment.source_version v on v.tenant_id = _tenant and v.source_no = a.source_no and v.blob_sha256 is not null;
  update muniment.source_version v
     set content_hash = null, blob_sha256 = null, title = null, filename = null, notes = '{}'
   where v.tenant_id = _tenant
     and (v.blob_sha256 = any (_blobs) or v.source_no = any (_whole));
  -- what failed under the same key has its input kept to be tried again
  select _blobs || array_agg(distinct i.blob_sha256) into _blobs
    from muniment.ingestion_item i
    join muniment.source s on s.tenant_id = _tenant and s.source_key = i.source_key and s.space_id = i.space_id
   where i.tenant_id = _tenant
     and i.blob_sha256 is not null
     and s.source_no = any (_whole);
  update muniment.ingestion_item i
     set input = '{}', error_detail = null, error_facts = null, blob_sha256 = null,
         attempts = i.attempts + (i.state = 'failed')::integer,  -- whoever tries it again meanwhile writes nothing
         source_key = case when i.source_no = any (_whole) or i.source_key in (
                             select s.source_key from muniment.source s
                              where s.tenant_id = _tenant and s.source_no = any (_whole) and s.space_id = i.space_id)
                           then null else i.source_key end
   where i.tenant_id = _tenant
     and (i.blob_sha256 = any (_blobs)
          or i.source_no = any (_whole)
          or i.source_key in (select s.source_key from muniment.source s
                               where s.tenant_id = _tenant and s.source_no = any (_whole) and s.space_id = i.space_id)
          or i.source_no in (select r.source_no from muniment.record r where r.tenant_id = _tenant and r.record_no = any (_records)));
  with gone as (
    delete from muniment.blob b where b.tenant_id = _tenant and b.sha256 = any (_blobs) returning b.size
  )
  insert into muniment.usage_entry (tenant_id, bytes_erased)
  select _tenant, sum(g.size) from gone g having count(*) > 0;
  update muniment.record_group g
     set group_key = 'erased ' || g.group_no || ' of ' || s.source_id, session_id = null
    from muniment.source s
   where g.tenant_id = _tenant and g.source_no = any (_whole) and s.tenant_id = _tenant and s.source_no = g.source_no;
  update muniment.source s
     set source_key = 'erased ' || s.source_id
   where s.tenant_id = _tenant and s.source_no = any (_whole);
end $$;

-- Takes out of query runs what is not their question's own and may be of erased records, and leaves them readable: members of their steps'
-- details, notes, speakers and statistics that hold one of _words; where they _found the records, all words that a wider search took from
-- hits. Linear in the runs and their steps.
create or replace function muniment.erase_from_runs(_tenant bigint, _runs bigint[], _words text[], _found boolean)
returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  -- of these a run says what it did, in words of the program's
  _own text[] := array['because', 'rule', 'intent', 'balance', 'modalities', 'first', 'last', 'outcome', 'policy', 'tokens_are', 'routing',
                       'limits', 'bounds'];
begin
  update muniment.query_run q
     set notes = array(select n.note from unnest(q.notes) with ordinality n (note, i) where not muniment.has_word(n.note, _words) order by n.i),
         pinned = muniment.without_words(
                    case when w.wide
                           then q.pinned || jsonb_build_object('searched', null, 'whole', true, 'embedded_text', q.pinned #> '{vectors,0,0}')
                           else q.pinned end
                    || jsonb_build_object(
                         'speakers', (select coalesce(jsonb_agg(e.value), '[]') from jsonb_array_elements(q.pinned -> 'speakers') e (value)
                                       where not muniment.has_word(muniment.texts_of(e.value), _words)),
                         'vectors', (select coalesce(jsonb_agg(e.value order by e.i), '[]')
                                       from jsonb_array_elements(q.pinned -> 'vectors') with ordinality e (value, i)
                                      where not muniment.has_word(e.value ->> 0, _words)
                                        and (not w.wide or e.i = 1))),
                    _words, array['vectors']),
         statistics = case when w.wide then q.statistics || '{"terms": {}}'
                           else q.statistics || jsonb_build_object(
                                  'terms', (select coalesce(jsonb_object_agg(t.key, t.value), '{}')
                                              from jsonb_each(q.statistics -> 'terms') t
                                             where not muniment.has_word(t.key, _words))) end
    from unnest(_runs) u (query_no)
    join muniment.query_run o on o.tenant_id = _tenant and o.query_no = u.query_no
    cross join lateral (select _found and o.pinned ->> 'searched' is not null as wide) w
   where q.tenant_id = _tenant and q.query_no = u.query_no;
  update muniment.query_stage s
     set decision = case when muniment.has_word(s.decision, _words) then null else s.decision end,
         detail = muniment.without_words(case when _found then s.detail - 'added' else s.detail end, _words, _own)
   where s.tenant_id = _tenant and s.query_no = any (_runs);
end $$;

-- Takes the words out of what quotes erased records: query runs that hold one of _words or gave an answer out of the records, with their
-- steps; of other runs that found or ranked them, what may be of them (erase_from_runs); jobs that have ended, and open ones that hold
-- such a word; idempotency keys of the runs that brought them; what failed to be read and holds such a word. What every run says of
-- itself (why it decided as it did, the members of its JSON) quotes nobody. Reads the tenant's query runs, their steps, its jobs, and
-- what failed.
create or replace function muniment.erase_traces(_tenant bigint, _records bigint[], _words text[])
returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  _found bigint[];
  _runs bigint[];
  _failed bytea[];
  _escaped text[] := array(select encode(convert_to(w.word, 'UTF8'), 'escape') from unnest(_words) w (word));
begin
  -- what failed to be read, and is kept to be tried again; never what a version of a source stands on
  select array_agg(distinct b.sha256) into _failed
    from muniment.blob b
   where b.tenant_id = _tenant
     and b.sha256 in (select i.blob_sha256 from muniment.ingestion_item i where i.tenant_id = _tenant and i.state = 'failed')
     and not exists (select from muniment.source_version v where v.tenant_id = _tenant and v.blob_sha256 = b.sha256)
     and muniment.has_word(encode(b.content, 'escape'), _escaped);
  with gone as (
    update muniment.ingestion_item i
       set input = '{}', error_detail = null, error_facts = null, source_key = null, blob_sha256 = null, attempts = i.attempts + 1
     where i.tenant_id = _tenant
       and i.state = 'failed'
       and (i.blob_sha256 = any (_failed)
            or muniment.has_word(
                 concat_ws(' ', i.source_key, muniment.texts_of(i.input), i.error_detail, muniment.texts_of(i.error_facts)), _words))
    returning old.blob_sha256
  )
  select array_agg(distinct g.blob_sha256) into _failed from gone g where g.blob_sha256 is not null;
  perform muniment.erase_unused(_tenant, _failed);
  select array_agg(q.query_no) into _found
    from muniment.query_run q
   where q.tenant_id = _tenant
     and (exists (select from muniment.query_hit h
                   where h.tenant_id = _tenant and h.query_no = q.query_no and h.record_no = any (_records))
          or exists (select from muniment.query_stage s
                      where s.tenant_id = _tenant and s.query_no = q.query_no and s.records && _records));
  select array_agg(q.query_no) into _runs
    from muniment.query_run q
   where q.tenant_id = _tenant
     and (muniment.has_word(concat_ws(' ', q.question, q.answer, muniment.texts_of(q.parameters -> 'request')), _words)
          -- an answer, given or dropped, may say in other words what it was shown
          or q.mode = 'query'
             and exists (select from muniment.query_hit h
                          where h.tenant_id = _tenant and h.query_no = q.query_no and h.record_no = any (_records))
             and (q.abstain is distinct from true
                  or exists (select from muniment.query_stage s
                              where s.tenant_id = _tenant and s.query_no = q.query_no
                                and jsonb_exists_any(s.detail, array['verdict', 'problems']))));
  perform muniment.erase_from_runs(_tenant, array(select unnest(_found) except select unnest(_runs)), _words, true);
  perform muniment.erase_from_runs(_tenant, array(
    select q.query_no
      from muniment.query_run q
     where q.tenant_id = _tenant
       and q.query_no <> all (coalesce(_runs || _found, '{}'))
       and (exists (select from muniment.query_stage s
                     where s.tenant_id = _tenant and s.query_no = q.query_no
                       and muniment.has_word(
                           muniment.texts_of(
                             s.detail - array['because', 'rule', 'intent', 'balance', 'modalities', 'first', 'last', 'outcome', 'policy',
                                              'tokens_are', 'routing', 'limits', 'bounds']), _words))
            or muniment.has_word(
                 concat_ws(' ', array_to_string(q.notes, ' '), muniment.texts_of(q.pinned),
                           (select string_agg(t.term, ' ') from jsonb_object_keys(q.statistics -> 'terms') t (term))),
                 _words))), _words, false);
  update muniment.query_run q
     set question = '', answer = null, parameters = q.parameters - 'request', notes = '{}', pinned = '{}',
         statistics = q.statistics || '{"terms": {}}', erased_at = pg_catalog.clock_timestamp()
   where q.tenant_id = _tenant and q.query_no = any (_runs);
  update muniment.query_stage s
     set decision = null, detail = '{}'
   where s.tenant_id = _tenant and s.query_no = any (_runs);
  update muniment.job j
     set arguments = '{}', result = null, error = null
   where j.tenant_id = _tenant
     and (j.outcome in ('done', 'cancelled', 'superseded')
          or muniment.has_word(concat_ws(' ', muniment.texts_of(j.arguments), muniment.texts_of(j.result), j.error), _words));
  delete from muniment.idempotency d
   where d.tenant_id = _tenant
     and (d.run_no in (
            select i.run_no from muniment.ingestion_item i
             where i.tenant_id = _tenant
               and (i.source_no in (select r.source_no from muniment.record r
                                     where r.tenant_id = _tenant and r.record_no = any (_records))))
          or muniment.has_word(concat_ws(' ', d.key, muniment.texts_of(d.response)), _words));
end $$;

revoke all on function muniment.erase_postings(bigint, bigint, bigint[]), muniment.erase_contents(bigint, uuid, bigint[], text[]),
                       muniment.erase_originals(bigint, bigint[], bigint[]), muniment.erase_from_runs(bigint, bigint[], text[], boolean),
                       muniment.erase_traces(bigint, bigint[], text[])
  from public;
grant execute on function muniment.erase_contents(bigint, uuid, bigint[], text[]), muniment.erase_originals(bigint, bigint[], bigint[]),
                          muniment.erase_traces(bigint, bigint[], text[])
  to muniment_app;

set local role muniment_owner;
