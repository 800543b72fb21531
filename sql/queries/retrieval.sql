-- name: outline
-- The last commit of the log and the policy in force, how many of the visible records have no vector yet, whether claims of theirs
-- are stale, who speaks in them, which modalities they have, in which languages the question is read, and the tenant's profile of the
-- name. Primary keys; indexes log_entry_policy, backwards, record_modality, record_language, source_version_language, and record_speaker,
-- one probe a speaker and space.
select coalesce((select h.commits from muniment.log_head h where h.tenant_id = :tenant), 0) as commits,
       policy.commit_no as policy_commit, policy.detail as policy,
       (select c.at from muniment.log_commit c where c.tenant_id = :tenant and c.commit_no = policy.commit_no) as policy_at,
       (select count(*)
          from muniment.embedding_pending p
         where p.tenant_id = :tenant
           and p.space_id = any (cast(:spaces as bigint[]))) as pending,
       exists (select
                 from unnest(cast(:spaces as bigint[])) as visible (space_id)
                where exists (select from muniment.claim_dirty d where d.tenant_id = :tenant and d.space_id = visible.space_id)) as claims_pending,
       array(select s.speaker
               from muniment.speakers(cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:speakers as integer)) s) as speakers,
       array(select m.modality
               from unnest(cast(:modalities as text[])) m (modality)
              cross join lateral (  -- in an order, which leaves the planner no way but a probe of the index for each
                    select
                      from muniment.record r
                     where r.tenant_id = :tenant
                       and r.modality = m.modality
                       and r.space_id = any (cast(:spaces as bigint[]))
                     order by r.space_id
                     limit 1) r) as modalities,
       muniment.read_question(cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:question as text), 'english') as language,
       (select pg_catalog.to_jsonb(p)
          from (select r.name, r.version, r.base, r.changes
                  from muniment.retrieval_profile r
                 where r.tenant_id = :tenant
                   and r.name = cast(:profile as text)
                 order by r.version desc
                 limit 1) p) as profile
  from (select) one
  left join lateral (
       select e.commit_no, e.detail
         from muniment.log_entry e
        where e.tenant_id = :tenant
          and e.event = 'policy'
        order by e.entry_no desc
        limit 1) policy on true;

-- name: terms
-- The question's terms with their weights and the number of visible documents that hold them; the row of the term '' has N
-- and the total length. One range of postings a term.
with question as materialized (
  select q.term, q.weight
    from muniment.question_terms(cast(:question as text), cast(:language as text)) q
)
select s.term, coalesce(q.weight, 0) as weight, s.documents, s.total_length
  from muniment.lexical_statistics(
         cast(:tenant as bigint), cast(:spaces as bigint[]), (select array_append(array_agg(q.term), '') from question q)) s
  left join question q on q.term = s.term;

-- name: date_terms
-- How the tokenizer writes each month's name. No table.
select m.ordinal as month, t.term
  from unnest(cast(:months as text[])) with ordinality m (name, ordinal)
 cross join lateral muniment.tokenize(m.name, cast(:language as text)) t;

-- name: token_terms
-- The terms of each text, in the order of the texts. No table.
select x.ordinal - 1 as place, array_agg(t.term) as terms
  from unnest(cast(:texts as text[])) with ordinality x (text, ordinal)
 cross join lateral muniment.tokenize(x.text, cast(:language as text)) t
 group by x.ordinal;

-- name: only_stop_words
-- Whether a question has words, and each is a stop word or asks, in every language that it may be in. No table.
select coalesce(bool_and(w.stop), false)
  from (select bool_and(coalesce(ts_lexize(l.dictionary, t.term) = '{}', false) or t.term = any (l.asking)) as stop
          from muniment.tokenize(cast(:question as text), cast(:language as text)) t
         cross join (select muniment.stem_dictionary(n.language) as dictionary, muniment.question_words(n.language) as asking
                       from string_to_table(cast(:language as text), ',') n (language)) l
         where t.term not like '~%'
         group by t.term) w;

-- name: narrow
-- The records that the filters leave to search. The index of the filter's most selective key: of record_group, source,
-- record_metadata, or of record by session, speaker or modality.
select record_no
  from muniment.narrow_records(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:filter as jsonb), cast(:known_at as bigint));

-- name: lexical
-- The best records by BM25, through the postings of the question's terms, with the weights that they were given.
select record_no, score
  from muniment.search_lexical_terms(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:terms as text[]), cast(:weights as double precision[]),
         cast(:documents as bigint[]), cast(:mean_length as double precision), cast(:known_at as bigint),
         cast(:k1 as double precision), cast(:b as double precision), cast(:limit as integer), cast(:cap as integer));

-- name: lexical_narrowed
-- The best of the given records by BM25. Primary key of lexical_document.
select record_no, score
  from muniment.score_records(
         cast(:tenant as bigint), cast(:records as bigint[]), cast(:terms as text[]),
         cast(:weights as double precision[]), cast(:mean_length as double precision),
         cast(:k1 as double precision), cast(:b as double precision), cast(:limit as integer));

-- name: semantic_narrowed
-- The nearest of the given records. Index embedding_record.
select record_no, cosine
  from muniment.cosines(
         cast(:tenant as bigint), cast(:model as integer), cast(:records as bigint[]), cast(:vector as public.halfvec))
 order by cosine desc, record_no
 limit cast(:limit as integer);

-- name: graph
-- What the walk reaches from the seeds, best first. The edges' indexes.
select record_no, score, hops
  from muniment.walk_graph(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:seeds as bigint[]), cast(:known_at as bigint),
         cast(:hops as integer), cast(:frontier as integer))
 order by score desc, hops, record_no;

-- name: describe
-- The facts that ranking needs of the candidates, as arrays over them. Primary keys; embedding_record; liveness_group for
-- neighbours.
select records, groups, positions, lengths, days, asks, named, by_user, kinds, modalities, trusts, cosines, count_candidates, count_terms, counts
  from muniment.describe_candidates(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:records as bigint[]), cast(:anchors as bigint[]),
         cast(:reach as integer), cast(:known_at as bigint), cast(:counted as bigint[]), cast(:terms as text[]),
         cast(:speakers as text[]), cast(:model as integer), cast(:vector as public.halfvec));

-- name: evidence
-- Those of the records that count at the commit, whole, with their sources and groups. Primary keys.
select r.record_no, r.record_id, r.kind, r.position, r.speaker, r.role, r.said_at, r.said_offset, r.locator, r.source_version,
       r.group_no, c.text, c.payload, s.source_id, s.source_key, g.group_key
  from muniment.record r
  join muniment.liveness l
    on l.tenant_id = :tenant
   and l.record_no = r.record_no
  join muniment.record_content c
    on c.tenant_id = :tenant
   and c.record_no = r.record_no
  join muniment.source s
    on s.tenant_id = :tenant
   and s.source_no = r.source_no
  join muniment.record_group g
    on g.tenant_id = :tenant
   and g.group_no = r.group_no
 where r.tenant_id = :tenant
   and r.record_no = any (cast(:records as bigint[]))
   and r.space_id = any (cast(:spaces as bigint[]))
   and l.live_from_commit <= cast(:known_at as bigint)
   and (l.live_to_commit is null or l.live_to_commit > cast(:known_at as bigint));

-- name: agreement_terms
-- The exact tokens of each record with their counts, without the stop words of the language: cuts the texts anew. Primary key of
-- record_content.
select c.record_no, w.term, least(w.occurrences, 32767) as count
  from muniment.record_content c
 cross join lateral muniment.tokenize(muniment.indexed_text(c.text, c.fields), cast(:language as text)) w
 where c.tenant_id = :tenant
   and c.record_no = any (cast(:records as bigint[]))
   and w.term not like '~%'
   and exists (select from pg_catalog.string_to_table(cast(:language as text), ',') l (language)
                where pg_catalog.ts_lexize(muniment.stem_dictionary(l.language), w.term) is distinct from '{}');

-- name: group_records
-- The live records of groups, the latest first, at most :limit. Index liveness_group.
select l.record_no
  from muniment.liveness l
 where l.tenant_id = :tenant
   and l.group_no = any (cast(:groups as bigint[]))
   and l.space_id = any (cast(:spaces as bigint[]))
   and l.live_from_commit <= cast(:known_at as bigint)
   and (l.live_to_commit is null or l.live_to_commit > cast(:known_at as bigint))
 order by l.record_no desc
 limit cast(:limit as integer);
