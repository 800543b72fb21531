-- name: register
-- The number of the model of this name, made where it is new. Unique key.
with fresh as (
  insert into muniment.embedding_model (name, dimensions)
  select cast(:name as text), cast(:dimensions as integer)
   where not exists (select from muniment.embedding_model where name = cast(:name as text))
  on conflict (name) do nothing
  returning model_no, dimensions)
select model_no, dimensions from fresh
union all
select model_no, dimensions from muniment.embedding_model where name = cast(:name as text);
