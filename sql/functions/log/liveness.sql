-- From which commit to which each record counts, as the log's entries say: what muniment.liveness must hold. Reads all entries.
-- A close ends its record; a version ends what was live of the version that it archives. An undoing takes the closes of its commit
-- back, from then on: the record counts again where nothing else ended it, and what was known in between stays what it was. A correction
-- ends where the commit that brought it is undone. reopened: a later stretch follows.
create or replace function muniment.liveness_of_log(_tenant bigint)
returns table (record_no bigint, space_id bigint, group_no bigint, "position" integer, live_from_commit bigint, live_to_commit bigint,
               reopened boolean)
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
    select (e.detail ->> 'commit')::bigint as commit_no, min(e.commit_no) as undone_by
      from muniment.log_entry e
     where e.tenant_id = _tenant
       and e.event = 'undo'
       and e.detail ->> 'commit' ~ '^[0-9]{1,18}$'
     group by 1
  ),
  -- how many ends a record has from a commit on: more, and fewer where one is taken back
  step as (
    select e.record_no, e.commit_no, 1 as ends
      from muniment.log_entry e
     where e.tenant_id = _tenant
       and e.event = 'close'
    union all
    select e.record_no, u.undone_by, -1
      from undone u
      join muniment.log_entry e on e.tenant_id = _tenant and e.commit_no = u.commit_no and e.event = 'close'
    union all
    select e.record_no, u.undone_by, 1
      from undone u
      join muniment.log_entry e on e.tenant_id = _tenant and e.commit_no = u.commit_no and e.event = 'record'
    union all
    select r.record_no, a.commit_no, 1
      from archiving a
      join muniment.source s on s.tenant_id = _tenant and s.source_id = a.source_id
      join muniment.record r on r.tenant_id = _tenant and r.source_no = s.source_no and r.source_version = a.version
  ),
  moment as (
    select b.record_no, b.commit_no as began, coalesce(d.commit_no, b.commit_no) as commit_no,
           coalesce(sum(d.ends) over (partition by b.record_no, b.commit_no order by d.commit_no), 0) = 0 as live
      from muniment.log_entry b
      left join (select s.record_no, s.commit_no, sum(s.ends) as ends from step s group by s.record_no, s.commit_no) d
        on d.record_no = b.record_no
       and d.commit_no > b.commit_no
     where b.tenant_id = _tenant
       and b.event = 'record'
  ),
  turning as (
    select m.record_no, m.commit_no, m.live,
           lag(m.live) over (partition by m.record_no order by m.commit_no) as before
      from (select m.record_no, m.commit_no, m.live from moment m
            union
            select m.record_no, m.began, true from moment m) m
  ),
  stretch as (
    select t.record_no, t.live, t.commit_no as live_from_commit,
           lead(t.commit_no) over (partition by t.record_no order by t.commit_no) as live_to_commit,
           count(*) filter (where t.live) over (partition by t.record_no order by t.commit_no rows between 1 following and unbounded following)
             as later
      from turning t
     where t.live is distinct from t.before
  )
  select r.record_no, r.space_id, r.group_no, r.position, s.live_from_commit, s.live_to_commit, s.later > 0
    from stretch s
    join muniment.record r on r.tenant_id = _tenant and r.record_no = s.record_no
   where s.live;
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
  insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit, live_to_commit, reopened)
  select _tenant, o.record_no, o.space_id, o.group_no, o.position, o.live_from_commit, o.live_to_commit, o.reopened
    from muniment.liveness_of_log(_tenant) o;
  get diagnostics _rows = row_count;
  return _rows;
end $$;
