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
-- Primary key.
select checksum from muniment.applied_files;

-- name: write_applied
-- Primary key.
insert into muniment.applied_files (singleton, checksum) values (true, :checksum)
on conflict (singleton) do update set checksum = excluded.checksum;

-- name: skip_body_checks
-- Functions may name functions of files that are applied later.
set local check_function_bodies = off;

-- name: role_facts
-- Who we are, and what the role may: for the guards.
select current_user::text as name, r.rolsuper, r.rolbypassrls, r.rolcreaterole,
       pg_catalog.current_setting('server_version_num')::integer as server_version,
       exists (select from pg_roles o where o.rolname = 'muniment_owner' and pg_has_role(current_user, o.oid, 'member')) as owns
  from pg_roles r
 where r.rolname = current_user;

-- name: vector_version
-- The installed pgvector, or the one that could be installed.
select coalesce(installed_version, default_version) from pg_available_extensions where name = 'vector';

-- name: schema_state
-- What the set-up left: the newest migration and the checksum of the applied files.
select v.version_num, a.checksum from muniment.alembic_version v, muniment.applied_files a;
