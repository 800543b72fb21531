-- name: insert
-- A new API key. Primary key.
insert into muniment_auth.credential (tenant_id, credential_id, prefix, secret_hash, label, scopes, expires_at, pin_project,
                                      pin_user, pin_agent)
values (:tenant, cast(:key as uuid), cast(:prefix as text), cast(:secret_hash as bytea), cast(:label as text),
        cast(:scopes as text[]), cast(:expires_at as timestamptz), cast(:pin_project as text), cast(:pin_user as text),
        cast(:pin_agent as text))
returning created_at;

-- name: resolve
-- Whose key this is; no row for one that is unknown, revoked or expired. Indexes credential_secret and credential_previous.
select tenant_id, tenant_public_id, credential_id, scopes, pin_project, pin_user, pin_agent
  from muniment_auth.resolve_credential(cast(:secret_hash as bytea));

-- name: touch
-- That a key was used, at most once a minute. Primary key.
update muniment_auth.credential
   set last_used_at = clock_timestamp()
 where tenant_id = :tenant and credential_id = cast(:key as uuid)
   and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute');

-- name: list
-- A tenant's keys, oldest first. Prefix of the primary key.
select credential_id, prefix, label, scopes, created_at, expires_at, revoked_at, last_used_at, previous_until, pin_project, pin_user,
       pin_agent
  from muniment_auth.credential
 where tenant_id = :tenant
 order by credential_id;

-- name: get
-- One key. Primary key.
select credential_id, prefix, label, scopes, created_at, expires_at, revoked_at, last_used_at, previous_until, pin_project, pin_user,
       pin_agent
  from muniment_auth.credential
 where tenant_id = :tenant and credential_id = cast(:key as uuid);

-- name: rotate
-- A new secret; the one that it takes the place of works for some seconds more. No row for a key that is not usable. Primary key.
update muniment_auth.credential c
   set prefix = cast(:prefix as text),
       previous_hash = c.secret_hash,
       previous_until = clock_timestamp() + make_interval(secs => cast(:grace as double precision)),
       secret_hash = cast(:secret_hash as bytea)
 where c.tenant_id = :tenant and c.credential_id = cast(:key as uuid)
   and c.revoked_at is null
   and (c.expires_at is null or c.expires_at > clock_timestamp())
returning c.previous_hash;

-- name: revoke
-- Ends a key; revoked again it keeps the first time. Primary key.
update muniment_auth.credential
   set revoked_at = coalesce(revoked_at, clock_timestamp())
 where tenant_id = :tenant and credential_id = cast(:key as uuid)
returning secret_hash, previous_hash;
