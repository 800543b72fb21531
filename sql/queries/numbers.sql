-- name: allocate
-- Takes a block of numbers and returns the one after its last. Primary key. A lost commit loses numbers only, and any
-- later commit that used them is flushed after it, so this one need not wait for the disk.
with lazily as (select set_config('synchronous_commit', 'off', true))
insert into muniment.counter as c (tenant_id, name, next_value)
select cast(:tenant as bigint), cast(:counter as text), 1 + cast(:count as bigint) from lazily
on conflict (tenant_id, name) do update set next_value = c.next_value + cast(:count as bigint)
returning next_value;
