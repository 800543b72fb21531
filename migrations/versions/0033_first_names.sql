-- Who is asked about by a first name alone may be any of those who have it.
alter table muniment.entity add column first_name text generated always as (split_part(name, ' ', 1)) stored;
comment on column muniment.entity.first_name is 'The first word of the name.';
create index entity_first_name on muniment.entity (tenant_id, space_id, first_name, name) where entity_type = 'person';  -- who has a first name
