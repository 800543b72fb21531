-- A record that was closed and opened again has a stretch for each time that it counted: what was known in between stays what it was.
alter table muniment.liveness add column reopened boolean not null default false;
alter table muniment.liveness drop constraint liveness_pkey;
alter table muniment.liveness add primary key (tenant_id, record_no, live_from_commit);
alter table muniment.liveness add check (not reopened or live_to_commit is not null);
comment on table muniment.liveness is 'From which commit to which a record counts; computed from log_entry. One row a stretch.';
comment on column muniment.liveness.reopened is 'It counted again later: of each record the last stretch is not.';


-- What undoings opened again stood as though it had never closed: those stretches get the gap that the log tells of.
alter table muniment.log_entry no force row level security;  -- the owner sees every tenant's rows for these statements
alter table muniment.liveness no force row level security;
with gap as (
  select l.tenant_id, l.record_no, range_agg(int8range(c.commit_no, u.commit_no)) as gaps
    from muniment.log_entry u
    join muniment.log_entry c
      on c.tenant_id = u.tenant_id
     and c.commit_no = case when u.detail ->> 'commit' ~ '^[0-9]{1,18}$' then (u.detail ->> 'commit')::bigint end
     and c.event = 'close'
    join muniment.liveness l
      on l.tenant_id = c.tenant_id
     and l.record_no = c.record_no
   where u.event = 'undo'
   group by l.tenant_id, l.record_no
), stretch as materialized (
  select l.tenant_id, l.record_no, l.space_id, l.group_no, l.position, lower(s.during) as live_from_commit,
         upper(s.during) as live_to_commit, row_number() over (partition by l.tenant_id, l.record_no order by s.during) as place,
         lead(true, 1, false) over (partition by l.tenant_id, l.record_no order by s.during) as reopened
    from muniment.liveness l
    join gap g
      on g.tenant_id = l.tenant_id
     and g.record_no = l.record_no
   cross join lateral unnest(int8multirange(int8range(l.live_from_commit, l.live_to_commit)) - g.gaps) s (during)
), shortened as (
  update muniment.liveness l
     set live_to_commit = s.live_to_commit, reopened = s.reopened
    from stretch s
   where l.tenant_id = s.tenant_id
     and l.record_no = s.record_no
     and s.place = 1
)
insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit, live_to_commit, reopened)
select s.tenant_id, s.record_no, s.space_id, s.group_no, s.position, s.live_from_commit, s.live_to_commit, s.reopened
  from stretch s
 where s.place > 1;

alter table muniment.log_entry force row level security;
alter table muniment.liveness force row level security;
