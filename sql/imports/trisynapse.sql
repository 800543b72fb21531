-- What is read of a store of Trisynapse, which is a file of SQLite: these statements are SQLite's.

-- name: distrust
-- What the file says of functions is not run.
pragma trusted_schema = off;

-- name: tables
-- Which of the tables that are read the file has: real ones only, no view and nothing that computes its rows.
select name
  from sqlite_master
 where type = 'table'
   and rootpage > 0
   and name in ('deltas', 'sources');

-- name: deltas
-- All evidence in the order in which it was written; by the index on seq. Older stores have fewer columns.
select *
  from deltas
 order by seq;

-- name: delta
-- One piece of evidence; by the primary key.
select *
  from deltas
 where id = :id;

-- name: originals
-- How many sources have their original bytes beside the file.
select count(*)
  from sources
 where status <> 'removed';
