-- Most words are their own stem: their postings stood twice, as the word and after a ~. Where a record holds both equally often they
-- stand from now on in one list, that of = and the word; in the forward row the word's count is below 0, and the stem has none.
-- The terms are those of the postings, so that no text is cut again; all end packed in blocks. The tables are emptied and filled
-- instead of updated, which would leave them twice as large. About a minute of one processor for 100,000 records of 60 words.
comment on column muniment.lexical_document.hashes is
  'The hashes of its terms in order; hashes[i] stands counts[i] times, where that is below 0 so does the stem of the same letters.';
comment on column muniment.posting_block.term is 'A word, ~ and a stem, or = and a word for what stands as often as the stem of the same letters.';

alter table muniment.lexical_document no force row level security;  -- the owner sees every tenant's rows for these statements
alter table muniment.posting_block no force row level security;
alter table muniment.posting_tail no force row level security;
set local work_mem = '128MB';
set local jit = off;

create unlogged table muniment.upgraded_posting as
with posting as (
  select b.tenant_id, b.space_id, b.term, u.record_no, u.tf, u.length
    from muniment.posting_block b, unnest(b.records, b.counts, b.lengths) u (record_no, tf, length)
   where b.term <> ''
  union all
  select t.tenant_id, t.space_id, t.terms[width_bucket(u.n::integer - 1, t.ends) + 1], u.record_no, u.tf, u.length
    from muniment.posting_tail t, unnest(t.records, t.counts, t.lengths) with ordinality u (record_no, tf, length, n)
   where t.bucket > 0
), spelled as materialized (
  select p.tenant_id, p.space_id, p.record_no, s.word, max(p.length) as length,
         max(p.tf) filter (where not s.stem) as tf, max(p.tf) filter (where s.stem) as stem_tf
    from posting p
   cross join lateral (select starts_with(p.term, '~') as stem, ltrim(p.term, '~') as word) s
   group by p.tenant_id, p.space_id, p.record_no, s.word
)
select s.tenant_id, s.space_id, l.list, s.record_no, l.tf, s.length
  from spelled s
 cross join lateral (
       select '=' || s.word as list, s.tf as tf where s.tf = s.stem_tf
       union all
       select s.word, s.tf where s.tf is not null and s.tf is distinct from s.stem_tf
       union all
       select '~' || s.word, s.stem_tf where s.stem_tf is not null and s.tf is distinct from s.stem_tf) l;

analyze muniment.upgraded_posting;

create unlogged table muniment.upgraded_total as
select p.tenant_id, p.space_id, sum(p.documents)::integer as documents, sum(p.total_length)::bigint as total_length
  from (select t.tenant_id, t.space_id, t.documents, t.total_length from muniment.posting_tail t where t.bucket = 0
        union all
        select b.tenant_id, b.space_id, b.documents, b.total_length from muniment.posting_block b where b.term = '') p
 group by p.tenant_id, p.space_id;

create unlogged table muniment.upgraded_document as
select d.tenant_id, d.record_no, d.space_id, d.length, d.asks from muniment.lexical_document d;

truncate muniment.posting_tail, muniment.posting_block, muniment.lexical_document;

insert into muniment.posting_block (tenant_id, term, space_id, first_record, documents, total_length, records, counts, lengths)
select p.tenant_id, p.list, p.space_id, min(p.record_no), count(*), sum(p.length),
       array_agg(p.record_no order by p.record_no), array_agg(p.tf order by p.record_no), array_agg(p.length order by p.record_no)
  from (select u.*, (row_number() over (partition by u.tenant_id, u.list, u.space_id order by u.record_no) - 1) / 256 as block
          from (select q.tenant_id, q.list collate "C" as list, q.space_id, q.record_no, q.tf, q.length
                  from muniment.upgraded_posting q) u) p
 group by p.tenant_id, p.list, p.space_id, p.block
union all
select t.tenant_id, '', t.space_id, 0, t.documents, t.total_length, '{}', '{}', '{}'
  from muniment.upgraded_total t;

insert into muniment.lexical_document (tenant_id, record_no, space_id, length, asks, hashes, counts)
select d.tenant_id, d.record_no, d.space_id, d.length, d.asks, coalesce(h.hashes, '{}'), coalesce(h.counts, '{}')
  from muniment.upgraded_document d
  left join (
       select p.tenant_id, p.record_no, array_agg(p.hash) as hashes, array_agg(p.tf) as counts
         from (select q.tenant_id, q.record_no, case when starts_with(q.list, '=') then -q.tf else q.tf end as tf,
                      (crc32c(convert_to(ltrim(q.list, '='), 'UTF8')) - 2147483648)::integer as hash
                 from muniment.upgraded_posting q
                order by q.tenant_id, q.record_no, hash, q.list collate "C") p
        group by p.tenant_id, p.record_no) h
    on h.tenant_id = d.tenant_id
   and h.record_no = d.record_no
 order by d.tenant_id, d.record_no;

drop table muniment.upgraded_posting, muniment.upgraded_total, muniment.upgraded_document;
alter table muniment.lexical_document force row level security;
alter table muniment.posting_block force row level security;
alter table muniment.posting_tail force row level security;
