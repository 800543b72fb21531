-- What the tenant used on each day (UTC). Linear in the days, and in the calls of models.
create or replace view analytics.quota_usage with (security_invoker = true) as
  select day, sum(records)::bigint as records, sum(records_erased)::bigint as records_erased, sum(bytes)::bigint as bytes,
         sum(bytes_erased)::bigint as bytes_erased, sum(requests)::bigint as requests, sum(refused)::bigint as refused,
         sum(searches)::bigint as searches, sum(prompt_tokens)::bigint as prompt_tokens,
         sum(completion_tokens)::bigint as completion_tokens
    from (select day, records, records_erased, bytes, bytes_erased, requests, refused, searches, prompt_tokens, completion_tokens
            from muniment.usage_day
           union all
          select day, records, records_erased, bytes, bytes_erased, requests, refused, searches, prompt_tokens, completion_tokens
            from muniment.usage_entry
           union all
          select (at at time zone 'UTC')::date, 0, 0, 0, 0, 0, 0, 0, prompt_tokens, completion_tokens from muniment.extraction_call
           union all
          select (at at time zone 'UTC')::date, 0, 0, 0, 0, 0, 0, 0, prompt_tokens, completion_tokens from muniment.summary_call) used
   group by day;

comment on view analytics.quota_usage is 'What the tenant used on each day, in UTC.';
comment on column analytics.quota_usage.day is 'The day, in UTC.';
comment on column analytics.quota_usage.records is 'Records stored, facts and corrections too.';
comment on column analytics.quota_usage.records_erased is 'Records whose contents were erased.';
comment on column analytics.quota_usage.bytes is 'Bytes stored: of the texts of records, and of the originals of sources.';
comment on column analytics.quota_usage.bytes_erased is 'Bytes erased of those.';
comment on column analytics.quota_usage.requests is 'Requests to the REST interface, those refused for a quota left out.';
comment on column analytics.quota_usage.refused is 'Requests and searches that a quota refused.';
comment on column analytics.quota_usage.searches is 'Searches and questions, also within a process.';
comment on column analytics.quota_usage.prompt_tokens is 'Tokens that language models were sent: for answers, facts and summaries.';
comment on column analytics.quota_usage.completion_tokens is 'Tokens that language models wrote.';
grant select on analytics.quota_usage to muniment_analyst;
