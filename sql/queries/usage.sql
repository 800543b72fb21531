-- name: note
-- Adds what a process counted. Primary key.
insert into muniment.usage_entry (tenant_id, day, requests, refused, searches, prompt_tokens, completion_tokens)
select :tenant, day, requests, refused, searches, prompt_tokens, completion_tokens
  from unnest(cast(:days as date[]), cast(:requests as bigint[]), cast(:refused as bigint[]), cast(:searches as bigint[]),
              cast(:prompt_tokens as bigint[]), cast(:completion_tokens as bigint[]))
       n (day, requests, refused, searches, prompt_tokens, completion_tokens);

-- name: add_up
-- Adds entries up by their days; those that another transaction adds up at the moment are left to it. Prefix of the primary key.
with taken as (
  delete from muniment.usage_entry
   where tenant_id = :tenant
     and entry_id in (select entry_id from muniment.usage_entry
                       where tenant_id = :tenant
                       order by entry_id
                       limit 10000
                         for update skip locked)
  returning *
)
insert into muniment.usage_day as u (tenant_id, day, records, records_erased, bytes, bytes_erased, requests, refused, searches,
                                     prompt_tokens, completion_tokens)
select :tenant, day, sum(records), sum(records_erased), sum(bytes), sum(bytes_erased), sum(requests), sum(refused), sum(searches),
       sum(prompt_tokens), sum(completion_tokens)
  from taken
 group by day
 order by day
on conflict (tenant_id, day) do update
   set records = u.records + excluded.records,
       records_erased = u.records_erased + excluded.records_erased,
       bytes = u.bytes + excluded.bytes,
       bytes_erased = u.bytes_erased + excluded.bytes_erased,
       requests = u.requests + excluded.requests,
       refused = u.refused + excluded.refused,
       searches = u.searches + excluded.searches,
       prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
       completion_tokens = u.completion_tokens + excluded.completion_tokens;

-- name: days
-- What the tenant used on each day since one, the latest first. Prefixes of primary keys; indexes extraction_call_at and
-- summary_call_at.
select day, sum(records)::bigint as records, sum(records_erased)::bigint as records_erased, sum(bytes)::bigint as bytes,
       sum(bytes_erased)::bigint as bytes_erased, sum(requests)::bigint as requests, sum(refused)::bigint as refused,
       sum(searches)::bigint as searches, sum(prompt_tokens)::bigint as prompt_tokens,
       sum(completion_tokens)::bigint as completion_tokens
  from (select day, records, records_erased, bytes, bytes_erased, requests, refused, searches, prompt_tokens, completion_tokens
          from muniment.usage_day
         where tenant_id = :tenant and day >= cast(:day as date)
         union all
        select day, records, records_erased, bytes, bytes_erased, requests, refused, searches, prompt_tokens, completion_tokens
          from muniment.usage_entry
         where tenant_id = :tenant and day >= cast(:day as date)
         union all
        select (at at time zone 'UTC')::date, 0, 0, 0, 0, 0, 0, 0, prompt_tokens, completion_tokens
          from muniment.extraction_call
         where tenant_id = :tenant and at >= cast(:since as timestamptz)
         union all
        select (at at time zone 'UTC')::date, 0, 0, 0, 0, 0, 0, 0, prompt_tokens, completion_tokens
          from muniment.summary_call
         where tenant_id = :tenant and at >= cast(:since as timestamptz)) used
 group by day
 order by day desc;

-- name: count_all
-- Counts all that the tenant has in the store, which an import brought. Prefixes of primary keys.
insert into muniment.usage_entry (tenant_id, records, bytes)
select :tenant, t.records, t.bytes + (select coalesce(sum(size), 0) from muniment.blob where tenant_id = :tenant)
  from (select count(*) as records, coalesce(sum(octet_length(text)), 0) as bytes
          from muniment.record_content where tenant_id = :tenant) t;
