-- name: find
-- The space of exactly this namespace. Unique key, which "is not distinct from" could not use; of each pair the planner
-- leaves one half.
select space_id from muniment.space
 where tenant_id = :tenant
   and (project_id = cast(:project as text) or (cast(:project as text) is null and project_id is null))
   and (user_id = cast(:user as text) or (cast(:user as text) is null and user_id is null))
   and (agent_id = cast(:agent as text) or (cast(:agent as text) is null and agent_id is null));

-- name: insert
-- A new space; another writer may have been first. Unique key.
insert into muniment.space (tenant_id, space_id, project_id, user_id, agent_id)
values (:tenant, :space, :project, :user, :agent)
on conflict (tenant_id, project_id, user_id, agent_id) do nothing;

-- name: visible
-- The spaces that agree in each named field, and with :shared those of the project without a user. Prefix of the unique key.
select space_id from muniment.space
 where tenant_id = :tenant
   and (cast(:project as text) is null or project_id = cast(:project as text))
   and (cast(:user as text) is null or user_id = cast(:user as text)
        or (cast(:shared as boolean) and user_id is null))
   and (cast(:agent as text) is null or agent_id = cast(:agent as text)
        or (cast(:shared as boolean) and user_id is null and agent_id is null))
 order by space_id;
