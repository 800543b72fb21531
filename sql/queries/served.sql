-- name: insert
-- Fingerprints of sentences that are being served, with the records that they came from; what was noted within a day is left as it
-- is. Whether the tenant has a key for them, without which nothing is noted. Primary keys.
with own as (
  select key from muniment.served_key where tenant_id = :tenant
), hashed as (
  select distinct ('x' || left(encode(sha256(own.key || convert_to(p.sentence, 'UTF8')), 'hex'), 16))::bit(64)::bigint as fingerprint,
         p.record_no
    from own, unnest(cast(:sentences as text[]), cast(:records as bigint[])) p (sentence, record_no)
), noted as (
  insert into muniment.served (tenant_id, fingerprint, record_no, space_id)
  select cast(:tenant as bigint), h.fingerprint, h.record_no, c.space_id
    from hashed h
   cross join lateral (
         select t.space_id from muniment.record_content t where t.tenant_id = :tenant and t.record_no = h.record_no offset 0) c
   where (select s.served_at > clock_timestamp() - interval '1 day'
            from muniment.served s
           where s.tenant_id = :tenant and s.fingerprint = h.fingerprint and s.record_no = h.record_no) is not true
  on conflict (tenant_id, fingerprint, record_no) do update set served_at = excluded.served_at
)
select exists (select from own);

-- name: make_key
-- A random key, where there is none yet. Primary key.
insert into muniment.served_key (tenant_id, key)
values (:tenant, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
on conflict (tenant_id) do nothing;

-- name: find
-- Which of some sentences were served since a moment, and from which records, where their spaces name no other project and no other
-- user. Primary keys.
select p.n, r.record_no, r.record_id
  from muniment.served_key k
 cross join unnest(cast(:sentences as text[])) with ordinality p (sentence, n)
 cross join lateral (
       select w.record_no, w.space_id
         from muniment.served w
        where w.tenant_id = :tenant
          and w.fingerprint = ('x' || left(encode(sha256(k.key || convert_to(p.sentence, 'UTF8')), 'hex'), 16))::bit(64)::bigint
          and w.served_at > cast(:since as timestamptz)
       offset 0) s
 cross join lateral (
       select m.record_no, m.record_id from muniment.record m where m.tenant_id = :tenant and m.record_no = s.record_no offset 0) r
 where k.tenant_id = :tenant
   and (select coalesce(n.project_id = cast(:project as text), true) and coalesce(n.user_id = cast(:user as text), true)
          from muniment.space n
         where n.tenant_id = :tenant and n.space_id = s.space_id)
 order by p.n, r.record_no;

-- name: texts
-- What records say, and who said it. Primary keys.
select r.record_no, r.speaker, r.role, c.text
  from muniment.record r
  join muniment.record_content c on c.tenant_id = :tenant and c.record_no = r.record_no
 where r.tenant_id = :tenant
   and r.record_no = any (cast(:records as bigint[]));

-- name: numbers
-- The numbers of records by their public ids. Unique key.
select r.record_id, r.record_no
  from muniment.record r
 where r.tenant_id = :tenant
   and r.record_id = any (cast(:record_ids as uuid[]));

-- name: of_run
-- The records that a query run gave, best first, where their spaces name no other project and no other user. Unique key; primary keys.
select r.record_id
  from muniment.query_run q
  join muniment.query_hit h on h.tenant_id = :tenant and h.query_no = q.query_no
 cross join lateral (
       select m.record_id, m.space_id from muniment.record m where m.tenant_id = :tenant and m.record_no = h.record_no offset 0) r
 where q.tenant_id = :tenant
   and q.query_id = cast(:query_id as uuid)
   and (select coalesce(n.project_id = cast(:project as text), true) and coalesce(n.user_id = cast(:user as text), true)
          from muniment.space n
         where n.tenant_id = :tenant and n.space_id = r.space_id)
 order by h.rank;

-- name: expire
-- Deletes fingerprints of what was last served before a moment. Prefix of the primary key.
with old as (
  select s.fingerprint, s.record_no
    from muniment.served s
   where s.tenant_id = :tenant
     and s.served_at < cast(:moment as timestamptz)
   limit cast(:limit as integer)
), gone as (
  delete from muniment.served s
   using old
   where s.tenant_id = :tenant
     and s.fingerprint = old.fingerprint
     and s.record_no = old.record_no
  returning s.record_no
)
select count(*) from gone;
