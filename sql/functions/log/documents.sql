-- The forward rows that these records should have, made from their content by the definition of the tokenizer alone, apart from the
-- code that indexes: for validation. Linear in the text. Nested loops are off because nothing tells the planner how many words a text holds.
create or replace function muniment.documents_of_log(_tenant bigint, _records bigint[])
returns table (record_no bigint, space_id bigint, length bigint, hashes integer[], counts smallint[])
language sql stable security invoker set search_path = '' set enable_nestloop = off set enable_mergejoin = off set jit = off
as $$
  with content as materialized (
    select c.record_no, r.space_id, muniment.indexed_text(c.text, c.fields) as text,
           coalesce(r.language,
                    (select v.language
                       from muniment.source_version v
                      where v.tenant_id = _tenant
                        and v.source_no = r.source_no
                        and v.version = r.source_version), 'english') as language
      from muniment.record_content c
      join muniment.record r on r.tenant_id = _tenant and r.record_no = c.record_no and r.kind <> 'fact'
     where c.tenant_id = _tenant
       and c.record_no = any (_records)
       and r.record_no = any (_records)
  ),
  chunked as materialized (
    select c.record_no, c.language, k.chunk, count(*) as occurrences
      from content c, string_to_table(translate(c.text, E'\n\t\r', '   '), ' ') k (chunk)
     where k.chunk <> ''
     group by 1, 2, 3
  ),
  numbered as materialized (
    select row_number() over () as chunk_no, d.chunk from (select distinct c.chunk from chunked c) d
  ),
  token as materialized (
    select n.chunk, t.term, bool_and(t.word) as word, count(*) as occurrences
      from muniment.tokenize_chunks((select array_agg(n.chunk order by n.chunk_no) from numbered n)) t
      join numbered n on n.chunk_no = t.chunk_no
     group by 1, 2
  ),
  exact as materialized (
    select c.record_no, c.language, t.term, bool_and(t.word) as word, sum(c.occurrences * t.occurrences) as occurrences
      from chunked c
      join token t on t.chunk = c.chunk
     group by 1, 2, 3
  ),
  stem as materialized (
    select w.language, w.term, muniment.stem_of(muniment.stem_dictionary(w.language), w.term) as stem
      from (select distinct e.language, e.term from exact e where e.word) w
  ),
  spelled as materialized (
    select w.record_no, w.word, sum(w.tokens) as tokens, least(sum(w.tokens), 32767)::smallint as count,
           least(sum(w.stems), 32767)::smallint as stem_count
      from (
        select e.record_no, e.term as word, e.occurrences as tokens, 0 as stems
          from exact e
        union all
        select e.record_no, s.stem, 0, e.occurrences
          from exact e
          join stem s on s.language = e.language and s.term = e.term and s.stem is not null
         where e.word) w
     group by 1, 2
  ),
  list as (  -- see lists_of
    select s.record_no, '=' || s.word as list, s.word as named, -s.count as count, s.tokens
      from spelled s
     where s.count = s.stem_count
    union all
    select s.record_no, s.word, s.word, s.count, s.tokens
      from spelled s
     where s.count > 0 and s.count <> s.stem_count
    union all
    select s.record_no, '~' || s.word, '~' || s.word, s.stem_count, 0
      from spelled s
     where s.stem_count > 0 and s.count <> s.stem_count
  ),
  document as (
    select t.record_no, sum(t.tokens)::bigint as length,
           array_agg(t.hash order by t.hash, t.list collate "C") as hashes,
           array_agg(t.count order by t.hash, t.list collate "C") as counts
      from (select l.*, muniment.term_hash(l.named) as hash from list l) t
     group by t.record_no
  )
  select c.record_no, c.space_id, coalesce(d.length, 0), coalesce(d.hashes, '{}'), coalesce(d.counts, '{}')
    from content c
    left join document d on d.record_no = c.record_no;
$$;
