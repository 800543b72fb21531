-- What ends the sessions of SQL logins. Created, and so run, as a role that is a member of these logins and of nothing else: it sees what
-- they do and may end it, whoever calls. No SET of theirs changes what it goes by.
set local role muniment_watchdog;

-- Ends what SQL logins of this database do for longer than so many seconds or keep open so long, what of expired logins is connected, and
-- what holds the queue of notifications where that fills. A statement is cancelled first, and 5 seconds later its session ended.
-- Returns what was ended, one row a session: the login, why, and for how long that lasted. Looks at each session of the server.
create or replace function muniment_auth.end_overruns(_statement double precision, _transaction double precision)
returns table (login text, reason text, seconds double precision)
language sql volatile security definer set search_path = '' as $$
  with seen as materialized (
    select a.pid, l.login, a.state, l.valid_until <= t.now as expired, q.crowded,
           extract(epoch from t.now - a.query_start)::double precision as statement,
           extract(epoch from t.now - a.xact_start)::double precision as transaction,
           extract(epoch from t.now - a.state_change)::double precision as idle
      from pg_catalog.pg_stat_activity a
      join muniment_auth.sql_login l
        on l.login = a.usename
     cross join (select pg_catalog.clock_timestamp() as now) t
     cross join (select pg_catalog.pg_notification_queue_usage() > 0.1 as crowded) q
     where pg_catalog.pg_has_role(current_user, a.usesysid, 'usage')),
  judged as materialized (
    select s.*,
           case
             when s.expired then 'expired'
             when s.state <> 'idle' and s.transaction > _transaction then 'transaction'
             when s.state like 'idle in transaction%' and s.idle > _statement then 'idle in transaction'
             when s.state <> 'idle' and s.crowded then 'notifications'
             when s.state in ('active', 'fastpath function call') and s.statement > _statement then 'statement'
           end as reason
      from seen s)
  select j.login::text, j.reason,
         case j.reason when 'statement' then j.statement when 'idle in transaction' then j.idle else j.transaction end
    from judged j
   where j.reason is not null
     and case when j.reason = 'statement' and j.statement < _statement + 5
              then pg_catalog.pg_cancel_backend(j.pid)
              else pg_catalog.pg_terminate_backend(j.pid) end;
$$;

-- Ends the sessions of a login of the scope's tenant; how many. Looks at each session of the server.
create or replace function muniment_auth.end_sessions(_login text)
returns bigint language sql volatile security definer set search_path = '' as $$
  with sessions as materialized (  -- before anything is ended
    select a.pid
      from pg_catalog.pg_stat_activity a
      join muniment_auth.sql_login l
        on l.login = a.usename
     where l.login = _login
       and l.tenant_id = nullif(pg_catalog.current_setting('muniment.tenant_id', true), '')::bigint
       and pg_catalog.pg_has_role(current_user, a.usesysid, 'usage'))
  select count(*) filter (where pg_catalog.pg_terminate_backend(s.pid))
    from sessions s;
$$;

revoke all on function muniment_auth.end_overruns(double precision, double precision), muniment_auth.end_sessions(text) from public;
grant execute on function muniment_auth.end_overruns(double precision, double precision), muniment_auth.end_sessions(text) to muniment_app;

set local role muniment_owner;
