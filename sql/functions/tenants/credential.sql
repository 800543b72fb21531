-- What crosses tenants to resolve an identity. Created, and so run, as a role that may read this and nothing else.
set local role muniment_resolver;

-- The live credential with this secret, or with this as its last before a rotation, with its tenant; at most one row. Crosses tenants,
-- hence its own owner. Two index look-ups.
create or replace function muniment_auth.resolve_credential(_secret_hash bytea)
returns table (
  tenant_id bigint, tenant_public_id uuid, credential_id uuid, scopes text[], pin_project text, pin_user text, pin_agent text)
language sql stable security definer set search_path = '' as $$
  select c.tenant_id, t.public_id, c.credential_id, c.scopes, c.pin_project, c.pin_user, c.pin_agent
    from (
      select n.*
        from muniment_auth.credential n
       where n.secret_hash = _secret_hash
      union all
      select o.*
        from muniment_auth.credential o
       where o.previous_hash = _secret_hash
         and o.previous_until > pg_catalog.now()
    ) c
    join muniment_auth.tenant t
      on t.tenant_id = c.tenant_id
   where c.revoked_at is null
     and (c.expires_at is null or c.expires_at > pg_catalog.now())
     and t.state = 'active'
   limit 1;
$$;

-- The active tenant that the session's login reads, else null. Reads session_user, which no SET changes. Two index look-ups.
create or replace function muniment_auth.login_tenant()
returns bigint language sql stable security definer set search_path = '' as $$
  select l.tenant_id
    from muniment_auth.sql_login l
    join muniment_auth.tenant t on t.tenant_id = l.tenant_id
   where l.login = session_user
     and (l.valid_until is null or l.valid_until > pg_catalog.clock_timestamp())
     and t.state = 'active';
$$;

-- The OAuth client of this id, with its tenant, while both are live; at most one row. Crosses tenants. Two index look-ups.
create or replace function muniment_auth.resolve_client(_client uuid)
returns table (
  tenant_id bigint, tenant_public_id uuid, tenant_name text, client_id uuid, secret_hash bytea, name text, redirect_uris text[],
  grant_types text[], scopes text[], auth_method text, pin_project text, pin_user text, pin_agent text)
language sql stable security definer set search_path = '' as $$
  select c.tenant_id, t.public_id, t.name, c.client_id, c.secret_hash, c.name, c.redirect_uris, c.grant_types, c.scopes,
         c.auth_method, c.pin_project, c.pin_user, c.pin_agent
    from muniment_auth.oauth_client c
    join muniment_auth.tenant t
      on t.tenant_id = c.tenant_id
   where c.client_id = _client
     and c.revoked_at is null
     and t.state = 'active'
   limit 1;
$$;

-- The grant of this id, while it, its client, its member and its tenant are live; at most one row. Crosses tenants. Four index look-ups.
create or replace function muniment_auth.resolve_grant(_grant uuid)
returns table (
  tenant_id bigint, tenant_public_id uuid, client_id uuid, member_id uuid, scopes text[], resource text, pin_project text,
  pin_user text, pin_agent text)
language sql stable security definer set search_path = '' as $$
  select g.tenant_id, t.public_id, g.client_id, g.member_id, g.scopes, g.resource, g.pin_project, g.pin_user, g.pin_agent
    from muniment_auth.oauth_grant g
    join muniment_auth.tenant t
      on t.tenant_id = g.tenant_id
    join muniment_auth.oauth_client c
      on c.tenant_id = g.tenant_id
     and c.client_id = g.client_id
    left join muniment_auth.member m
      on m.tenant_id = g.tenant_id
     and m.member_id = g.member_id
   where g.grant_id = _grant
     and g.revoked_at is null
     and g.expires_at > pg_catalog.now()
     and c.revoked_at is null
     and (g.member_id is null or m.state = 'active')
     and t.state = 'active'
   limit 1;
$$;

-- Whose device code people type this for, while it waits; at most one row. Crosses tenants. Two index look-ups.
create or replace function muniment_auth.resolve_user_code(_user_hash bytea)
returns table (tenant_id bigint, client_id uuid)
language sql stable security definer set search_path = '' as $$
  select d.tenant_id, d.client_id
    from muniment_auth.oauth_device d
    join muniment_auth.tenant t
      on t.tenant_id = d.tenant_id
   where d.user_hash = _user_hash
     and d.state = 'pending'
     and d.expires_at > pg_catalog.now()
     and t.state = 'active'
   limit 1;
$$;

-- Every tenant, or the one of this public id, for who administers the installation. Crosses tenants. Reads the tenants once.
create or replace function muniment_auth.tenants(_public_id uuid)
returns table (tenant_id bigint, public_id uuid, name text, state text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.tenant_id, t.public_id, t.name, t.state, t.created_at
    from muniment_auth.tenant t
   where _public_id is null or t.public_id = _public_id
   order by t.tenant_id;
$$;

revoke all on function muniment_auth.resolve_credential(bytea), muniment_auth.login_tenant(), muniment_auth.resolve_client(uuid),
                       muniment_auth.resolve_grant(uuid), muniment_auth.resolve_user_code(bytea), muniment_auth.tenants(uuid)
  from public;
grant execute on function muniment_auth.resolve_credential(bytea), muniment_auth.resolve_client(uuid),
                          muniment_auth.resolve_grant(uuid), muniment_auth.resolve_user_code(bytea), muniment_auth.tenants(uuid)
  to muniment_app;
grant execute on function muniment_auth.login_tenant() to muniment_analyst;

set local role muniment_owner;
