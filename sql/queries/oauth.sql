-- name: insert_grant
-- What a client is granted. Primary key.
insert into muniment_auth.oauth_grant (tenant_id, grant_id, client_id, member_id, scopes, resource, pin_project, pin_user, pin_agent,
                                       expires_at)
values (:tenant, cast(:grant as uuid), cast(:client as uuid), cast(:member as uuid), cast(:scopes as text[]),
        cast(:resource as text), cast(:pin_project as text), cast(:pin_user as text), cast(:pin_agent as text),
        clock_timestamp() + make_interval(secs => cast(:seconds as double precision)));

-- name: tidy
-- Takes away grants that expired more than a day ago, with their codes and tokens: a code that comes again in that time still ends
-- what was made of it. Index oauth_grant_expiry.
delete from muniment_auth.oauth_grant
 where tenant_id = :tenant and expires_at < now() - interval '1 day';

-- name: tidy_devices
-- Takes away device codes of a client that expired more than a day ago. Index oauth_device_client.
delete from muniment_auth.oauth_device
 where tenant_id = :tenant and client_id = cast(:client as uuid) and expires_at < clock_timestamp() - interval '1 day';

-- name: resolve_grant
-- A live grant with its tenant. Index oauth_grant_found.
select tenant_id, tenant_public_id, client_id, member_id, scopes, resource, pin_project, pin_user, pin_agent
  from muniment_auth.resolve_grant(cast(:grant as uuid));

-- name: revoke_grant
-- Ends a grant, and so every token that names it. Primary key.
update muniment_auth.oauth_grant
   set revoked_at = clock_timestamp()
 where tenant_id = :tenant and grant_id = cast(:grant as uuid) and revoked_at is null
returning grant_id;

-- name: insert_code
-- An authorization code. Primary key.
insert into muniment_auth.oauth_code (tenant_id, code_hash, grant_id, redirect_uri, challenge, expires_at)
values (:tenant, cast(:code_hash as bytea), cast(:grant as uuid), cast(:redirect_uri as text), cast(:challenge as text),
        clock_timestamp() + make_interval(secs => cast(:seconds as double precision)));

-- name: use_code
-- Uses an authorization code of a client, once: two at the same time wait for each other. Primary keys.
update muniment_auth.oauth_code c
   set used_at = clock_timestamp()
  from muniment_auth.oauth_grant g
 where c.tenant_id = :tenant
   and c.code_hash = cast(:code_hash as bytea)
   and c.used_at is null
   and c.expires_at > clock_timestamp()
   and g.tenant_id = :tenant
   and g.grant_id = c.grant_id
   and g.client_id = cast(:client as uuid)
   and g.revoked_at is null
returning c.redirect_uri, c.challenge, g.grant_id, g.member_id, g.scopes, g.resource, g.pin_project, g.pin_user, g.pin_agent;

-- name: grant_of_used_code
-- The grant of a code that was used before, whoever brings it. Primary key.
select grant_id from muniment_auth.oauth_code
 where tenant_id = :tenant and code_hash = cast(:code_hash as bytea) and used_at is not null;

-- name: insert_refresh
-- A refresh token. Primary key.
insert into muniment_auth.oauth_refresh (tenant_id, token_hash, grant_id, expires_at)
values (:tenant, cast(:token_hash as bytea), cast(:grant as uuid),
        clock_timestamp() + make_interval(secs => cast(:seconds as double precision)));

-- name: extend_grant
-- A grant lives as long as its last refresh token. Primary key.
update muniment_auth.oauth_grant
   set expires_at = greatest(expires_at, clock_timestamp() + make_interval(secs => cast(:seconds as double precision)))
 where tenant_id = :tenant and grant_id = cast(:grant as uuid);

-- name: refresh
-- A refresh token with its grant, used or not. Primary keys.
select r.used_at is not null as used, r.expires_at > clock_timestamp() as live, g.revoked_at is not null as revoked, g.grant_id,
       g.client_id, g.member_id, g.scopes, g.resource, g.pin_project, g.pin_user, g.pin_agent, r.expires_at,
       g.member_id is null or exists (
         select from muniment_auth.member m
          where m.tenant_id = :tenant and m.member_id = g.member_id and m.state = 'active') as member_active
  from muniment_auth.oauth_refresh r
  join muniment_auth.oauth_grant g
    on g.tenant_id = :tenant
   and g.grant_id = r.grant_id
 where r.tenant_id = :tenant
   and r.token_hash = cast(:token_hash as bytea);

-- name: use_refresh
-- Uses a refresh token, once: two at the same time wait for each other. Primary key.
update muniment_auth.oauth_refresh
   set used_at = clock_timestamp()
 where tenant_id = :tenant and token_hash = cast(:token_hash as bytea) and used_at is null and expires_at > clock_timestamp()
returning grant_id;

-- name: insert_device
-- A device code. Primary key.
insert into muniment_auth.oauth_device (tenant_id, device_hash, user_hash, client_id, scopes, resource, expires_at)
values (:tenant, cast(:device_hash as bytea), cast(:user_hash as bytea), cast(:client as uuid), cast(:scopes as text[]),
        cast(:resource as text), clock_timestamp() + make_interval(secs => cast(:seconds as double precision)));

-- name: device
-- A device code with its grant, if it has one; notes that it was asked about, and says how long after the last time. Primary keys.
with before as (
  select device_hash, polled_at from muniment_auth.oauth_device
   where tenant_id = :tenant and device_hash = cast(:device_hash as bytea)
   for update
)
update muniment_auth.oauth_device d
   set polled_at = clock_timestamp()
  from before b
 where d.tenant_id = :tenant
   and d.device_hash = b.device_hash
returning d.client_id, d.state, d.scopes, d.resource, d.grant_id, d.expires_at <= clock_timestamp() as expired,
          extract(epoch from clock_timestamp() - b.polled_at)::double precision as since;

-- name: grant
-- A grant that is not revoked. Primary key.
select grant_id, client_id, member_id, scopes, resource, pin_project, pin_user, pin_agent
  from muniment_auth.oauth_grant
 where tenant_id = :tenant and grant_id = cast(:grant as uuid) and revoked_at is null;

-- name: use_device
-- Uses an approved device code, once. Primary key.
update muniment_auth.oauth_device
   set state = 'used'
 where tenant_id = :tenant and device_hash = cast(:device_hash as bytea) and state = 'approved'
returning grant_id;

-- name: resolve_user_code
-- Whose device code people type this for. Index oauth_device_found.
select tenant_id, client_id from muniment_auth.resolve_user_code(cast(:user_hash as bytea));

-- name: waiting_device
-- The device code that people type this for, locked until the transaction ends. Index oauth_device_client.
select device_hash, scopes, resource
  from muniment_auth.oauth_device
 where tenant_id = :tenant
   and client_id = cast(:client as uuid)
   and user_hash = cast(:user_hash as bytea)
   and state = 'pending'
   and expires_at > clock_timestamp()
   for update;

-- name: decide_device
-- What a member says to a device. Primary key.
update muniment_auth.oauth_device
   set state = cast(:state as text), grant_id = cast(:grant as uuid)
 where tenant_id = :tenant and device_hash = cast(:device_hash as bytea) and state = 'pending'
returning device_hash;

-- name: signing_keys
-- All keys that are published, the newest first. A few rows.
select kid, private, created_at, retired_at is not null as retired from muniment_auth.signing_key order by created_at desc, kid;

-- name: lock_signing_keys
-- One process at a time makes a key. No table.
select pg_advisory_xact_lock(hashtext('muniment_auth.signing_key'));

-- name: insert_signing_key
-- A new key, which signs from now on. Primary key.
insert into muniment_auth.signing_key (kid, private) values (cast(:kid as text), cast(:private as jsonb));

-- name: retire_signing_keys
-- Those before it sign no more, and are published until their last token has expired. A few rows.
update muniment_auth.signing_key set retired_at = clock_timestamp() where kid <> cast(:kid as text) and retired_at is null;

-- name: delete_signing_keys
-- Takes away keys whose last token has expired. A few rows.
delete from muniment_auth.signing_key
 where retired_at < clock_timestamp() - make_interval(secs => cast(:seconds as double precision));
