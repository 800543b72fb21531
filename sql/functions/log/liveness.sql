-- From which commit to which each record counts, as the log's entries say: what muniment.liveness must hold. Reads all entries.
-- A close ends its record; a version ends what was live of the version that it archives. The first end after the beginning counts,
-- those of a commit that was undone aside; a correction ends where the commit that brought it was undone.
create or replace function muniment.liveness_of_log(_tenant bigint)
returns table (record_no bigint, space_id bigint, group_no bigint, "position" integer, live_from_commit bigint, live_to_commit bigint)
language sql stable security invoker set search_path = '' as $$
  with archiving as (
    select e.commit_no,
           case when e.detail ->> 'source' ~ '^s_[0-9a-f]{32}$' then substr(e.detail ->> 'source', 3)::uuid end as source_id,
           case when e.detail ->> 'archived' ~ '^[0-9]{1,9}$' then (e.detail ->> 'archived')::integer end as version
      from muniment.log_entry e
     where e.tenant_id = _tenant
       and e.event = 'version'
  ),
  undone as materialized (
    select (e.detail ->> 'commit')::bigint as commit_no, e.commit_no as undone_by
      from muniment.log_entry e
     where e.tenant_id = _tenant
       and e.event = 'undo'
       and e.detail ->> 'commit' ~ '^[0-9]{1,18}$'
  ),
  ending as (
    select e.record_no, e.commit_no
      from muniment.log_entry e
     where e.tenant_id = _tenant
       and e.event = 'close'
       and e.commit_no not in (select u.commit_no from undone u)
    union all
    select e.record_no, u.undone_by
      from undone u
      join muniment.log_entry e on e.tenant_id = _tenant and e.commit_no = u.commit_no and e.event = 'record'
    union all
    select r.record_no, a.commit_no
      from archiving a
      join muniment.source s on s.tenant_id = _tenant and s.source_id = a.source_id
      join muniment.record r on r.tenant_id = _tenant and r.source_no = s.source_no and r.source_version = a.version
  )
  select e.record_no, r.space_id, r.group_no, r.position, e.commit_no, min(d.commit_no)
    from muniment.log_entry e
    join muniment.record r on r.tenant_id = _tenant and r.record_no = e.record_no
    left join ending d on d.record_no = e.record_no and d.commit_no > e.commit_no
   where e.tenant_id = _tenant
     and e.event = 'record'
   group by e.record_no, r.space_id, r.group_no, r.position, e.commit_no;
$$;

-- Makes the tenant's liveness anew from the log and returns its rows. No write may be sealed meanwhile: takes the head lock.
create or replace function muniment.rebuild_liveness(_tenant bigint)
returns bigint
language plpgsql volatile security invoker set search_path = '' as $$
declare
  _rows bigint;
begin
  perform from muniment.log_head h where h.tenant_id = _tenant for update;
  delete from muniment.liveness l where l.tenant_id = _tenant;
  insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit, live_to_commit)
  select _tenant, o.record_no, o.space_id, o.group_no, o.position, o.live_from_commit, o.live_to_commit
    from muniment.liveness_of_log(_tenant) o;
  get diagnostics _rows = row_count;
  return _rows;
end $$;
