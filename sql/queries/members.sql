-- name: insert
-- A new member; no row where the address is taken. Unique key.
insert into muniment_auth.member (tenant_id, member_id, email, password_hash, scopes, pin_project, pin_user, pin_agent)
values (:tenant, cast(:member as uuid), cast(:email as text), cast(:password_hash as text), cast(:scopes as text[]),
        cast(:pin_project as text), cast(:pin_user as text), cast(:pin_agent as text))
on conflict (tenant_id, email) do nothing
returning created_at;

-- name: list
-- A tenant's members, oldest first. Prefix of the primary key.
select member_id, email, password_hash is not null as has_password, scopes, pin_project, pin_user, pin_agent, state, created_at,
       signed_in_at
  from muniment_auth.member
 where tenant_id = :tenant
 order by member_id;

-- name: get
-- One member. Primary key.
select member_id, email, password_hash is not null as has_password, scopes, pin_project, pin_user, pin_agent, state, created_at,
       signed_in_at
  from muniment_auth.member
 where tenant_id = :tenant and member_id = cast(:member as uuid);

-- name: of_email
-- Who signs in with this address, and whether too many tries were wrong of late. Unique key.
select member_id, password_hash, state, locked_until is not null and locked_until > clock_timestamp() as locked
  from muniment_auth.member
 where tenant_id = :tenant and email = cast(:email as text);

-- name: failed
-- That a password was wrong: from the fifth in a row on the member waits, twice as long each time, a quarter of an hour at most.
-- Primary key.
update muniment_auth.member
   set failures = failures + 1,
       locked_until = case when failures >= 4
         then clock_timestamp() + make_interval(secs => least(900, 2 ^ least(failures - 3, 10)))
         end
 where tenant_id = :tenant and member_id = cast(:member as uuid);

-- name: signed_in
-- That the password was right. Primary key.
update muniment_auth.member
   set failures = 0, locked_until = null, signed_in_at = clock_timestamp(),
       password_hash = coalesce(cast(:password_hash as text), password_hash)
 where tenant_id = :tenant and member_id = cast(:member as uuid);

-- name: set_password
-- Another password. Primary key.
update muniment_auth.member
   set password_hash = cast(:password_hash as text), failures = 0, locked_until = null
 where tenant_id = :tenant and member_id = cast(:member as uuid)
returning member_id;

-- name: set_state
-- Suspends a member, or lets one in again. Primary key.
update muniment_auth.member
   set state = cast(:state as text)
 where tenant_id = :tenant and member_id = cast(:member as uuid)
returning member_id;

-- name: delete
-- A member with all sessions and grants. Primary key, then the indexes of the cascade.
delete from muniment_auth.member
 where tenant_id = :tenant and member_id = cast(:member as uuid)
returning email;

-- name: end_sessions
-- Signs a member out of every browser. Index session_member.
delete from muniment_auth.session where tenant_id = :tenant and member_id = cast(:member as uuid);

-- name: end_grants
-- Ends what a member granted. Index oauth_grant_member.
update muniment_auth.oauth_grant
   set revoked_at = clock_timestamp()
 where tenant_id = :tenant and member_id = cast(:member as uuid) and revoked_at is null;

-- name: open_session
-- A browser in which a member is signed in. Primary key.
insert into muniment_auth.session (tenant_id, session_hash, member_id, expires_at)
values (:tenant, cast(:session_hash as bytea), cast(:member as uuid),
        clock_timestamp() + make_interval(secs => cast(:seconds as double precision)));

-- name: of_session
-- The active member of a session. Primary keys.
select m.member_id, m.email, m.scopes, m.pin_project, m.pin_user, m.pin_agent
  from muniment_auth.session s
  join muniment_auth.member m
    on m.tenant_id = :tenant
   and m.member_id = s.member_id
 where s.tenant_id = :tenant
   and s.session_hash = cast(:session_hash as bytea)
   and s.expires_at > clock_timestamp()
   and m.state = 'active';

-- name: close_session
-- Signs a browser out. Primary key.
delete from muniment_auth.session where tenant_id = :tenant and session_hash = cast(:session_hash as bytea);

-- name: close_old_sessions
-- Takes away sessions that have expired. Index session_member.
delete from muniment_auth.session
 where tenant_id = :tenant and member_id = cast(:member as uuid) and expires_at < clock_timestamp();
