create table muniment.record_time (
  tenant_id  bigint not null,
  record_no  bigint not null,
  ordinal    smallint not null check (ordinal >= 0),
  space_id   bigint not null,
  from_at    timestamptz not null,
  to_at      timestamptz not null,
  grain      text not null check (grain in ('second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'season', 'year',
                                            'decade', 'century')),
  expression text not null,
  primary key (tenant_id, record_no, ordinal),
  check (to_at > from_at),
  foreign key (tenant_id, record_no) references muniment.record_content on delete cascade
);
create index record_time_from on muniment.record_time (tenant_id, space_id, from_at);  -- times that begin in a window, or after it
create index record_time_to on muniment.record_time (tenant_id, space_id, to_at);  -- times that end in a window, or before it
comment on table muniment.record_time is 'When what a record tells of happened: [from_at, to_at) of each time expression of its text.';
comment on column muniment.record_time.grain is 'The unit in which the time was named.';

create index record_said on muniment.record (tenant_id, space_id, said_at) where said_at is not null;  -- records by when they were said
