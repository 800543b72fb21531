create table muniment_auth.external_issuer (
  tenant_id    bigint not null references muniment_auth.tenant (tenant_id),
  issuer_id    uuid not null,
  url          text not null,
  scopes       text[] not null,
  scope_claim  text not null,
  user_claim   text,
  pin_project  text,
  pin_user     text,
  pin_agent    text,
  created_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, issuer_id),
  unique (tenant_id, url),
  constraint external_issuer_scopes
  check (scopes <@ array['memory:read', 'memory:write', 'memory:erase', 'query:read', 'tenant:admin', 'ops:read'])
);
comment on table muniment_auth.external_issuer is 'OIDC providers of a tenant, and how the claims of their access tokens become scopes and a pin.';
