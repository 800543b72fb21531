alter table muniment.ingestion_run add column more boolean not null default false;
comment on column muniment.ingestion_run.more is 'Whether its client said that more sources of it follow in another request.';
