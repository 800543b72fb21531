-- Finding a tenant by its public id crosses tenants: created, and so run, as a role that may read the tenants and nothing else.
set local role muniment_resolver;

-- The number of the tenant of this public id, in whatever state; null where there is none. Crosses tenants. Reads all tenants.
create or replace function muniment_auth.tenant_numbered(_public_id uuid)
returns bigint language sql stable security definer set search_path = '' as $$
  select t.tenant_id
    from muniment_auth.tenant t
   where t.public_id = _public_id
   order by t.tenant_id
   limit 1;
$$;

revoke all on function muniment_auth.tenant_numbered(uuid) from public;
grant execute on function muniment_auth.tenant_numbered(uuid) to muniment_app;

set local role muniment_owner;
