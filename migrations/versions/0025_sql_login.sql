alter table muniment_auth.sql_login add column label text not null default 'unnamed';
alter table muniment_auth.sql_login add column connections integer not null default 8 check (connections > 0);
alter table muniment_auth.sql_login add column valid_until timestamptz;
alter table muniment_auth.sql_login add column rotated_at timestamptz;
comment on column muniment_auth.sql_login.connections is 'How many it may hold at a time: the limit of the role.';
comment on column muniment_auth.sql_login.valid_until is 'After which it reads nothing, in open sessions too; null: for ever.';
comment on column muniment_auth.sql_login.rotated_at is 'When it was last given another password.';

alter table muniment_auth.instance add column wake_channel text not null default 'muniment_jobs_' || replace(gen_random_uuid()::text, '-', '');
comment on column muniment_auth.instance.wake_channel is
  'The channel of notifications of new jobs: unguessable, for anybody who is connected may notify and listen.';
