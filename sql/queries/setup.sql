-- name: lock_setup
-- Serialises concurrent starts until the set-up transaction ends.
select pg_advisory_xact_lock(7021913358);

-- name: bound_waits
-- A set-up that meets a long transaction gives up rather than queue everybody else behind it.
select set_config('lock_timeout', :wait, true);

-- name: become_owner
-- What is created from here on belongs to muniment_owner.
set local role muniment_owner;

-- name: create_applied
-- Where the checksum of the functions, views and policies in force is kept.
create table if not exists muniment.applied_files (
  singleton boolean not null primary key default true check (singleton),
  checksum  text not null
);

-- name: read_applied
-- Primary key. None where the policies of SQL logins are gone, so that they are made again: on a server where nothing can keep a login
-- from dropping them.
select a.checksum
  from muniment.applied_files a
 where exists (select from pg_catalog.pg_policies where schemaname = 'muniment' and tablename = 'record' and policyname = 'analyst');

-- name: write_applied
-- Primary key.
insert into muniment.applied_files (singleton, checksum) values (true, :checksum)
on conflict (singleton) do update set checksum = excluded.checksum;

-- name: skip_body_checks
-- Functions may name functions of files that are applied later.
set local check_function_bodies = off;

-- name: role_facts
-- Who we are and what we may, counting also the role that the session began as: for the guards.
with ours as (
  select r.oid, r.rolname, r.rolsuper, r.rolbypassrls,
         r.rolname in ('muniment_owner', 'muniment_resolver', 'muniment_dispatcher', 'muniment_eraser', 'muniment_watchdog',
                       'muniment_reporter') as owns
    from pg_catalog.pg_roles r)
select current_user::text as name,
       current_setting('server_version_num')::integer as server_version,
       bool_or(me.rolsuper) as superuser,
       bool_or(me.rolbypassrls) as bypasses,
       bool_or(me.owns) or bool_or(o.owns) as owns,
       bool_or(o.rolsuper or o.rolbypassrls) as becomes
  from ours me
  left join ours o on o.oid <> me.oid and pg_has_role(me.oid, o.oid, 'member')
 where me.rolname in (current_user, session_user);

-- name: vector_version
-- The installed pgvector, or the one that would be installed.
select coalesce(installed_version, default_version) from pg_available_extensions where name = 'vector';

-- name: schema_state
-- What the set-up left: the newest migration and the checksum of the applied files.
select v.version_num, a.checksum from muniment.alembic_version v, muniment.applied_files a;

-- name: close_other_databases
-- The statements that keep SQL logins out of the other databases of a server that is ours alone.
select format('revoke connect on database %I from public', d.datname)
  from pg_catalog.pg_database d
 where d.datname in ('postgres', 'template1')
   and has_database_privilege('public', d.oid, 'connect');
