-- name: open
-- Opens the scope of the transaction. No table.
select muniment_auth.open_scope(cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:timeout as integer));

-- name: open_pinned
-- Opens the scope of the transaction for a credential that is pinned to a namespace, and returns its spaces. Prefix of the unique
-- key of spaces.
select muniment_auth.open_pinned_scope(cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:timeout as integer),
                                       cast(:project as text), cast(:user as text), cast(:agent as text));

-- name: ping
-- Begins a transaction that has no scope, and tells whether the server is there. No table.
select 1;

-- name: limit
-- Bounds each statement that follows in the transaction. No table.
select set_config('statement_timeout', cast(cast(:milliseconds as integer) as text), true);

-- name: guard
-- A point to go back to where a statement runs out of time, so that what was found before it is kept. No table.
savepoint guarded;

-- name: recover
-- Back to that point, which stays. No table.
rollback to savepoint guarded;

-- name: snapshot
-- One moment for all statements of the transaction, and no writes. No table.
set transaction isolation level repeatable read, read only;

-- name: forget_plans
-- Lets this session plan anew, by the tables as they are now. Plans are kept for long, and one that was made while a table
-- was all but empty reads a tenant's whole index where it could read one row: each check of a foreign key in a large write
-- then costs as much as the write itself. No table.
discard plans;
