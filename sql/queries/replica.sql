-- name: primary_position
-- Where the write-ahead log ends, in bytes. No table.
select cast(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bigint) as position, instance_id
  from muniment_auth.instance;

-- name: replica_position
-- Up to where a replica has replayed it, null where this is none, and of which installation it is one. One row.
select cast(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') as bigint) as position, pg_is_in_recovery() as standby, instance_id
  from muniment_auth.instance;

-- name: kept
-- How many of some records have their content. Primary key.
select count(*) from muniment.record_content where tenant_id = :tenant and record_no = any (cast(:records as bigint[]));
