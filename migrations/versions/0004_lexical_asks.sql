-- Whether a record ends by asking, beside its terms: ranking asks it of every candidate, and need not read their contents.
alter table muniment.lexical_document add column asks boolean not null default false;
comment on column muniment.lexical_document.asks is 'Whether the text ends with a question mark.';
alter table muniment.lexical_document no force row level security;  -- the owner sees every tenant's rows for this statement
alter table muniment.record_content no force row level security;
update muniment.lexical_document d
   set asks = true
  from muniment.record_content t
 where t.tenant_id = d.tenant_id
   and t.record_no = d.record_no
   and right(rtrim(t.text), 1) in ('?', '？', '؟');
alter table muniment.lexical_document force row level security;
alter table muniment.record_content force row level security;
