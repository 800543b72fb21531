-- What computes the operators' dashboards anew. Created, and so run, as the role that owns them.
set local role muniment_reporter;

-- Computes the materialized views of the schema ops anew. Reads what they count of all tenants; nobody reads a view while it is filled.
create or replace function ops.refresh()
returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  refresh materialized view ops.tenants;
  refresh materialized view ops.usage;
  refresh materialized view ops.claims;
  refresh materialized view ops.groups;
  refresh materialized view ops.freshness;
end $$;

revoke all on function ops.refresh() from public;
grant execute on function ops.refresh() to muniment_app;

set local role muniment_owner;
