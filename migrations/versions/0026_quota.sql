create table muniment.quota (
  tenant_id            bigint not null references muniment_auth.tenant (tenant_id),
  records              bigint check (records >= 0),
  bytes                bigint check (bytes >= 0),
  requests_per_minute  bigint check (requests_per_minute >= 0),
  concurrent_searches  bigint check (concurrent_searches >= 0),
  model_tokens_per_day bigint check (model_tokens_per_day >= 0),
  changed_at           timestamptz not null default clock_timestamp(),
  primary key (tenant_id)
);
comment on table muniment.quota is 'What a tenant may use where that is not the default; null: the default of the settings, 0: as much as it likes.';

create table muniment.ration (
  tenant_id bigint not null references muniment_auth.tenant (tenant_id),
  tokens    double precision not null,
  filled_at timestamptz not null,
  granted   bigint not null default 0,
  primary key (tenant_id)
);
comment on table muniment.ration is 'The token bucket of a tenant''s requests; its row is also the lock under which search slots are handed out.';
comment on column muniment.ration.granted is 'How many requests the process that asked last got.';

create table muniment.search_lease (
  tenant_id  bigint not null references muniment_auth.tenant (tenant_id),
  holder     uuid not null,
  slots      bigint not null check (slots > 0),
  expires_at timestamptz not null,
  primary key (tenant_id, holder)
);
comment on table muniment.search_lease is 'How many searches at once each process may carry out for a tenant, until when.';

create table muniment.usage_day (
  tenant_id         bigint not null references muniment_auth.tenant (tenant_id),
  day               date not null,
  records           bigint not null default 0,
  records_erased    bigint not null default 0,
  bytes             bigint not null default 0,
  bytes_erased      bigint not null default 0,
  requests          bigint not null default 0,
  refused           bigint not null default 0,
  searches          bigint not null default 0,
  prompt_tokens     bigint not null default 0,
  completion_tokens bigint not null default 0,
  primary key (tenant_id, day)
);
comment on table muniment.usage_day is 'What a tenant used on each day (UTC), as far as usage_entry was added up. Holds no content.';
comment on column muniment.usage_day.records is 'Records stored, facts too; what is still there is records - records_erased over all days.';
comment on column muniment.usage_day.bytes is 'Of the texts of records and of the originals of sources, in UTF-8 and as they came.';
comment on column muniment.usage_day.prompt_tokens is 'That models which answer questions were sent; those of extraction and summaries are in extraction_call and summary_call.';

create table muniment.usage_entry (
  tenant_id         bigint not null references muniment_auth.tenant (tenant_id),
  entry_id          bigint generated always as identity,
  day               date not null default (clock_timestamp() at time zone 'UTC')::date,
  records           bigint not null default 0,
  records_erased    bigint not null default 0,
  bytes             bigint not null default 0,
  bytes_erased      bigint not null default 0,
  requests          bigint not null default 0,
  refused           bigint not null default 0,
  searches          bigint not null default 0,
  prompt_tokens     bigint not null default 0,
  completion_tokens bigint not null default 0,
  primary key (tenant_id, entry_id)
);
comment on table muniment.usage_entry is 'What was used and is not added up in usage_day yet: writes only add rows here, so that none waits for another.';

-- what is there already counts as brought today
insert into muniment.usage_day (tenant_id, day, records, bytes)
select tenant_id, (clock_timestamp() at time zone 'UTC')::date, sum(records), sum(bytes)
  from (select tenant_id, count(*) as records, sum(octet_length(text)) as bytes from muniment.record_content group by tenant_id
         union all
        select tenant_id, 0, sum(size) from muniment.blob group by tenant_id) there
 group by tenant_id;
