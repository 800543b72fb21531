-- name: current
-- The last policy of the log. Index log_entry_policy, backwards; primary key of log_commit.
select e.commit_no, e.detail, (select c.at from muniment.log_commit c where c.tenant_id = :tenant and c.commit_no = e.commit_no) as at
  from muniment.log_entry e
 where e.tenant_id = :tenant
   and e.event = 'policy'
 order by e.entry_no desc
 limit 1;

-- name: list
-- All policies of the log, the latest first. Index log_entry_policy, backwards; primary key of log_commit.
select e.commit_no, e.detail, (select c.at from muniment.log_commit c where c.tenant_id = :tenant and c.commit_no = e.commit_no) as at
  from muniment.log_entry e
 where e.tenant_id = :tenant
   and e.event = 'policy'
 order by e.entry_no desc
 limit cast(:limit as integer);

-- name: last_commit_before
-- The last commit before a moment, 0 where there is none. Primary key, backwards past what came since.
select coalesce((select c.commit_no
                   from muniment.log_commit c
                  where c.tenant_id = :tenant
                    and c.at < cast(:moment as timestamptz)
                  order by c.commit_no desc
                  limit 1), 0);

-- name: old_live
-- Live records that a commit or one before it brought, after one of them; in order. Primary keys.
select l.record_no, r.record_id
  from muniment.liveness l
  join muniment.record r on r.tenant_id = :tenant and r.record_no = l.record_no
 where l.tenant_id = :tenant
   and l.record_no > cast(:after as bigint)
   and l.live_from_commit <= cast(:commit as bigint)
   and l.live_to_commit is null
   and (cast(:mark as text) is null
        or (select true from muniment.record_metadata m
             where m.tenant_id = :tenant
               and m.record_no = l.record_no
               and m.key = cast(:mark as text)
             limit 1))
 order by l.record_no
 limit cast(:limit as integer);

-- name: old_content
-- Records with content that a commit or one before it brought, live or not, after one of them; in order. Primary keys.
select l.record_no, r.record_id
  from muniment.liveness l
  join muniment.record r on r.tenant_id = :tenant and r.record_no = l.record_no
 where l.tenant_id = :tenant
   and l.record_no > cast(:after as bigint)
   and l.live_from_commit <= cast(:commit as bigint)
   and not l.reopened
   and (select true from muniment.record_content c where c.tenant_id = :tenant and c.record_no = l.record_no)
   and (cast(:mark as text) is null
        or (select true from muniment.record_metadata m
             where m.tenant_id = :tenant
               and m.record_no = l.record_no
               and m.key = cast(:mark as text)
             limit 1))
 order by l.record_no
 limit cast(:limit as integer);
