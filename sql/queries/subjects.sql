-- name: insert
-- The subjects of records, one pair a row; a pair that is there stays. Primary key.
insert into muniment.record_subject (tenant_id, subject, space_id, record_no)
select cast(:tenant as bigint), s.subject, s.space_id, s.record_no
  from unnest(cast(:subjects as text[]), cast(:spaces as bigint[]), cast(:records as bigint[])) s (subject, space_id, record_no)
 order by s.subject, s.space_id, s.record_no
on conflict (tenant_id, subject, space_id, record_no) do nothing;

-- name: delete
-- For a rebuild: the subjects of records. Index record_subject_record.
delete from muniment.record_subject
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]));

-- name: contents
-- For a rebuild: up to :limit records after :after with what their subjects are read from. Primary keys.
select c.space_id, c.record_no, c.text, c.fields, r.position, r.modality
  from (select m.space_id, m.record_no, m.text, m.fields
          from muniment.record_content m
         where m.tenant_id = :tenant
           and m.record_no > cast(:after as bigint)
           and (select f.kind from muniment.record f where f.tenant_id = :tenant and f.record_no = m.record_no) <> 'fact'
         order by m.record_no
         limit cast(:limit as integer)) as c
 cross join lateral (
       select m.position, m.modality
         from muniment.record m
        where m.tenant_id = :tenant and m.record_no = c.record_no
       offset 0) as r
 order by c.record_no;

-- name: of
-- The live and visible records that are about one of the subjects; a subject of more than :most records tells nothing and is left
-- out. Primary key, one probe a subject and space.
select s.subject, s.record_no
  from (select p.subject, p.record_no, count(*) over (partition by p.subject) as records
          from muniment.record_subject p
          join muniment.liveness l
            on l.tenant_id = :tenant
           and l.record_no = p.record_no
         where p.tenant_id = :tenant
           and p.subject = any (cast(:subjects as text[]))
           and p.space_id = any (cast(:spaces as bigint[]))
           and l.live_from_commit <= cast(:known_at as bigint)
           and (l.live_to_commit is null or l.live_to_commit > cast(:known_at as bigint))) s
 where s.records <= cast(:most as integer);

-- name: texts
-- The texts of records. Primary key.
select record_no, text
  from muniment.record_content
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]));
