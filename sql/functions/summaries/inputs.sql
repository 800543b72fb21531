-- What the summaries of a group are compiled from: its live records in their order, at most _most, each with the live facts that rest on
-- it. A few look-ups a record.
create or replace function muniment.summary_inputs(_tenant bigint, _group bigint, _most integer)
returns table (record_no bigint, space_id bigint, facts bigint[], pending boolean)
language sql stable security invoker set search_path = '' as $$
  select l.record_no, l.space_id, f.facts,
         exists (select from muniment.embedding_pending q
                  where q.tenant_id = _tenant and q.space_id = l.space_id and q.record_no = l.record_no)
    from muniment.liveness l
   cross join lateral (
         select array_agg(distinct v.record_no) as facts
           from muniment.evidence v
           join muniment.fact f
             on f.tenant_id = _tenant
            and f.record_no = v.record_no
           join muniment.liveness w
             on w.tenant_id = _tenant
            and w.record_no = v.record_no
            and w.live_to_commit is null
          where v.tenant_id = _tenant
            and v.basis_no = l.record_no) f
   where l.tenant_id = _tenant
     and l.group_no = _group
     and l.live_to_commit is null
     and (select r.kind from muniment.record r where r.tenant_id = _tenant and r.record_no = l.record_no) <> 'fact'
     and exists (select from muniment.record_content c where c.tenant_id = _tenant and c.record_no = l.record_no)
   order by l.position, l.record_no
   limit _most;
$$;

-- A digest of what the summaries of a group are compiled from, null where nothing is left, and the last commit that changed it. Linear
-- in the group's records.
create or replace function muniment.summary_digest(_tenant bigint, _group bigint, _most integer)
returns table (inputs text, through_commit bigint)
language sql stable security invoker set search_path = '' as $$
  select (select md5(string_agg(concat_ws(':', i.record_no, array_to_string(i.facts, '+'), case when i.pending then 'p' end), ','))
            from muniment.summary_inputs(_tenant, _group, _most) i),
         (select coalesce(max(g.commit_no), 0)
            from muniment.liveness l
            left join lateral (
                 select v.record_no
                   from muniment.evidence v
                  where v.tenant_id = _tenant
                    and v.basis_no = l.record_no) v on true
            left join muniment.liveness w on w.tenant_id = _tenant and w.record_no = v.record_no
           cross join lateral (select greatest(l.live_from_commit, l.live_to_commit, w.live_from_commit, w.live_to_commit)) g (commit_no)
           where l.tenant_id = _tenant
             and l.group_no = _group);
$$;
