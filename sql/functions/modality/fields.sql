-- How many of _terms each of _texts holds, a row for each that holds one; place is its place in _texts from 1. The texts are cut as
-- tokenize cuts them, each distinct word once. Linear in the texts: 0.1 to 0.2 ms for 60 words among many.
create or replace function muniment.count_held_terms(_texts text[], _terms text[], _language text)
returns table (place bigint, held bigint)
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan set enable_nestloop = off
set enable_mergejoin = off set jit = off
as $$
  with chunked as materialized (
    select t.place, k.chunk
      from unnest(_texts) with ordinality t (text, place)
     cross join lateral pg_catalog.string_to_table(pg_catalog.translate(t.text, E'\n\t\r', '   '), ' ') k (chunk)
     where k.chunk <> ''),
  chunk as materialized (
    select row_number() over () as chunk_no, d.chunk
      from (select distinct c.chunk from chunked c) d),
  token as materialized (
    select t.chunk_no, t.term, t.word
      from muniment.tokenize_chunks((select array_agg(c.chunk order by c.chunk_no) from chunk c)) t),
  term as materialized (
    select t.chunk_no, t.term from token t
    union
    select t.chunk_no, '~' || muniment.stem_of(l.dictionary, t.term)
      from token t
     cross join (select muniment.stem_dictionary(s.language) as dictionary
                   from pg_catalog.string_to_table(_language, ',') s (language)) l
     where t.word)
  select k.place, count(distinct t.term)
    from chunked k
    join chunk c
      on c.chunk = k.chunk
    join term t
      on t.chunk_no = c.chunk_no
    join (select distinct u.term from unnest(_terms) u (term)) q
      on q.term = t.term
   group by k.place;
$$;

-- What the modality routes score by: for each of _records and of the named speakers' records that has one of _modalities and is
-- visible, its cosine (null without a vector), its BM25 for those of _unscored and for what only the speakers led to (null for the
-- others), and how many of _terms each of its fields holds that holds one. The field speaker is record.speaker, the field message
-- what the index has of the record; which fields a modality has is told by the pairs of _of and _names. _held are the terms that
-- BM25 weighs. A speaker with more than _most records live at _known_at in a space tells nothing and is left out. Six index look-ups
-- a record, _most + 1 a speaker and space, and the words of the fields, each distinct field once.
create or replace function muniment.describe_fields(
  _tenant bigint, _spaces bigint[], _records bigint[], _unscored bigint[], _speakers text[], _most integer, _known_at bigint,
  _modalities text[], _of text[], _names text[], _terms text[], _held text[], _weights double precision[],
  _mean_length double precision, _k1 double precision, _b double precision, _language text, _model integer,
  _vector public.halfvec)
returns table (record_no bigint, modality text, cosine double precision, bm25 double precision, names text[], counts bigint[])
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
  with spoken as materialized (
    select n.record_no
      from unnest(_spaces) s (space_id)
     cross join unnest(_speakers) p (speaker)
     cross join lateral (
             select c.record_no, count(*) over () as in_all
               from (select r.record_no
                       from muniment.record r
                      cross join lateral (
                              select from muniment.liveness l
                               where l.tenant_id = _tenant
                                 and l.record_no = r.record_no
                                 and l.live_from_commit <= _known_at
                                 and (l.live_to_commit is null or l.live_to_commit > _known_at)
                               limit 1) l
                      where r.tenant_id = _tenant
                        and r.space_id = s.space_id
                        and r.speaker = p.speaker
                      limit _most + 1) c) n
     where n.in_all <= _most),
  described as materialized (
    select c.record_no, r.modality, r.speaker
      from (select u.record_no from unnest(_records) u (record_no)
            union
            select s.record_no from spoken s) c
     cross join lateral (
             select m.modality, m.speaker
               from muniment.record m
              where m.tenant_id = _tenant
                and m.record_no = c.record_no
                and m.space_id = any (_spaces)
              limit 1) r
     where r.modality = any (_modalities)),
  value as materialized (
    select d.record_no, f.name, case f.name when 'speaker' then coalesce(d.speaker, c.fields ->> f.name) else c.fields ->> f.name end as value
      from described d
     cross join lateral (
             select m.fields
               from muniment.record_content m
              where m.tenant_id = _tenant
                and m.record_no = d.record_no
              limit 1) c
      join unnest(_of, _names) f (modality, name)
        on f.modality = d.modality),
  asked as materialized (
    select w.hash, w.weight, w.as_stem
      from muniment.weigh_hashes(_terms, (select array_agg(1::double precision) from unnest(_terms))) w),
  texts as materialized (
    select v.value, row_number() over () as place
      from (select distinct w.value from value w where w.value <> '') v),
  field as materialized (
    select v.record_no, v.name, h.held
      from muniment.count_held_terms((select array_agg(x.value order by x.place) from texts x), _terms, _language) h
      join texts t
        on t.place = h.place
      join value v
        on v.value = t.value
    union all
    select d.record_no, 'message', w.held
      from described d
      join unnest(_of, _names) f (modality, name)
        on f.modality = d.modality
       and f.name = 'message'
     cross join lateral (
             select l.hashes, l.counts
               from muniment.lexical_document l
              where l.tenant_id = _tenant
                and l.record_no = d.record_no
              limit 1) l
     cross join lateral (
             select coalesce(sum(case when l.counts[a.place] < 0 then a.weight + a.as_stem else a.weight end), 0)::bigint as held
               from (select s.hash, s.weight, s.as_stem, pg_catalog.width_bucket(s.hash, l.hashes) as place
                       from asked s
                     offset 0) a
              where l.hashes[a.place] = a.hash) w
     where w.held > 0),
  scored as materialized (
    select b.record_no, b.score
      from muniment.score_records(
             _tenant,
             array(select u.record_no from unnest(_unscored) u (record_no)
                   union
                   (select s.record_no from spoken s except select u.record_no from unnest(_records) u (record_no))),
             _held, _weights, _mean_length, _k1, _b, null) b)
  select d.record_no, d.modality, 1 - (e.vector operator(public.<=>) _vector), b.score, f.names, f.counts
    from described d
    left join lateral (
           select m.vector
             from muniment.embedding m
            where m.tenant_id = _tenant
              and m.record_no = d.record_no
              and m.model_no = _model
            limit 1) e on true
    left join scored b
      on b.record_no = d.record_no
    left join (
           select g.record_no, array_agg(g.name order by g.name) as names, array_agg(g.held order by g.name) as counts
             from field g
            group by g.record_no) f
      on f.record_no = d.record_no;
$$;
