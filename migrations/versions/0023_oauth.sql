create table muniment_auth.member (
  tenant_id     bigint not null references muniment_auth.tenant (tenant_id),
  member_id     uuid not null,
  email         text not null,
  password_hash text,
  scopes        text[] not null,
  pin_project   text,
  pin_user      text,
  pin_agent     text,
  state         text not null default 'active' check (state in ('active', 'suspended')),
  failures      integer not null default 0,
  locked_until  timestamptz,
  created_at    timestamptz not null default clock_timestamp(),
  signed_in_at  timestamptz,
  primary key (tenant_id, member_id),
  unique (tenant_id, email),
  constraint member_scopes
  check (scopes <@ array['memory:read', 'memory:write', 'memory:erase', 'query:read', 'tenant:admin', 'ops:read'])
);
comment on table muniment_auth.member is 'People of a tenant who may sign in: an Argon2id hash of the password, and the most that they may let a client do.';

create table muniment_auth.oauth_client (
  tenant_id     bigint not null references muniment_auth.tenant (tenant_id),
  client_id     uuid not null,
  secret_hash   bytea check (octet_length(secret_hash) = 32),
  name          text not null,
  redirect_uris text[] not null default '{}',
  grant_types   text[] not null,
  scopes        text[] not null,
  auth_method   text not null check (auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
  pin_project   text,
  pin_user      text,
  pin_agent     text,
  created_at    timestamptz not null default clock_timestamp(),
  revoked_at    timestamptz,
  primary key (tenant_id, client_id),
  check (auth_method <> 'none' or secret_hash is null),
  constraint oauth_client_scopes
  check (scopes <@ array['memory:read', 'memory:write', 'memory:erase', 'query:read', 'tenant:admin', 'ops:read'])
);
create index oauth_client_found on muniment_auth.oauth_client (client_id, tenant_id);  -- resolve_client
comment on table muniment_auth.oauth_client is 'OAuth clients. A public one has no secret.';

create table muniment_auth.oauth_grant (
  tenant_id   bigint not null,
  grant_id    uuid not null,
  client_id   uuid not null,
  member_id   uuid,
  scopes      text[] not null,
  resource    text not null,
  pin_project text,
  pin_user    text,
  pin_agent   text,
  created_at  timestamptz not null default clock_timestamp(),
  expires_at  timestamptz not null,
  revoked_at  timestamptz,
  primary key (tenant_id, grant_id),
  foreign key (tenant_id, client_id) references muniment_auth.oauth_client on delete cascade,
  foreign key (tenant_id, member_id) references muniment_auth.member on delete cascade
);
create index oauth_grant_found on muniment_auth.oauth_grant (grant_id, tenant_id);  -- resolve_grant
create index oauth_grant_expiry on muniment_auth.oauth_grant (tenant_id, expires_at);  -- tidy
create index oauth_grant_member on muniment_auth.oauth_grant (tenant_id, member_id);  -- cascade
create index oauth_grant_client on muniment_auth.oauth_grant (tenant_id, client_id);  -- cascade
comment on table muniment_auth.oauth_grant is 'What a client was granted. All tokens of a family name their grant, and end with it.';

create table muniment_auth.oauth_code (
  tenant_id    bigint not null,
  code_hash    bytea not null check (octet_length(code_hash) = 32),
  grant_id     uuid not null,
  redirect_uri text,
  challenge    text not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  primary key (tenant_id, code_hash),
  foreign key (tenant_id, grant_id) references muniment_auth.oauth_grant on delete cascade
);
create index oauth_code_grant on muniment_auth.oauth_code (tenant_id, grant_id);  -- cascade
comment on table muniment_auth.oauth_code is 'Authorization codes, by SHA-256, with the PKCE challenge (S256). One that comes twice ends its grant.';

create table muniment_auth.oauth_refresh (
  tenant_id  bigint not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  grant_id   uuid not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  primary key (tenant_id, token_hash),
  foreign key (tenant_id, grant_id) references muniment_auth.oauth_grant on delete cascade
);
create index oauth_refresh_grant on muniment_auth.oauth_refresh (tenant_id, grant_id);  -- cascade
comment on table muniment_auth.oauth_refresh is 'Refresh tokens, by SHA-256. Each is used once; one that comes twice ends its grant.';

create table muniment_auth.oauth_device (
  tenant_id   bigint not null,
  device_hash bytea not null check (octet_length(device_hash) = 32),
  user_hash   bytea not null check (octet_length(user_hash) = 32),
  client_id   uuid not null,
  scopes      text[] not null,
  resource    text not null,
  state       text not null default 'pending' check (state in ('pending', 'approved', 'denied', 'used')),
  grant_id    uuid,
  expires_at  timestamptz not null,
  polled_at   timestamptz,
  primary key (tenant_id, device_hash),
  foreign key (tenant_id, client_id) references muniment_auth.oauth_client on delete cascade,
  foreign key (tenant_id, grant_id) references muniment_auth.oauth_grant on delete cascade
);
create index oauth_device_found on muniment_auth.oauth_device (user_hash);  -- resolve_user_code
create index oauth_device_client on muniment_auth.oauth_device (tenant_id, client_id);  -- cascade
create index oauth_device_grant on muniment_auth.oauth_device (tenant_id, grant_id);  -- cascade
comment on table muniment_auth.oauth_device is 'Device codes and what people type for them, by SHA-256.';

create table muniment_auth.session (
  tenant_id    bigint not null,
  session_hash bytea not null check (octet_length(session_hash) = 32),
  member_id    uuid not null,
  created_at   timestamptz not null default clock_timestamp(),
  expires_at   timestamptz not null,
  primary key (tenant_id, session_hash),
  foreign key (tenant_id, member_id) references muniment_auth.member on delete cascade
);
create index session_member on muniment_auth.session (tenant_id, member_id);  -- cascade
comment on table muniment_auth.session is 'Browsers in which a member is signed in, by the SHA-256 of the cookie.';

create table muniment_auth.signing_key (
  kid        text primary key,
  private    jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
comment on table muniment_auth.signing_key is 'Keys of this installation that sign access tokens (ES256, as JWK). The newest signs; a retired one is published until its last token has expired.';
