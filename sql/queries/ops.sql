-- name: refresh
-- Computes the operators' dashboards anew: across tenants, as a role of its own.
select ops.refresh();
