-- name: versions
-- By which versions what is derived was derived. Prefix of the primary key.
select d.name, d.version from muniment.derivation d where d.tenant_id = :tenant;

-- name: set_version
-- That something is derived by a version from now on. Primary key.
insert into muniment.derivation as d (tenant_id, name, version)
values (cast(:tenant as bigint), cast(:name as text), cast(:version as text))
on conflict (tenant_id, name) do update
   set version = excluded.version, at = clock_timestamp()
 where d.version <> excluded.version;
