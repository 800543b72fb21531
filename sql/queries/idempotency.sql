-- name: claim
-- Binds a key to a request and a run, for the first who asks. Primary key.
insert into muniment.idempotency (tenant_id, key, space_id, request_hash, run_no, lease_until)
values (:tenant, cast(:key as text), cast(:space as bigint), cast(:request_hash as bytea), cast(:run_no as bigint),
        clock_timestamp() + make_interval(secs => cast(:lease as double precision)))
on conflict (tenant_id, key) do nothing
returning run_no;

-- name: lock
-- What a key is bound to, until the transaction ends. Primary key.
select request_hash, run_no, first_item, response, lease_until > clock_timestamp() as leased
  from muniment.idempotency
 where tenant_id = :tenant
   and key = cast(:key as text)
   for update;

-- name: place
-- Where in its run the items of a request begin that adds to it. Primary key.
update muniment.idempotency
   set first_item = cast(:first_item as integer)
 where tenant_id = :tenant
   and key = cast(:key as text);

-- name: extend
-- Keeps the key, or takes it over from a writer that went away. Primary key.
update muniment.idempotency
   set lease_until = clock_timestamp() + make_interval(secs => cast(:lease as double precision))
 where tenant_id = :tenant
   and key = cast(:key as text)
   and response is null;

-- name: finish
-- The request is done; from now on its run is the answer. Primary key.
update muniment.idempotency
   set response = cast(:response as jsonb)
 where tenant_id = :tenant
   and key = cast(:key as text);

-- name: release
-- Gives back a key whose request was refused, or had no effect. Primary key.
delete from muniment.idempotency
 where tenant_id = :tenant
   and key = cast(:key as text)
   and response is null;
