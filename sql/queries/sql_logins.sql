-- name: create_role
-- The statement that makes the login, which takes no parameters; no row where it exists.
select format('create role %I login nosuperuser nobypassrls nocreatedb nocreaterole connection limit %s in role muniment_analyst',
              cast(:login as text), cast(:connections as integer))
 where not exists (select from pg_catalog.pg_roles where rolname = cast(:login as text));

-- name: role_defaults
-- The statements that set what a session of the login starts with.
select format('alter role %I set %I = %s', cast(:login as text), d.name, d.value)
  from (values ('statement_timeout', quote_literal(cast(:statement_timeout as text))),
               ('idle_in_transaction_session_timeout', '300000'),
               ('default_transaction_read_only', 'on'),
               ('search_path', 'muniment, analytics, public')) d (name, value);

-- name: may_become_app
-- Whether the administrator can act as the service role, under row-level security.
select pg_catalog.pg_has_role(current_user, 'muniment_app', 'set');

-- name: let_become_app
-- Since PostgreSQL 16 creating a role gives its creator the right to administer it, not to become it.
grant muniment_app to current_user;

-- name: become_app
-- From here on row-level security binds us.
set local role muniment_app;

-- name: map
-- Which tenant the login reads. Unique key; a second call changes nothing.
insert into muniment_auth.sql_login (tenant_id, login) values (:tenant, cast(:login as name))
on conflict (tenant_id, login) do nothing;
