-- name: create_role
-- The statement that makes the login, which takes no parameters; no row where it exists. It may not become the group: that would
-- let it change what the group starts with.
select format('create role %I login nosuperuser nobypassrls nocreatedb nocreaterole noreplication connection limit %s',
              cast(:login as text), cast(:connections as integer))
 where not exists (select from pg_catalog.pg_roles where rolname = cast(:login as text));

-- name: memberships
-- The statements that give the login what analysts read, and the watchdog a hold on it.
select format(s.form, cast(:login as text))
  from (values (1, 'grant muniment_analyst to %I with inherit true, set false'),
               (2, 'grant %I to muniment_watchdog with inherit true, set false')) s (place, form)
 order by s.place;

-- name: role_defaults
-- The statements that set what a session of the login starts with. All but the size of its files it can set otherwise.
select format('alter role %I set %I = %s', cast(:login as text), d.name, d.value)
  from (values ('statement_timeout', quote_literal(cast(:statement_timeout as text))),
               ('idle_in_transaction_session_timeout', '300000'),
               ('default_transaction_read_only', 'on'),
               ('search_path', 'muniment, analytics, public'),
               ('temp_file_limit', quote_literal('1GB'))) d (name, value)
 where d.name <> 'temp_file_limit'
    or pg_catalog.has_parameter_privilege(current_user, d.name, 'set');

-- name: set_password
-- The statement that sets the login's password, given as a verifier, and until when it opens anything; 'infinity': for ever.
select format('alter role %I password %L valid until %L', cast(:login as text), cast(:verifier as text),
              coalesce(cast(:valid_until as timestamptz), 'infinity'));

-- name: drop_role
-- The statements that drop the login, with what it may have defined of its own: default privileges.
select format(s.form, cast(:login as text), current_user)
  from (values (1, 'grant %1$I to %2$I with inherit true'), (2, 'drop owned by %1$I'), (3, 'drop role %1$I')) s (place, form)
  join pg_catalog.pg_roles r
    on r.rolname = cast(:login as text)
 where s.place > 1
    or not pg_catalog.pg_has_role(current_user, cast(:login as text), 'usage')
 order by s.place;

-- name: may_become_app
-- Whether the administrator can act as the service role, under row-level security.
select pg_catalog.pg_has_role(current_user, 'muniment_app', 'set');

-- name: let_become_app
-- Since PostgreSQL 16 creating a role gives its creator the right to administer it, not to become it.
grant muniment_app to current_user;

-- name: become_app
-- From here on row-level security binds us.
set local role muniment_app;

-- name: become_administrator
-- And from here on it is who connected that acts.
reset role;

-- name: count
-- How many logins the tenant has. Primary key.
select count(*) from muniment_auth.sql_login where tenant_id = :tenant;

-- name: map
-- Which tenant the login reads. Unique key; a second call changes nothing.
insert into muniment_auth.sql_login (tenant_id, login, label, connections, valid_until)
values (:tenant, cast(:login as name), cast(:label as text), cast(:connections as integer), cast(:valid_until as timestamptz))
on conflict (tenant_id, login) do nothing;

-- name: list
-- The tenant's logins, oldest first. Primary key.
select login::text as name, label, connections, created_at, valid_until, rotated_at
  from muniment_auth.sql_login
 where tenant_id = :tenant
 order by created_at, login;

-- name: rotate
-- Notes that a login has another password, and until when; no row where there is no such login. Primary key.
update muniment_auth.sql_login
   set rotated_at = clock_timestamp(),
       valid_until = case when cast(:keep as boolean) then valid_until else cast(:valid_until as timestamptz) end
 where tenant_id = :tenant
   and login = cast(:login as name)
returning login::text as name, label, connections, created_at, valid_until, rotated_at;

-- name: unmap
-- Ends what the login reads; no row where there is no such login. Primary key.
delete from muniment_auth.sql_login
 where tenant_id = :tenant
   and login = cast(:login as name)
returning login::text;

-- name: end_sessions
-- Ends what is connected as the login; how many. Reads no table but by the primary key.
select muniment_auth.end_sessions(cast(:login as text));

-- name: end_overruns
-- Ends what logins do for too long. One row a session that was ended.
select login, reason, seconds from muniment_auth.end_overruns(cast(:statement as double precision), cast(:transaction as double precision));

-- name: gaps
-- What the server lets SQL logins do although it should not, each by its name in the documentation. Catalogs alone.
select g.name
  from (values
    ('definitions', not exists (select from pg_catalog.pg_event_trigger where evtname = 'muniment_refuse_definitions' and evtenabled <> 'D')),
    ('advisory_locks', has_function_privilege('muniment_analyst', 'pg_catalog.pg_advisory_lock(bigint)', 'execute')),
    ('large_objects', has_function_privilege('muniment_analyst', 'pg_catalog.lo_create(oid)', 'execute')),
    ('notifications', has_function_privilege('muniment_analyst', 'pg_catalog.pg_notify(text, text)', 'execute')),
    ('log_messages', has_function_privilege('muniment_analyst', 'pg_catalog.pg_logical_emit_message(boolean, text, text, boolean)', 'execute')),
    ('statistics', has_table_privilege('muniment_analyst', 'pg_catalog.pg_stat_user_tables', 'select')
       or has_function_privilege('muniment_analyst', 'pg_catalog.pg_stat_get_live_tuples(oid)', 'execute')),
    ('blocks', has_language_privilege('muniment_analyst', 'plpgsql', 'usage')),
    ('temporary_tables', has_database_privilege('muniment_analyst', current_database(), 'temporary')),
    ('temporary_files', current_setting('temp_file_limit') = '-1' and exists (
       select from pg_catalog.pg_roles r
        where r.rolname like 'muniment\_sql\_%' and coalesce(r.rolconfig::text, '') not like '%temp\_file\_limit=%')),
    ('prepared_transactions', current_setting('max_prepared_transactions')::integer > 0),
    ('activity', current_setting('track_activities') = 'off'),
    ('foreign_data', exists (select from pg_catalog.pg_extension where extname in ('dblink', 'postgres_fdw', 'file_fdw', 'adminpack'))),
    ('other_databases', exists (
       select from pg_catalog.pg_database d
        where d.datallowconn and d.datname <> current_database() and has_database_privilege('muniment_analyst', d.oid, 'connect')))
  ) g (name, open)
 where g.open;
