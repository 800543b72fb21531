-- Lets a process carry out up to _slots searches of the tenant at once for so long, as far as the other processes leave some of
-- _limit; how many it got. Of these it says to use _under_way. What it held before is given up. The row of the bucket is the lock.
-- One row a process.
create or replace function muniment.hold_searches(
  _tenant bigint, _holder uuid, _slots bigint, _limit bigint, _lease interval, _under_way bigint)
returns bigint language plpgsql volatile security invoker set search_path = '' as $$
declare
  _granted bigint;
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  insert into muniment.ration (tenant_id, tokens, filled_at) values (_tenant, 0, '-infinity') on conflict (tenant_id) do nothing;
  perform from muniment.ration where tenant_id = _tenant for update;
  delete from muniment.search_lease
   where tenant_id = _tenant
     and (expires_at <= pg_catalog.clock_timestamp() or holder = _holder);
  select greatest(0, least(_slots, _limit - coalesce(sum(slots), 0)))
    into _granted
    from muniment.search_lease
   where tenant_id = _tenant;
  if _granted > 0 then
    insert into muniment.search_lease (tenant_id, holder, slots, expires_at, under_way)
    values (_tenant, _holder, _granted, pg_catalog.clock_timestamp() + _lease, least(_under_way, _granted));
  end if;
  return _granted;
end $$;
