-- name: next_number
-- The number of a new tenant. Sequence.
select nextval('muniment_auth.tenant_number');

-- name: insert
-- Primary key.
insert into muniment_auth.tenant (tenant_id, public_id, name) values (:tenant, :public_id, :name);

-- name: insert_head
-- The end of the new tenant's empty log. Primary key.
insert into muniment.log_head (tenant_id) values (:tenant);

-- name: default_number
-- One row.
select default_tenant_no from muniment_auth.instance;

-- name: set_default
-- The first to say so wins. One row.
update muniment_auth.instance set default_tenant_no = :number where default_tenant_no is null;

-- name: public_id
-- Primary key.
select public_id from muniment_auth.tenant where tenant_id = :tenant;

-- name: all
-- Every tenant, or the one of a public id. One row a tenant.
select tenant_id, public_id, name, state, created_at from muniment_auth.tenants(cast(:public_id as uuid));

-- name: about
-- The scope's tenant. Primary key.
select public_id, name, state, created_at, changed_at from muniment_auth.tenant where tenant_id = :tenant;

-- name: set_state
-- Suspends the scope's tenant, or lets it go on. Primary key.
update muniment_auth.tenant set state = cast(:state as text), changed_at = clock_timestamp() where tenant_id = :tenant and state <> 'deleted' returning state;
