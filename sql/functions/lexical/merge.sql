-- The tail of each space of the tenant: its writes and their documents. Reads one row a write in the tail (see index_records).
create or replace function muniment.tail_sizes(_tenant bigint)
returns table (space_id bigint, writes bigint, documents bigint)
language sql stable security invoker set search_path = '' as $$
  select t.space_id, count(*), sum(t.documents)::bigint
    from muniment.posting_tail t
   where t.tenant_id = _tenant and t.bucket = 0
   group by t.space_id;
$$;

-- One merge or rebuild of a space at a time: held to the end of the transaction. Constant cost.
create or replace function muniment.lock_postings(_tenant bigint, _space bigint)
returns void language sql volatile security invoker set search_path = '' as $$
  select pg_advisory_xact_lock(hashtextextended('muniment.postings ' || _tenant || ' ' || _space, 0));
$$;

-- Packs the space's tail into blocks of _block_documents, filling each term's last block first, and returns the tail rows packed.
-- Searches see the tail or the blocks, never both or neither; writers go on, their rows stay in the tail. The term '' becomes one
-- row without arrays. Cost: the tenant's tail index once, and a sort of the tail's postings: about 2 microseconds a posting.
create or replace function muniment.merge_postings(_tenant bigint, _space bigint, _block_documents integer)
returns bigint
language plpgsql volatile security invoker set search_path = '' as $$
declare
  _merged bigint;
begin
  perform muniment.lock_postings(_tenant, _space);
  -- a statement of its own, so that its snapshot holds what an earlier merge has done
  with taken as (
    delete from muniment.posting_tail t
     where t.tenant_id = _tenant and t.space_id = _space
    returning t.bucket, t.documents, t.total_length, t.terms, t.ends, t.records, t.counts, t.lengths
  ),
  touched as materialized (
    select distinct unnest(t.terms || ''::text) as term from taken t
  ),
  opened as (
    delete from muniment.posting_block b
     using (
       select t.term, l.first_record
         from touched t,
              lateral (
                select p.first_record, p.documents
                  from muniment.posting_block p
                 where p.tenant_id = _tenant and p.term = t.term and p.space_id = _space
                 order by p.first_record desc
                 limit 1
              ) l
        where l.documents < _block_documents or t.term = ''
     ) last
     where b.tenant_id = _tenant and b.term = last.term and b.space_id = _space and b.first_record = last.first_record
    returning b.term, b.documents, b.total_length, b.records, b.counts, b.lengths
  ),
  posting as (
    select u.term, u.record_no, u.tf, u.length
      from taken t, muniment.unpack_tail(t.terms, t.ends, t.records, t.counts, t.lengths) u
     where t.bucket > 0
    union all
    select o.term, unnest(o.records), unnest(o.counts), unnest(o.lengths)
      from opened o
     where o.term <> ''
  ),
  placed as (
    select p.term, p.record_no, p.tf, p.length,
           (row_number() over (partition by p.term order by p.record_no) - 1) / _block_documents as block
      from posting p
  ),
  packed as (
    insert into muniment.posting_block
      (tenant_id, term, space_id, first_record, documents, total_length, records, counts, lengths)
    select _tenant, p.term, _space, min(p.record_no), count(*), sum(p.length),
           array_agg(p.record_no), array_agg(p.tf), array_agg(p.length)
      from placed p
     group by p.term, p.block
    union all
    select _tenant, '', _space, 0, sum(r.documents), sum(r.total_length), '{}', '{}', '{}'
      from (
        select t.documents, t.total_length from taken t where t.bucket = 0
        union all
        select o.documents, o.total_length from opened o where o.term = ''
      ) r
    having count(*) > 0
  )
  select count(*) into _merged from taken;
  return _merged;
end $$;

-- Cuts all content of the space into terms again: drops its forward rows and postings, makes them anew and packs them; returns the
-- records. Writers go on: what they commit meanwhile is indexed by them. Cost: indexing everything.
create or replace function muniment.rebuild_lexical(_tenant bigint, _space bigint, _block_documents integer default 256)
returns bigint
language plpgsql volatile security invoker set search_path = '' as $$
declare
  _after bigint := 0;
  _batch bigint[];
  _records bigint := 0;
begin
  perform muniment.lock_postings(_tenant, _space);
  -- one statement, one snapshot: what a writer commits meanwhile keeps its forward row and its postings, both
  with tail as (
    delete from muniment.posting_tail t where t.tenant_id = _tenant and t.space_id = _space
  ),
  block as (
    delete from muniment.posting_block b where b.tenant_id = _tenant and b.space_id = _space
  )
  delete from muniment.lexical_document d where d.tenant_id = _tenant and d.space_id = _space;
  loop
    select array_agg(n.record_no), max(n.record_no) into _batch, _after
      from (
        select c.record_no
          from muniment.record_content c
         where c.tenant_id = _tenant and c.record_no > _after and c.space_id = _space
           and not exists (
             select from muniment.lexical_document d where d.tenant_id = _tenant and d.record_no = c.record_no)
           and (select f.kind from muniment.record f where f.tenant_id = _tenant and f.record_no = c.record_no) <> 'fact'
         order by c.record_no
         limit 1000
      ) n;
    exit when _batch is null;
    perform muniment.index_records(_tenant, _batch);
    _records := _records + cardinality(_batch);
  end loop;
  perform muniment.merge_postings(_tenant, _space, _block_documents);
  return _records;
end $$;
