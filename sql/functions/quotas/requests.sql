-- Takes up to _share requests out of the tenant's token bucket, which holds _limit and refills by _limit a minute: how many were
-- granted, how many are left, and in how many seconds there is another. Under a higher limit than before as many are used as
-- were. One row; it is not waited for the disk.
create or replace function muniment.take_requests(_tenant bigint, _limit bigint, _share bigint)
returns table (granted bigint, remaining double precision, seconds double precision)
language plpgsql volatile security invoker set search_path = '' as $$
#variable_conflict use_column
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  return query
    insert into muniment.ration as r (tenant_id, tokens, filled_at, granted, capacity)
    values (_tenant, _limit - least(_share, _limit), pg_catalog.clock_timestamp(), least(_share, _limit), _limit)
    on conflict (tenant_id) do update
       set (tokens, filled_at, granted, capacity) =
           (select f.tokens - least(_share, floor(f.tokens)), greatest(f.at, r.filled_at), least(_share, floor(f.tokens)), _limit
              from (select n.at, least(_limit, r.tokens + greatest(0, _limit - coalesce(r.capacity, _limit)) + _limit / 60.0
                                       * greatest(0, extract(epoch from n.at - r.filled_at)))::double precision as tokens
                      from (select pg_catalog.clock_timestamp() as at) n) f)
    returning r.granted, r.tokens, greatest(0, (1 - r.tokens) * 60.0 / _limit)::double precision;
end $$;
