-- Returns the liveness that the log's entries say: what muniment.liveness must hold. A record counts from the commit that brought
-- it until the first that closed it, by itself or with its source's version. Linear in the entries.
create or replace function muniment.liveness_of_log(_tenant bigint)
returns table (record_no bigint, space_id bigint, group_no bigint, "position" integer, live_from_commit bigint, live_to_commit bigint)
language sql stable security invoker set search_path = '' as $$
  with archived as (
    select r.record_no, e.commit_no
      from muniment.log_entry e
      join muniment.source s
        on s.tenant_id = _tenant
       and s.source_id = substr(e.detail ->> 'source', 3)::uuid
      join muniment.record r
        on r.tenant_id = _tenant
       and r.source_no = s.source_no
       and r.source_version = (e.detail ->> 'archived')::integer
     where e.tenant_id = _tenant
       and e.event = 'version'
       and e.detail ->> 'archived' is not null
  ),
  closed as (
    select c.record_no, min(c.commit_no) as commit_no
      from (select e.record_no, e.commit_no
              from muniment.log_entry e
             where e.tenant_id = _tenant
               and e.event = 'close'
            union all
            select a.record_no, a.commit_no
              from archived a) c
     group by c.record_no
  )
  select r.record_no, r.space_id, r.group_no, r.position, b.commit_no, c.commit_no
    from muniment.log_entry b
    join muniment.record r
      on r.tenant_id = _tenant
     and r.record_no = b.record_no
    left join closed c
      on c.record_no = r.record_no
   where b.tenant_id = _tenant
     and b.event = 'record';
$$;

-- Makes the tenant's liveness anew from its log and returns the rows. Holds the head lock, so that no commit falls between.
-- Linear in the entries.
create or replace function muniment.rebuild_liveness(_tenant bigint)
returns bigint
language plpgsql volatile security invoker set search_path = '' as $$
declare
  _rows bigint;
begin
  perform from muniment.log_head h where h.tenant_id = _tenant for update;
  delete from muniment.liveness l where l.tenant_id = _tenant;
  insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit, live_to_commit)
  select _tenant, n.record_no, n.space_id, n.group_no, n.position, n.live_from_commit, n.live_to_commit
    from muniment.liveness_of_log(_tenant) n
   order by n.record_no;
  get diagnostics _rows = row_count;
  return _rows;
end $$;
