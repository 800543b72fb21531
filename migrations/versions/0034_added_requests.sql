-- A request that adds to a run has a key of its own, which leads to its items.
alter table muniment.idempotency add column first_item integer not null default 0 check (first_item >= 0);
comment on column muniment.idempotency.first_item is 'The number, from 0, of its first item in the run.';
