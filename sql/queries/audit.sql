-- name: advance
-- The number of a new entry, and the digest of the last; others who append wait until the transaction ends. Primary keys.
insert into muniment_auth.audit_head as h (tenant_id, entries, digest)
values (:tenant, 1, decode(repeat('00', 32), 'hex'))
on conflict (tenant_id) do update
   set entries = h.entries + 1
returning h.entries as entry_no, h.digest as previous, clock_timestamp() as at,
          (select t.public_id from muniment_auth.tenant t where t.tenant_id = :tenant) as public_id;

-- name: append
-- The entry, which is the end now. Primary keys.
with written as (
  insert into muniment_auth.audit_entry (tenant_id, entry_no, at, actor, action, target, detail, previous, digest)
  values (:tenant, cast(:entry_no as bigint), cast(:at as timestamptz), cast(:actor as text), cast(:action as text),
          cast(:target as text), cast(:detail as jsonb), cast(:previous as bytea), cast(:digest as bytea))
)
update muniment_auth.audit_head
   set digest = cast(:digest as bytea)
 where tenant_id = :tenant;

-- name: list
-- Entries before a number, the latest first. Primary key.
select entry_no, at, actor, action, target, detail, digest
  from muniment_auth.audit_entry
 where tenant_id = :tenant
   and entry_no < cast(:before as bigint)
 order by entry_no desc
 limit cast(:limit as integer);

-- name: walk
-- Entries after a number, in their order. Primary key.
select entry_no, at, actor, action, target, detail, previous, digest
  from muniment_auth.audit_entry
 where tenant_id = :tenant
   and entry_no > cast(:after as bigint)
 order by entry_no
 limit cast(:limit as integer);

-- name: told
-- Whether an act with these details was told. All entries of the tenant.
select exists (select from muniment_auth.audit_entry
                where tenant_id = :tenant
                  and action = cast(:action as text)
                  and detail @> cast(:detail as jsonb)) as told;

-- name: head
-- The end of the tenant's audit log; no row before the first entry. Primary key.
select entries, digest from muniment_auth.audit_head where tenant_id = :tenant;
