-- name: insert
-- A new client. Primary key.
insert into muniment_auth.oauth_client (tenant_id, client_id, secret_hash, name, redirect_uris, grant_types, scopes, auth_method,
                                        pin_project, pin_user, pin_agent)
values (:tenant, cast(:client as uuid), cast(:secret_hash as bytea), cast(:name as text), cast(:redirect_uris as text[]),
        cast(:grant_types as text[]), cast(:scopes as text[]), cast(:auth_method as text), cast(:pin_project as text),
        cast(:pin_user as text), cast(:pin_agent as text))
returning created_at;

-- name: list
-- A tenant's clients, oldest first. Prefix of the primary key.
select client_id, name, redirect_uris, grant_types, scopes, auth_method, pin_project, pin_user, pin_agent, created_at, revoked_at
  from muniment_auth.oauth_client
 where tenant_id = :tenant
 order by client_id;

-- name: resolve
-- Whose client this is; no row for one that is unknown or revoked. Index oauth_client_found.
select tenant_id, tenant_public_id, tenant_name, client_id, secret_hash, name, redirect_uris, grant_types, scopes, auth_method,
       pin_project, pin_user, pin_agent
  from muniment_auth.resolve_client(cast(:client as uuid));

-- name: set_secret
-- Another secret of a client that has one. Primary key.
update muniment_auth.oauth_client
   set secret_hash = cast(:secret_hash as bytea)
 where tenant_id = :tenant and client_id = cast(:client as uuid) and secret_hash is not null and revoked_at is null
returning client_id;

-- name: revoke
-- Ends a client, and by that all that was granted to it. Primary key.
update muniment_auth.oauth_client
   set revoked_at = coalesce(revoked_at, clock_timestamp())
 where tenant_id = :tenant and client_id = cast(:client as uuid)
returning name;
