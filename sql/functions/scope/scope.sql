-- Opens the scope of this transaction: one tenant, its spaces if the credential is pinned, a statement timeout. Constant cost.
create or replace function muniment_auth.open_scope(_tenant bigint, _spaces bigint[], _timeout_ms integer)
returns void language sql volatile security invoker set search_path = '' as $$
  select pg_catalog.set_config('muniment.tenant_id', _tenant::text, true),
         pg_catalog.set_config('muniment.spaces', coalesce(_spaces::text, '*'), true),
         pg_catalog.set_config('statement_timeout', _timeout_ms::text, true);
$$;

-- Opens a scope that is pinned to a namespace: of its tenant the spaces alone that agree in each field that is not null, and of these
-- only _spaces where given. Returns them, the namespace's own first. Reads a prefix of the tenant's spaces.
create or replace function muniment_auth.open_pinned_scope(
  _tenant bigint, _spaces bigint[], _timeout_ms integer, _project text, _user text, _agent text)
returns bigint[] language plpgsql volatile security invoker set search_path = '' as $$
declare
  _pinned bigint[];
begin
  perform muniment_auth.open_scope(_tenant, null, _timeout_ms);
  _pinned := array(
    select s.space_id
      from muniment.space s
     where s.tenant_id = _tenant
       and (_project is null or s.project_id = _project)
       and (_user is null or s.user_id = _user)
       and (_agent is null or s.agent_id = _agent)
       and (_spaces is null or s.space_id = any (_spaces))
     order by s.project_id is distinct from _project,
              s.user_id is distinct from _user,
              s.agent_id is distinct from _agent,
              s.space_id);
  perform muniment_auth.open_scope(_tenant, _pinned, _timeout_ms);
  return _pinned;
end $$;

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
