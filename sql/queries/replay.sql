-- name: question_terms
-- The question's terms with their weights. No table.
select q.term, q.weight
  from muniment.question_terms(cast(:question as text), cast(:language as text)) q;

-- name: statistics
-- How many visible documents hold each term now. One range of postings a term.
select s.term, s.documents
  from muniment.lexical_statistics(cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:terms as text[])) s;

-- name: semantic
-- The nearest records of those that had a vector then. Primary keys of embedding and liveness.
select record_no, cosine
  from muniment.search_vector_again(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:model as integer), cast(:vector as public.halfvec),
         cast(:known_at as bigint), cast(:limit as integer), cast(:lacking as int8multirange));

-- name: records
-- Records of the log with what decides whether a search could see them, and how often each of the terms that it holds stands in it;
-- the text is null where it was erased; of the times that it counted the one that began last before known_at. tells are the times of which it tells, in order, at most ten. Primary keys, and the unique key
-- of record ids.
select r.record_no, r.record_id, r.space_id, r.kind, r.modality, r.group_no, r.position, r.speaker, r.role, r.said_at, r.session_id,
       s.project_id, s.user_id, s.agent_id, l.live_from_commit, l.live_to_commit, c.text, g.group_key, o.source_key, c.payload,
       d.length, coalesce(h.terms, '{}') as terms, coalesce(h.counts, '{}') as counts,
       array(select pg_catalog.jsonb_build_object('from', t.from_at, 'to', t.to_at)
               from muniment.record_time t
              where t.tenant_id = :tenant
                and t.record_no = r.record_no
              order by t.from_at, t.to_at
              limit 10) as tells
  from muniment.record r
  join muniment.space s
    on s.tenant_id = :tenant
   and s.space_id = r.space_id
  join muniment.record_group g
    on g.tenant_id = :tenant
   and g.group_no = r.group_no
  join muniment.source o
    on o.tenant_id = :tenant
   and o.source_no = r.source_no
  left join lateral (
       select w.live_from_commit, w.live_to_commit
         from muniment.liveness w
        where w.tenant_id = :tenant
          and w.record_no = r.record_no
        order by (w.live_from_commit <= cast(:known_at as bigint)) desc, abs(w.live_from_commit - cast(:known_at as bigint))
        limit 1) l on true
  left join muniment.record_content c
    on c.tenant_id = :tenant
   and c.record_no = r.record_no
  left join muniment.lexical_document d
    on d.tenant_id = :tenant
   and d.record_no = r.record_no
  left join lateral (
       select array_agg(q.term) as terms, array_agg(q.count) as counts
         from (select t.term, muniment.count_of(t.term, d.hashes, d.counts) as count
                 from unnest(cast(:terms as text[])) t (term)) q
        where q.count is not null) h on true
 where r.tenant_id = :tenant
   and r.record_id = any (cast(:record_ids as uuid[]));

-- name: fits
-- Which of several filters let a record through: the places of those, from 0. Primary keys.
select f.place - 1 as place
  from unnest(cast(:filters as jsonb[])) with ordinality f (filter, place)
 where exists (select
                 from muniment.matching_records(cast(:tenant as bigint), array[cast(:record as bigint)], f.filter));

-- name: cosines
-- The cosines of the records that have a vector. Index embedding_record.
select c.record_no, c.cosine
  from muniment.cosines(cast(:tenant as bigint), cast(:model as integer), cast(:records as bigint[]),
                        cast(:vector as public.halfvec)) c;

-- name: erased
-- Those of the records whose content was erased. Primary key.
select u.record_no
  from unnest(cast(:records as bigint[])) u (record_no)
 where not exists (select
                     from muniment.record_content c
                    where c.tenant_id = :tenant
                      and c.record_no = u.record_no);
