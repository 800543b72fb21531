-- What a bucket and a lease are full of is not what is in use of them: both say now how much is.
alter table muniment.ration add column capacity bigint;
comment on column muniment.ration.capacity is 'How many requests the full bucket held when it was last taken from; null: never, or by a version without it.';

alter table muniment.search_lease add column under_way bigint not null default 0;
comment on column muniment.search_lease.under_way is 'How many of the slots had a search when the process last held, prolonged or gave some back.';
