-- name: read
-- What the tenant may use where that is not the default. Primary key.
select records, bytes, requests_per_minute, concurrent_searches, model_tokens_per_day, changed_at
  from muniment.quota
 where tenant_id = :tenant;

-- name: put
-- Sets all limits of the tenant. Primary key.
insert into muniment.quota (tenant_id, records, bytes, requests_per_minute, concurrent_searches, model_tokens_per_day)
values (:tenant, cast(:records as bigint), cast(:bytes as bigint), cast(:requests_per_minute as bigint),
        cast(:concurrent_searches as bigint), cast(:model_tokens_per_day as bigint))
on conflict (tenant_id) do update
   set records = excluded.records,
       bytes = excluded.bytes,
       requests_per_minute = excluded.requests_per_minute,
       concurrent_searches = excluded.concurrent_searches,
       model_tokens_per_day = excluded.model_tokens_per_day,
       changed_at = clock_timestamp();

-- name: held
-- The records and bytes that the tenant has in the store. Primary keys: a row a day, and what is not added up yet.
select coalesce(sum(records - records_erased), 0)::bigint as records, coalesce(sum(bytes - bytes_erased), 0)::bigint as bytes
  from (select records, records_erased, bytes, bytes_erased from muniment.usage_day where tenant_id = :tenant
         union all
        select records, records_erased, bytes, bytes_erased from muniment.usage_entry where tenant_id = :tenant) used;

-- name: take_requests
-- Takes requests out of the tenant's bucket. Primary key.
select granted, remaining, seconds
  from muniment.take_requests(:tenant, cast(:limit as bigint), cast(:share as bigint));

-- name: hold_searches
-- Holds, prolongs or gives back searches of this process. Primary keys.
select muniment.hold_searches(:tenant, cast(:holder as uuid), cast(:slots as bigint), cast(:limit as bigint),
                              make_interval(secs => cast(:lease as double precision)), cast(:under_way as bigint));

-- name: searching
-- How many searches the processes beside this one said to have under way for the tenant. Prefix of the primary key.
select coalesce(sum(under_way), 0)::bigint
  from muniment.search_lease
 where tenant_id = :tenant
   and expires_at > clock_timestamp()
   and holder <> cast(:holder as uuid);

-- name: model_tokens
-- The tokens that models took and wrote for the tenant since the day began. Indexes extraction_call_at and summary_call_at, and
-- primary keys.
select ((select coalesce(sum(prompt_tokens + completion_tokens), 0) from muniment.extraction_call
          where tenant_id = :tenant and at >= cast(:since as timestamptz))
        + (select coalesce(sum(prompt_tokens + completion_tokens), 0) from muniment.summary_call
            where tenant_id = :tenant and at >= cast(:since as timestamptz))
        + (select coalesce(sum(prompt_tokens + completion_tokens), 0) from muniment.usage_day
            where tenant_id = :tenant and day >= cast(:day as date))
        + (select coalesce(sum(prompt_tokens + completion_tokens), 0) from muniment.usage_entry
            where tenant_id = :tenant and day >= cast(:day as date)))::bigint;

-- name: requests
-- How many requests the tenant's bucket lacks of being full, as full as it was when it was last taken from. Primary key.
select ceil(greatest(0, least(cast(:limit as bigint), coalesce(r.capacity, cast(:limit as bigint)) - r.tokens)
                        - cast(:limit as bigint) / 60.0 * extract(epoch from clock_timestamp() - r.filled_at)))::bigint
  from muniment.ration r
 where r.tenant_id = :tenant
   and r.filled_at > '-infinity';
