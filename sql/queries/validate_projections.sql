-- name: liveness
-- Records whose liveness is not what the log says. Reads all entries and all liveness.
select r.record_id, l.live_from_commit, l.live_to_commit, o.live_from_commit as from_expected, o.live_to_commit as to_expected
  from muniment.liveness_of_log(cast(:tenant as bigint)) o
  full join (select * from muniment.liveness where tenant_id = :tenant) l
    on l.record_no = o.record_no and l.live_from_commit = o.live_from_commit
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = coalesce(l.record_no, o.record_no)
 where r.record_no is not null
   and (l.record_no is null or o.record_no is null or l.reopened <> o.reopened
        or l.live_to_commit is distinct from o.live_to_commit or l.space_id <> o.space_id or l.group_no <> o.group_no
        or l.position <> o.position)
 limit cast(:limit as integer);

-- name: metadata
-- Metadata by which records are filtered that are not those of their contents. Numbers are compared by their keys alone: JSON and
-- jsonb write them differently. Reads all contents and all metadata.
select r.record_id, coalesce(m.key, x.key) as key
  from (select c.record_no, o.space_id, j.key, j.value
          from muniment.record_content c
          join muniment.record o on o.tenant_id = :tenant and o.record_no = c.record_no
         cross join lateral jsonb_each(c.payload) j
         where c.tenant_id = :tenant) x
  full join (select record_no, space_id, key, value from muniment.record_metadata where tenant_id = :tenant) m
    on m.record_no = x.record_no and m.key = x.key
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = coalesce(m.record_no, x.record_no)
 where m.space_id <> x.space_id
    or (jsonb_typeof(x.value) in ('string', 'boolean') and m.value <> x.value #>> '{}')
    or (m.record_no is null
        and exists (select from muniment.liveness l where l.tenant_id = :tenant and l.record_no = x.record_no))
    or (x.record_no is null
        and (exists (select from muniment.record_content c
                      where c.tenant_id = :tenant and c.record_no = m.record_no and r.record_no is not null)
             or exists (select from muniment.log_entry e
                         where e.tenant_id = :tenant and e.record_no = m.record_no and e.event = 'erase')))
 limit cast(:limit as integer);

-- name: documents
-- Of the records after one, the forward rows that are not what the tokenizer makes of the content; and how far this went.
-- Primary keys; the batch stands in the joins as well, or each batch would read the tables from their beginning.
with batch as materialized (
  select array_agg(b.record_no) as records
    from (select l.record_no from muniment.liveness l
           where l.tenant_id = :tenant and l.record_no > cast(:after as bigint) and not l.reopened
           order by l.record_no
           limit cast(:limit as integer)) b
), expected as materialized (
  select x.* from batch b, muniment.documents_of_log(cast(:tenant as bigint), b.records) x
), wrong as materialized (
  select r.record_id
    from expected x
    join muniment.record r
      on r.tenant_id = :tenant and r.record_no = x.record_no and r.record_no = any ((select b.records from batch b)::bigint[])
    left join muniment.lexical_document d
      on d.tenant_id = :tenant and d.record_no = x.record_no and d.record_no = any ((select b.records from batch b)::bigint[])
   where d.record_no is null or d.space_id <> x.space_id or d.length <> x.length or d.hashes <> x.hashes or d.counts <> x.counts
)
select (select max(n) from batch b, unnest(b.records) n) as last, (select count(*) from expected) as looked,
       array(select w.record_id from wrong w) as wrong;

-- name: stray_documents
-- Forward rows of what is not in the log, or was erased. Primary keys; log_entry_record.
select r.record_id, d.record_no
  from muniment.lexical_document d
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = d.record_no
 where d.tenant_id = :tenant
   and not exists (select from muniment.record_content c where c.tenant_id = :tenant and c.record_no = d.record_no)
   and (not exists (select from muniment.log_entry e where e.tenant_id = :tenant and e.record_no = d.record_no)
        or exists (select from muniment.log_entry e where e.tenant_id = :tenant and e.record_no = d.record_no and e.event = 'erase'))
 limit cast(:limit as integer);

-- name: postings
-- Terms of spaces whose postings are not those of the forward rows: each (record, count, length) once, told apart by a sum of
-- hashes; terms whose own hash is one count as one. A posting of a list of = has its count below 0, as the forward row has it. Reads
-- all forward rows and all postings: about 2 microseconds a posting.
with held as (
  select t.hash, p.space_id, min(n.term) as term, sum(p.postings)::bigint as postings, sum(p.fingerprint) as fingerprint
    from (select o.term, o.space_id, count(*) as postings,
                 sum(hash_record_extended(
                       row(o.record_no, case when starts_with(o.term, '=') then -o.tf else o.tf end, o.length), 0)) as fingerprint
            from (select u.term, t.space_id, u.record_no, u.tf, u.length
            from muniment.posting_tail t, muniment.unpack_tail(t.terms, t.ends, t.records, t.counts, t.lengths) u
           where t.tenant_id = :tenant and t.bucket > 0
          union all
          select b.term, b.space_id, u.record_no, u.tf, u.length
            from muniment.posting_block b, unnest(b.records, b.counts, b.lengths) as u (record_no, tf, length)
           where b.tenant_id = :tenant and b.term <> '') o
           group by o.term, o.space_id) p,
         lateral (select case when starts_with(p.term, '=') then substr(p.term, 2) else p.term end as term) n,
         lateral (select muniment.term_hash(n.term) as hash) t
   group by t.hash, p.space_id
), expected as (
  select u.hash, d.space_id, count(*) as postings,
         sum(hash_record_extended(row(d.record_no, u.tf, d.length), 0)) as fingerprint
    from muniment.lexical_document d,
         unnest(d.hashes, d.counts) as u (hash, tf)
   where d.tenant_id = :tenant
   group by u.hash, d.space_id
)
select coalesce(h.term, 'the term with the hash ' || x.hash) as term, h.postings as found, x.postings as expected,
       sum(coalesce(x.postings, 0)) over () as looked
  from held h
  full join expected x on x.hash = h.hash and x.space_id = h.space_id
 where h.postings is distinct from x.postings
    or h.fingerprint is distinct from x.fingerprint
 limit cast(:limit as integer);

-- name: posting_count
-- How many postings the forward rows make. Reads all forward rows.
select coalesce(sum(cardinality(hashes)), 0)::bigint from muniment.lexical_document where tenant_id = :tenant;

-- name: statistics
-- Rows of postings whose documents, lengths or order are not those of their arrays. Reads all postings.
select p.term, p.first_record
  from muniment.posting_block p
 where p.tenant_id = :tenant
   and p.term <> ''
   and (p.documents <> cardinality(p.records)
        or cardinality(p.counts) <> cardinality(p.records)
        or cardinality(p.lengths) <> cardinality(p.records)
        or p.total_length <> (select sum(u.length) from unnest(p.lengths) as u (length))
        or p.first_record <> p.records[1]
        or exists (select from unnest(p.records) with ordinality as u (record_no, n) where u.record_no <= p.records[u.n - 1]))
union all
select t.terms[1], t.first_record
  from muniment.posting_tail t
 where t.tenant_id = :tenant
   and t.bucket > 0
   and (t.documents <> cardinality(t.records)
        or cardinality(t.counts) <> cardinality(t.records)
        or cardinality(t.lengths) <> cardinality(t.records)
        or cardinality(t.ends) <> cardinality(t.terms)
        or t.ends[cardinality(t.ends)] <> cardinality(t.records)
        or t.total_length <> (select sum(u.length) from unnest(t.lengths) as u (length))
        or exists (select from unnest(t.terms, t.ends) with ordinality as u (term, upto, n)
                    where u.term collate "C" <= t.terms[u.n - 1] or u.upto <= coalesce(t.ends[u.n - 1], 0)))
 limit cast(:limit as integer);

-- name: totals
-- Spaces whose number of documents or total length is not that of the forward rows. Reads all forward rows.
select coalesce(h.space_id, x.space_id) as space_id, h.documents as found, x.documents as expected
  from (select p.space_id, sum(p.documents) as documents, sum(p.total_length) as total_length
          from (select space_id, documents, total_length from muniment.posting_tail where tenant_id = :tenant and bucket = 0
                union all
                select space_id, documents, total_length from muniment.posting_block where tenant_id = :tenant and term = '') p
         group by p.space_id) h
  full join (select d.space_id, count(*) as documents, sum(d.length) as total_length
               from muniment.lexical_document d
              where d.tenant_id = :tenant
              group by d.space_id) x on x.space_id = h.space_id
 where h.documents is distinct from x.documents
    or h.total_length is distinct from x.total_length
 limit cast(:limit as integer);

-- name: newest_model
-- The newest model with vectors of the tenant. Primary key, backwards.
select max(model_no) from muniment.embedding where tenant_id = :tenant;

-- name: embeddings
-- Records that have neither a vector of the model nor wait for one. Primary keys; embedding_record, embedding_pending_record.
select r.record_id
  from muniment.liveness l
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = l.record_no
  join muniment.record r on r.tenant_id = :tenant and r.record_no = l.record_no and r.kind <> 'fact'
 where l.tenant_id = :tenant
   and not exists (select from muniment.embedding m
                    where m.tenant_id = :tenant and m.model_no = cast(:model as integer) and m.space_id = l.space_id
                      and m.record_no = l.record_no)
   and not l.reopened
   and not exists (select from muniment.embedding_pending q
                    where q.tenant_id = :tenant and q.space_id = l.space_id and q.record_no = l.record_no)
 limit cast(:limit as integer);

-- name: vectors
-- Vectors of no record, of another space than their record's, of a wrong size, or not of length 1. Reads every vector.
select r.record_id, m.model_no
  from muniment.embedding m
  left join muniment.embedding_model o on o.model_no = m.model_no
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = m.record_no
  left join muniment.record_content c on c.tenant_id = :tenant and c.record_no = m.record_no
 where m.tenant_id = :tenant
   and (r.space_id <> m.space_id or o.model_no is null
        or public.vector_dims(m.vector) <> o.dimensions
        or abs(public.l2_norm(m.vector) - 1) > 0.01
        or (c.record_no is null
            and (not exists (select from muniment.log_entry e where e.tenant_id = :tenant and e.record_no = m.record_no)
                 or exists (select from muniment.log_entry e
                             where e.tenant_id = :tenant and e.record_no = m.record_no and e.event = 'erase'))))
 limit cast(:limit as integer);

-- name: pending
-- Waiting for a vector without content, in another space than the record's, or although it is there. Primary keys.
select r.record_id
  from muniment.embedding_pending q
  left join muniment.record r on r.tenant_id = :tenant and r.record_no = q.record_no
  left join muniment.record_content c on c.tenant_id = :tenant and c.record_no = q.record_no
 where q.tenant_id = :tenant
   and (c.record_no is null or r.record_no is null or r.space_id <> q.space_id
        or exists (select from muniment.embedding m
                    where m.tenant_id = :tenant and m.model_no = cast(:model as integer) and m.space_id = q.space_id
                      and m.record_no = q.record_no))
 limit cast(:limit as integer);

-- name: claims
-- How many of the next facts there are, and the claims of their keys that are not what the definition says. Cost: the function's.
select c.last, c.looked, c.wrong from muniment.check_claims(cast(:tenant as bigint), cast(:after as bigint), cast(:limit as integer)) c;
