-- name: insert
-- The times of which records tell. Primary key.
insert into muniment.record_time (tenant_id, record_no, ordinal, space_id, from_at, to_at, grain, expression)
select cast(:tenant as bigint), t.record_no, t.ordinal, t.space_id, t.from_at, t.to_at, t.grain, t.expression
  from unnest(cast(:records as bigint[]), cast(:ordinals as smallint[]), cast(:spaces as bigint[]), cast(:froms as timestamptz[]),
              cast(:tos as timestamptz[]), cast(:grains as text[]), cast(:expressions as text[]))
       as t (record_no, ordinal, space_id, from_at, to_at, grain, expression);

-- name: texts
-- For a rebuild: up to :limit records after :after with their texts, when and in which zone each was said, and the language of its
-- source. Primary keys.
select c.space_id, c.record_no, c.text, r.said_at, r.said_offset, coalesce(r.language, v.language, 'english') as language
  from (select m.space_id, m.record_no, m.text
          from muniment.record_content m
         where m.tenant_id = :tenant
           and m.record_no > cast(:after as bigint)
           and (select f.kind from muniment.record f where f.tenant_id = :tenant and f.record_no = m.record_no) <> 'fact'
         order by m.record_no
         limit cast(:limit as integer)) as c
 cross join lateral (
       select m.said_at, m.said_offset, m.source_no, m.source_version, m.language
         from muniment.record m
        where m.tenant_id = :tenant and m.record_no = c.record_no
       offset 0) as r
  left join lateral (
       select m.language
         from muniment.source_version m
        where m.tenant_id = :tenant and m.source_no = r.source_no and m.version = r.source_version
       offset 0) as v on true
 order by c.record_no;

-- name: delete
-- For a rebuild: the times of records. Prefix of the primary key.
delete from muniment.record_time
 where tenant_id = :tenant
   and record_no = any (cast(:records as bigint[]));

-- name: search
-- The temporal route: records by how near their times are to a window and how many of the question's other words they hold.
-- Indexes record_time_from, record_time_to, record_said; primary keys.
select record_no, score, proximity, overlap, timed
  from muniment.search_times(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:known_at as bigint), cast(:text as text), cast(:language as text),
         cast(:from_at as timestamptz), cast(:to_at as timestamptz), cast(:unit as double precision), cast(:asks_when as boolean),
         cast(:weights as double precision[]), cast(:near as integer), cast(:also as bigint[]), cast(:within as bigint[]),
         cast(:limit as integer));

-- name: times
-- The times of which records tell, of one that tells of none when it was said, with the zone it was said in. Primary keys.
select r.record_no, coalesce(t.from_at, r.said_at) as from_at, coalesce(t.to_at, r.said_at) as to_at, t.grain, r.said_offset
  from (select m.record_no, m.said_at, m.said_offset
          from muniment.record m
         where m.tenant_id = :tenant
           and m.record_no = any (cast(:records as bigint[]))) r
  left join lateral (
       select m.from_at, m.to_at, m.grain
         from muniment.record_time m
        where m.tenant_id = :tenant
          and m.record_no = r.record_no
       offset 0) t on true
 where r.said_at is not null
    or t.from_at is not null;
