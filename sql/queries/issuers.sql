-- name: insert
-- A new issuer; no row where the tenant has it already. Unique key.
insert into muniment_auth.external_issuer (tenant_id, issuer_id, url, scopes, scope_claim, user_claim, pin_project, pin_user, pin_agent)
values (:tenant, cast(:issuer as uuid), cast(:url as text), cast(:scopes as text[]), cast(:scope_claim as text),
        cast(:user_claim as text), cast(:pin_project as text), cast(:pin_user as text), cast(:pin_agent as text))
on conflict (tenant_id, url) do nothing
returning created_at;

-- name: list
-- A tenant's issuers, oldest first. Prefix of the primary key.
select issuer_id, url, scopes, scope_claim, user_claim, pin_project, pin_user, pin_agent, created_at
  from muniment_auth.external_issuer
 where tenant_id = :tenant
 order by issuer_id;

-- name: of_url
-- The tenant's issuer of this URL. Unique key.
select issuer_id, url, scopes, scope_claim, user_claim, pin_project, pin_user, pin_agent
  from muniment_auth.external_issuer
 where tenant_id = :tenant and url = cast(:url as text);

-- name: delete
-- An issuer. Primary key.
delete from muniment_auth.external_issuer
 where tenant_id = :tenant and issuer_id = cast(:issuer as uuid)
returning url;
