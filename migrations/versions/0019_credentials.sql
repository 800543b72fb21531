alter table muniment_auth.credential
  add column previous_hash  bytea check (octet_length(previous_hash) = 32),
  add column previous_until timestamptz,
  add column pin_project    text,
  add column pin_user       text,
  add column pin_agent      text,
  add check ((previous_hash is null) = (previous_until is null));
create index credential_previous on muniment_auth.credential (previous_hash) where previous_hash is not null;  -- resolve_credential

-- what each key could do it can do still: admin held everything; searching was reading; erasing was admin's alone, and stays with it.
-- The owner has no policy of its own, hence sees no row while row security is forced; the policies' file forces it again.
alter table muniment_auth.credential no force row level security;
update muniment_auth.credential
   set scopes = case
         when 'admin' = any (scopes)
           then array['memory:read', 'memory:write', 'memory:erase', 'query:read', 'tenant:admin', 'ops:read']
         when 'memory:read' = any (scopes) then scopes || array['query:read']
         else scopes
       end;
alter table muniment_auth.credential force row level security;
alter table muniment_auth.credential
  add constraint credential_scopes
  check (scopes <@ array['memory:read', 'memory:write', 'memory:erase', 'query:read', 'tenant:admin', 'ops:read']);

comment on column muniment_auth.credential.previous_hash is 'The secret before the last rotation, which works until previous_until.';
comment on column muniment_auth.credential.pin_project is 'With pin_user and pin_agent: the key sees the spaces alone that agree in each field that is not null.';
