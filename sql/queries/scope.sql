-- name: open
-- Opens the scope of the transaction. No table.
select muniment_auth.open_scope(cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:timeout as integer));

-- name: snapshot
-- One moment for all statements of the transaction, and no writes. No table.
set transaction isolation level repeatable read, read only;
