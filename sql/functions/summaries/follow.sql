-- Notes the groups whose summaries some commits of the log make stale: those of records that were brought or closed, by themselves or
-- with a version of their source, or opened again by an undoing; of a fact, the groups of what it rests on, and those of whom it tells. How many groups. A few look-ups
-- an entry.
create or replace function muniment.mark_summaries(_tenant bigint, _after bigint, _upto bigint)
returns bigint language plpgsql volatile security invoker set search_path = '' as $$
declare
  _records bigint[];
  _rows bigint;
begin
  with entry as materialized (
    select e.event, e.record_no, e.detail
      from muniment.log_commit c
     cross join generate_series(c.first_entry, c.first_entry + c.entries - 1) n (entry_no)
     cross join lateral (
           select m.event, m.record_no, m.detail
             from muniment.log_entry m
            where m.tenant_id = _tenant
              and m.entry_no = n.entry_no
           offset 0) e
     where c.tenant_id = _tenant
       and c.commit_no > _after
       and c.commit_no <= _upto
  ),
  touched as (
    select e.record_no from entry e where e.record_no is not null
    union
    select r.record_no
      from entry e
      join muniment.source s
        on s.tenant_id = _tenant
       and s.source_id = case when e.detail ->> 'source' ~ '^s_[0-9a-f]{32}$' then substr(e.detail ->> 'source', 3)::uuid end
      join muniment.record r
        on r.tenant_id = _tenant
       and r.source_no = s.source_no
       and r.source_version = case when e.detail ->> 'archived' ~ '^[0-9]{1,9}$' then (e.detail ->> 'archived')::integer end
     where e.event = 'version'
    union
    select o.record_no
      from entry e
      join muniment.log_commit c
        on c.tenant_id = _tenant
       and c.commit_no = case when e.detail ->> 'commit' ~ '^[0-9]{1,18}$' then (e.detail ->> 'commit')::bigint end
     cross join generate_series(c.first_entry, c.first_entry + c.entries - 1) n (entry_no)
     cross join lateral (
           select m.record_no
             from muniment.log_entry m
            where m.tenant_id = _tenant
              and m.entry_no = n.entry_no
           offset 0) o
     where e.event = 'undo'
  )
  select array_agg(t.record_no order by t.record_no) into _records from touched t where t.record_no is not null;
  insert into muniment.profile_due (tenant_id, space_id, record_no, as_object)
  select _tenant, f.space_id, f.record_no, f.as_object
    from muniment.fact_side f
   where f.tenant_id = _tenant
     and f.record_no = any (_records)
   order by f.record_no, f.as_object
  on conflict (tenant_id, record_no, as_object) do update set space_id = excluded.space_id;
  insert into muniment.summary_due as d (tenant_id, space_id, group_no, commit_no)
  select _tenant, min(g.space_id), g.group_no, _upto
    from (select r.space_id, r.group_no
            from muniment.record r
           where r.tenant_id = _tenant
             and r.record_no = any (_records)
             and r.kind <> 'fact'
          union all
          select b.space_id, b.group_no
            from muniment.evidence v
            join muniment.record b
              on b.tenant_id = _tenant
             and b.record_no = v.basis_no
             and b.kind <> 'fact'
           where v.tenant_id = _tenant
             and v.record_no = any (_records)) g
   group by g.group_no
   order by g.group_no
  on conflict (tenant_id, group_no) do update set commit_no = excluded.commit_no;
  get diagnostics _rows = row_count;
  return _rows;
end $$;
