alter table muniment.query_run add column partial boolean not null default false;
alter table muniment.query_run add column notes text[] not null default '{}';
alter table muniment.query_run add column pinned jsonb not null default '{}';
comment on column muniment.query_run.pinned is 'What a replay must not look up anew: vectors of the question, speakers, modalities, records without a vector.';

alter table muniment.query_stage add column records bigint[] not null default '{}';
alter table muniment.query_stage add column scores real[] not null default '{}';
comment on column muniment.query_stage.records is 'What the step found or ranked, best first; scores beside it, as it scored them.';
