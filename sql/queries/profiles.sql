-- name: current
-- The version in force of the tenant's profile of this name. Primary key, backwards.
select name, version, base, changes, digest, created_at
  from muniment.retrieval_profile
 where tenant_id = :tenant
   and name = cast(:name as text)
 order by version desc
 limit 1;

-- name: version
-- One version of a profile. Primary key.
select name, version, base, changes, digest, created_at
  from muniment.retrieval_profile
 where tenant_id = :tenant
   and name = cast(:name as text)
   and version = cast(:version as integer);

-- name: list
-- The version in force of each of the tenant's profiles. Primary key.
select distinct on (p.name) p.name, p.version, p.base, p.changes, p.digest, p.created_at
  from muniment.retrieval_profile p
 where p.tenant_id = :tenant
 order by p.name, p.version desc;

-- name: insert
-- A new version; nothing where another write took its number at the same time. Primary key.
insert into muniment.retrieval_profile (tenant_id, name, version, base, changes, digest)
values (cast(:tenant as bigint), cast(:name as text), cast(:version as integer), cast(:base as text), cast(:changes as jsonb),
        cast(:digest as text))
    on conflict (tenant_id, name, version) do nothing
returning name, version, base, changes, digest, created_at;
