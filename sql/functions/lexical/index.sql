-- What is indexed of a record: its text, then one "name: value" line a field. Linear in the content.
create or replace function muniment.indexed_text(_text text, _fields jsonb)
returns text language sql immutable parallel safe security invoker set search_path = '' as $$
  select case
           when _fields = '{}' then _text
           else concat_ws(E'\n', _text, (select string_agg(f.key || ': ' || f.value, E'\n') from jsonb_each_text(_fields) f))
         end;
$$;

-- How postings are told apart. A word stands in the list of its name, its stem in that of ~ and the stem. Most words are their own
-- stem: where a record holds a word as often as the stem of the same letters, both stand in one list, that of = and the word, and in
-- neither of their own. So the lists of a term never share a record. In a forward row such a word has a count below 0, and its stem none.

-- The lists that postings of a term stand in. Constant cost.
create or replace function muniment.lists_of(_term text)
returns text[] language sql immutable parallel safe security invoker
return case
         when _term = '' then array['']
         else array[_term, '=' || case when starts_with(_term, '~') then substr(_term, 2) else _term end]
       end;

-- The lists of some terms, each once, with what their terms weigh together: a list of two terms adds to a score what both would.
create or replace function muniment.weigh_lists(
  _terms text[], _weights double precision[], out lists text[], out weights double precision[])
language sql immutable parallel safe security invoker set search_path = '' as $$
  select coalesce(array_agg(l.list), '{}'), coalesce(array_agg(l.weight), '{}')
    from (
      select u.list, sum(u.weight) as weight
        from (select unnest(muniment.lists_of(t.term)) as list, t.weight from unnest(_terms, _weights) t (term, weight)) u
       group by u.list
    ) l;
$$;

-- How a forward row names a term: its CRC-32C as a signed number. Two terms of one record share a hash once in a million records, a
-- term that is asked for and one of a record's once in fifty million; then a count is the other's. Its names are
-- resolved where it is made, so that it needs no search path and the planner writes it out. Constant cost.
create or replace function muniment.term_hash(_term text)
returns integer language sql immutable parallel safe security invoker
return (pg_catalog.crc32c(pg_catalog.convert_to(_term, 'UTF8')) - 2147483648)::integer;

-- How often a term stands in the record of a forward row, null where it does not. The sorted hashes are searched by halving. For a
-- few records: it hashes the term for each, some microseconds.
create or replace function muniment.count_of(_term text, _hashes integer[], _counts smallint[])
returns smallint language sql immutable parallel safe security invoker
return case
         when _hashes[width_bucket(muniment.term_hash(_term), _hashes)] = muniment.term_hash(_term)
           then abs(_counts[width_bucket(muniment.term_hash(_term), _hashes)])
         when starts_with(_term, '~')
          and _hashes[width_bucket(muniment.term_hash(substr(_term, 2)), _hashes)] = muniment.term_hash(substr(_term, 2))
          and _counts[width_bucket(muniment.term_hash(substr(_term, 2)), _hashes)] < 0
           then abs(_counts[width_bucket(muniment.term_hash(substr(_term, 2)), _hashes)])
       end;

-- What to look some terms up by in a forward row: each hash once, with what its terms weigh, and with what is to be added where the
-- count there is below 0. Linear in the terms.
create or replace function muniment.weigh_hashes(_terms text[], _weights double precision[])
returns table (hash integer, weight double precision, as_stem double precision)
language sql immutable parallel safe security invoker set search_path = '' rows 16 as $$
  select muniment.term_hash(u.word), coalesce(sum(u.weight) filter (where not u.as_stem), 0),
         coalesce(sum(u.weight) filter (where u.as_stem), 0)
    from (
      select t.term as word, t.weight, false as as_stem from unnest(_terms, _weights) t (term, weight)
      union all
      select substr(t.term, 2), t.weight, true from unnest(_terms, _weights) t (term, weight) where starts_with(t.term, '~')
    ) u
   group by muniment.term_hash(u.word);
$$;

-- Writes the forward rows and the tail rows of some records of one space and one language; texts[i] is that of records[i], and
-- asks[i] says whether that record ends by asking.
-- Linear in the texts. Nested loops are off because nothing tells the planner how many words a text holds.
create or replace function muniment.index_texts(
  _tenant bigint, _space bigint, _dictionary regdictionary, _records bigint[], _texts text[], _asks boolean[])
returns void
language sql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan
set enable_nestloop = off set enable_mergejoin = off set jit = off
as $$
  with chunked as materialized (
    select t.i::integer as i, k.chunk
      from unnest(_texts) with ordinality t(text, i),
           string_to_table(translate(t.text, E'\n\t\r', '   '), ' ') k(chunk)
     where k.chunk <> ''
  ),
  chunk as materialized (
    select row_number() over () as chunk_no, d.chunk from (select distinct c.chunk from chunked c) d
  ),
  token as materialized (
    select t.chunk_no, t.term, case when t.word then muniment.stem_of(_dictionary, t.term) end as stem
      from muniment.tokenize_chunks((select array_agg(c.chunk order by c.chunk_no) from chunk c)) t
  ),
  found as materialized (
    select k.i, t.term collate "C" as term, t.stem collate "C" as stem
      from chunked k
      join chunk c on c.chunk = k.chunk
      join token t on t.chunk_no = c.chunk_no
  ),
  spelled as materialized (
    select p.word, p.i, sum(p.tokens) as tokens, least(sum(p.tokens), 32767)::smallint as tf,
           least(count(*) - sum(p.tokens), 32767)::smallint as stem_tf
      from (
        select f.term as word, f.i, 1 as tokens from found f
        union all
        select f.stem, f.i, 0 from found f where f.stem is not null
      ) p
     group by p.word, p.i
  ),
  posting as materialized (  -- in the order of list and text, on which the arrays below rely
    select g.list, g.i, g.tf, g.tokens, g.hash, crc32c(convert_to(g.list, 'UTF8')) as crc, row_number() over () as n
      from (
        select '=' || s.word as list, s.i, s.tf, s.tokens, muniment.term_hash(s.word) as hash
          from spelled s
         where s.tf = s.stem_tf
        union all
        select s.word, s.i, s.tf, s.tokens, muniment.term_hash(s.word)
          from spelled s
         where s.tf > 0 and s.tf <> s.stem_tf
        union all
        select '~' || s.word, s.i, s.stem_tf, 0, muniment.term_hash('~' || s.word)
          from spelled s
         where s.stem_tf > 0 and s.tf <> s.stem_tf
         order by 1, 2
      ) g
  ),
  document as materialized (
    select r.i::integer as i, r.record_no, coalesce(d.length, 0) as length,
           coalesce(d.hashes, '{}') as hashes, coalesce(d.counts, '{}') as counts
      from unnest(_records) with ordinality r(record_no, i)
      left join (
        select h.i, sum(h.tokens)::integer as length, array_agg(h.hash) as hashes, array_agg(h.tf) as counts
          from (
                select p.i, p.tokens, case when starts_with(p.list, '=') then -p.tf else p.tf end as tf, p.hash
                  from posting p
                 order by p.i, p.hash, p.n) h
         group by h.i
      ) d on d.i = r.i
  ),
  measured as materialized (
    select array_agg(d.length order by d.i) as lengths from document d
  ),
  forward as (
    insert into muniment.lexical_document (tenant_id, record_no, space_id, length, asks, hashes, counts)
    select _tenant, d.record_no, _space, d.length, _asks[d.i], d.hashes, d.counts from document d
  ),
  bucketed as (
    select p.list, p.i, p.tf, p.n,
           b.buckets + (p.crc % b.buckets)::integer as bucket
      from posting p
     cross join (
           select case when count(*) <= 192 then 1 when count(*) <= 3072 then 16 else 256 end as buckets from posting
           ) b
  ),
  placed as (
    select b.bucket, b.list, b.tf, _records[b.i] as record_no, (select m.lengths from measured m)[b.i] as length,
           row_number() over in_bucket as place,
           lead(b.list) over in_bucket is distinct from b.list as last
      from bucketed b
    window in_bucket as (partition by b.bucket order by b.n)
  )
  insert into muniment.posting_tail
    (tenant_id, bucket, space_id, first_record, documents, total_length, terms, ends, records, counts, lengths)
  select _tenant, p.bucket, _space, _records[1], count(*), sum(p.length),
         array_agg(p.list) filter (where p.last), array_agg(p.place::integer) filter (where p.last),
         array_agg(p.record_no), array_agg(p.tf), array_agg(p.length)
    from placed p
   group by p.bucket
  union all
  select _tenant, 0, _space, _records[1], cardinality(_records), (select sum(d.length) from document d), '{}', '{}', '{}', '{}', '{}';
$$;

-- Indexes records just written: a forward row each, and a few tail rows for the write. Nothing is returned.
-- The tail row of bucket 0 counts the documents of the write and has empty arrays.
-- A record's length is the sum of its exact tokens' counts: parts of identifiers count, stems do not. The language is that of
-- the record, else of its source version, unless given. Linear in the text; about 0.15 to 0.2 ms a record of 60 tokens in a batch of 1,000.
create or replace function muniment.index_records(_tenant bigint, _records bigint[], _language text default null)
returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  _batch record;
begin
  for _batch in
    select c.space_id, c.language, array_agg(c.record_no order by c.record_no) as records, array_agg(c.text order by c.record_no) as texts,
           array_agg(c.asks order by c.record_no) as asks
      from (
        select t.record_no, t.space_id, muniment.indexed_text(t.text, t.fields) as text,
               pg_catalog.right(pg_catalog.rtrim(t.text), 1) in ('?', '？', '؟') as asks,
               coalesce(_language, (
                 select coalesce(r.language, (
                   select v.language
                     from muniment.source_version v
                    where v.tenant_id = _tenant and v.source_no = r.source_no and v.version = r.source_version
                 ))
                   from muniment.record r
                  where r.tenant_id = _tenant and r.record_no = t.record_no
               ), 'english') as language
          from muniment.record_content t
         where t.tenant_id = _tenant and t.record_no = any(_records)
      ) c
     group by c.space_id, c.language
  loop
    perform muniment.index_texts(
      _tenant, _batch.space_id, muniment.stem_dictionary(_batch.language), _batch.records, _batch.texts, _batch.asks);
  end loop;
end $$;
