-- So many facts as bench.facts says, in the space, source and group of the first record there is; see claims.py. Fact n is record
-- 10,000,000 + n; every tenth rests on a raw record of its own, 20,000,000 + n / 10, as do the nine after it.
set session_replication_role = replica;
set synchronous_commit = off;
create temporary table place as
select r.tenant_id, r.space_id, r.source_no, r.group_no from muniment.record r order by r.record_no limit 1;
create temporary table told as
select n, initcap(left(translate(md5((n / 5)::text), '0123456789', 'ghijklmnop'), 6) || ' '
                  || right(translate(md5((n / 5)::text), '0123456789', 'qrstuvwxyz'), 9)) as subject,
       (array['lives_in', 'works_at', 'likes', 'has_pet', 'speaks'])[1 + n % 5] as relation,
       (array['place', 'organization', 'thing', 'thing', 'thing'])[1 + n % 5] as object_type,
       initcap(translate(left(md5('value' || n % 5000), 8), '0123456789', 'aeiouaeiou')) as object
  from generate_series(0, current_setting('bench.facts')::integer - 1) n;
insert into muniment.record (tenant_id, record_no, space_id, record_id, kind, modality, source_no, source_version, group_no, position,
                             locator, commitment)
select p.tenant_id, 10000000 + t.n, p.space_id, md5('fact' || t.n)::uuid, 'fact', 'conversation', p.source_no, 1, p.group_no,
       1000000 + t.n, '{}'::jsonb, sha256('')
  from told t, place p
union all
select p.tenant_id, 20000000 + t.n / 10, p.space_id, md5('raw' || t.n)::uuid, 'raw', 'conversation', p.source_no, 1, p.group_no,
       20000000 + t.n / 10, '{}'::jsonb, sha256('')
  from told t, place p where t.n % 10 = 0;
insert into muniment.record_content (tenant_id, record_no, space_id, salt, text)
select p.tenant_id, 10000000 + t.n, p.space_id, sha256(''), t.subject || ' ' || t.relation || ' ' || t.object from told t, place p
union all
select p.tenant_id, 20000000 + t.n / 10, p.space_id, sha256(''), t.subject from told t, place p where t.n % 10 = 0;
insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit)
select p.tenant_id, 10000000 + t.n, p.space_id, p.group_no, 1000000 + t.n, 1 from told t, place p
union all
select p.tenant_id, 20000000 + t.n / 10, p.space_id, p.group_no, 20000000 + t.n / 10, 1 from told t, place p where t.n % 10 = 0;
insert into muniment.fact (tenant_id, record_no, space_id, subject, subject_type, relation, object, object_type, confidence, said_at,
                           extractor)
select p.tenant_id, 10000000 + t.n, p.space_id, t.subject, 'person', t.relation, t.object, t.object_type, 0.9,
       timestamptz '2023-01-01 00:00Z' + t.n * interval '1 second', 'rules:0'
  from told t, place p;
insert into muniment.evidence (tenant_id, record_no, basis_no, space_id, span_start, span_end)
select p.tenant_id, 10000000 + t.n, 20000000 + t.n / 10, p.space_id, 0, 1 from told t, place p;
insert into muniment.entity (tenant_id, space_id, entity_type, name, record_no)
select f.tenant_id, f.space_id, x.entity_type, x.name, min(f.record_no)
  from muniment.fact f
 cross join lateral (values (f.subject_type, f.subject_key), (f.object_type, f.object_key)) x (entity_type, name)
 group by 1, 2, 3, 4
on conflict do nothing;
insert into muniment.entity_gram (tenant_id, space_id, entity_type, gram, name, record_no)
select e.tenant_id, e.space_id, e.entity_type, g, e.name, e.record_no
  from muniment.entity e
 cross join lateral (select array(select g from unnest(public.show_trgm(e.name)) g order by md5(g)) as grams) t
 cross join lateral unnest(t.grams[1:cardinality(t.grams) - ceil(0.6 * cardinality(t.grams))::integer + 1]) g
on conflict do nothing;
insert into muniment.claim (tenant_id, claim_id, live_from_commit, space_id, subject_type, subject_key, subject, relation, object_type,
                            object_key, object, negated, status, valid_from, from_basis, facts, groups, fact_confidence, last_said_at,
                            anchor_commit, anchor_no)
select f.tenant_id, md5('claim' || f.record_no)::uuid, 1, f.space_id, f.subject_type, f.subject_key, f.subject, f.relation, f.object_type,
       f.object_key, f.object, false, 'ACTIVE', f.said_at, 'said', 1, 1, 0.9, f.said_at, 1, f.record_no
  from muniment.fact f where f.record_no >= 10000000;
insert into muniment.claim_evidence (tenant_id, claim_id, record_no, live_from_commit, space_id)
select c.tenant_id, c.claim_id, c.anchor_no, 1, c.space_id from muniment.claim c where c.anchor_no >= 10000000;
reset session_replication_role;
