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
     and t.state = 'active';
$$;

revoke all on function muniment_auth.resolve_credential(bytea), muniment_auth.login_tenant() from public;
grant execute on function muniment_auth.resolve_credential(bytea) to muniment_app;
grant execute on function muniment_auth.login_tenant() to muniment_analyst;

set local role muniment_owner;
