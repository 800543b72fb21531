-- The tail: each write's postings in a few rows, its terms dealt out to 1, 16 or 256 of them by CRC-32C, as they are many. A bucket's
-- number is how many there are plus the remainder, so that a term has three places to be looked for at. See index_texts.

-- The postings of the terms, as lists name them (see lists_of), in the tail of these spaces, a row a write; the term '' gives a row a write without arrays, whose
-- documents and total_length are those of the write (0 elsewhere). Three index ranges a term, and one look into the terms of each
-- write: about 2 microseconds a term and write.
create or replace function muniment.tail_postings(_tenant bigint, _spaces bigint[], _terms text[])
returns table (term text, documents integer, total_length bigint, records bigint[], counts smallint[], lengths integer[])
language sql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
  with asked as materialized (
    select distinct t.term collate "C" as term,
           b.buckets + (crc32c(convert_to(t.term, 'UTF8')) % nullif(b.buckets, 0))::integer as bucket
      from unnest(_terms) t (term)
     cross join unnest('{1,16,256}'::integer[]) b (buckets)
     where t.term <> ''
    union all
    select '', 0 where '' = any (_terms)
  )
  select p.term,
         case when p.bucket = 0 then p.documents else p.ends[p.place] - coalesce(p.ends[p.place - 1], 0) end,
         case when p.bucket = 0 then p.total_length else 0 end,
         p.records[coalesce(p.ends[p.place - 1], 0) + 1 : p.ends[p.place]],
         p.counts[coalesce(p.ends[p.place - 1], 0) + 1 : p.ends[p.place]],
         p.lengths[coalesce(p.ends[p.place - 1], 0) + 1 : p.ends[p.place]]
    from (
      select a.term, t.bucket, t.documents, t.total_length, t.terms, t.ends, t.records, t.counts, t.lengths,
             width_bucket(a.term collate "C", t.terms) as place
        from muniment.posting_tail t
        join asked a on a.bucket = t.bucket
       where t.tenant_id = _tenant
         and t.bucket = any ((select array_agg(a.bucket) from asked a)::integer[])
         and t.space_id = any (_spaces)
      offset 0
    ) p
   where p.bucket = 0 or p.terms[p.place] = p.term;
$$;

-- The arrays of a tail row as one row a posting. Linear in the postings.
create or replace function muniment.unpack_tail(
  _terms text[], _ends integer[], _records bigint[], _counts smallint[], _lengths integer[])
returns table (term text, record_no bigint, tf smallint, length integer)
language sql immutable parallel safe security invoker set search_path = '' as $$
  select _terms[width_bucket(u.n::integer - 1, _ends) + 1], u.record_no, u.tf, u.length
    from unnest(_records, _counts, _lengths) with ordinality u (record_no, tf, length, n);
$$;
