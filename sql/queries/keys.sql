-- name: insert
-- A new API key. Primary key.
insert into muniment_auth.credential (tenant_id, credential_id, prefix, secret_hash, label, scopes, expires_at)
values (:tenant, cast(:key as uuid), cast(:prefix as text), cast(:secret_hash as bytea), cast(:label as text),
        cast(:scopes as text[]), cast(:expires_at as timestamptz))
returning created_at;

-- name: resolve
-- Whose key this is; no row for one that is unknown, revoked or expired. Index credential_secret.
select tenant_id, tenant_public_id, credential_id, scopes
  from muniment_auth.resolve_credential(cast(:secret_hash as bytea));

-- name: touch
-- That a key was used, at most once a minute. Primary key.
update muniment_auth.credential
   set last_used_at = clock_timestamp()
 where tenant_id = :tenant and credential_id = cast(:key as uuid)
   and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute');

-- name: list
-- A tenant's keys, oldest first. Prefix of the primary key.
select credential_id, prefix, label, scopes, created_at, expires_at, revoked_at, last_used_at
  from muniment_auth.credential
 where tenant_id = :tenant
 order by credential_id;

-- name: revoke
-- Ends a key; revoked again it keeps the first time. Primary key.
update muniment_auth.credential
   set revoked_at = coalesce(revoked_at, clock_timestamp())
 where tenant_id = :tenant and credential_id = cast(:key as uuid)
returning secret_hash;
