-- name: open
-- Opens the scope of the transaction. No table.
select muniment_auth.open_scope(cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:timeout as integer));
