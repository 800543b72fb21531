-- Opens the scope of this transaction: one tenant, its spaces if the credential is pinned, a statement timeout. Constant cost.
create or replace function muniment_auth.open_scope(_tenant bigint, _spaces bigint[], _timeout_ms integer)
returns void language sql volatile security invoker set search_path = '' as $$
  select pg_catalog.set_config('muniment.tenant_id', _tenant::text, true),
         pg_catalog.set_config('muniment.spaces', coalesce(_spaces::text, '*'), true),
         pg_catalog.set_config('statement_timeout', _timeout_ms::text, true);
$$;

-- The tenant of the open scope, null where none is open. Constant cost.
create or replace function muniment_auth.scope_tenant()
returns bigint language sql stable security invoker set search_path = '' as $$
  select nullif(pg_catalog.current_setting('muniment.tenant_id', true), '')::bigint;
$$;

-- Whether the open scope sees all spaces of its tenant. Constant cost.
create or replace function muniment_auth.scope_whole()
returns boolean language sql stable security invoker set search_path = '' as $$
  select pg_catalog.current_setting('muniment.spaces', true) = '*';
$$;

-- The spaces that the open scope is pinned to; none where it is not pinned. Linear in their number.
create or replace function muniment_auth.scope_spaces()
returns setof bigint language sql stable security invoker set search_path = '' as $$
  select unnest(nullif(nullif(pg_catalog.current_setting('muniment.spaces', true), ''), '*')::bigint[]);
$$;
