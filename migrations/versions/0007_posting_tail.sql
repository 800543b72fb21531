-- The tail of the lexical index in a few rows a write: one row a term cost more than all else that a write does.
-- What the old tail holds becomes blocks, which searches see as one with it; later merges and rebuilds pack them.
alter table muniment.posting_tail no force row level security;  -- the owner sees every tenant's rows for these statements
alter table muniment.posting_block no force row level security;
insert into muniment.posting_block (tenant_id, term, space_id, first_record, documents, total_length, records, counts, lengths)
select tenant_id, term, space_id, first_record, documents, total_length, records, counts, case when term = '' then '{}' else lengths end
  from muniment.posting_tail;
alter table muniment.posting_block force row level security;
drop table muniment.posting_tail;
drop function if exists muniment.tail_rows(bigint);

create table muniment.posting_tail (
  tenant_id    bigint not null,
  bucket       integer not null check (bucket >= 0),
  space_id     bigint not null,
  first_record bigint not null,
  documents    integer not null check (documents > 0),
  total_length bigint not null,
  terms        text[] collate "C" not null,
  ends         integer[] not null,
  records      bigint[] not null,
  counts       smallint[] not null,
  lengths      integer[] not null,
  primary key (tenant_id, bucket, space_id, first_record)
) with (toast_tuple_target = 8160);  -- a search looks into these rows: they are not worth compressing
comment on table muniment.posting_tail is 'Postings of recent writes, dealt out by term to a few rows a write; bucket 0 counts its documents.';
comment on column muniment.posting_tail.terms is 'The terms of the row in order; the postings of terms[i] end at ends[i].';
