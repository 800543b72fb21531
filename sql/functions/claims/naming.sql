-- Puts the names that facts bring on the list of names, and gives those that mean an entity already named: because a fact says so,
-- or because they are spelled so alike that they share more than a threshold of their trigrams. Never across types, never where their
-- digits differ, and of persons only where their first names are the same. The caller logs these decisions. A few look-ups a new name; holds the lock of each space that gets one until the
-- transaction ends, so that of two new names one sees the other.
create or replace function muniment.link_names(_tenant bigint, _records bigint[], _threshold real)
returns table (space_id bigint, record_no bigint, part text, of_no bigint, of_part text, rule text, similarity real)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  _name record;
  _like record;
  _grams text[];
  _aliased boolean;
  _new text[] := '{}';
begin
  for _name in
    select distinct n.space_id
      from muniment.names_of_facts(_tenant, _records) n
     where (select true
              from muniment.entity e
             where e.tenant_id = _tenant and e.space_id = n.space_id and e.entity_type = n.entity_type and e.name = n.name
             limit 1) is null
    union
    select t.space_id from muniment.names_told(_tenant, _records) t
     order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(chr(31), 'names', _tenant, _name.space_id), 0));
  end loop;
  -- a name means one that is on the list already, so that names never mean each other in a circle
  for _name in
    select n.space_id, n.entity_type, n.name, n.record_no, n.part
      from muniment.names_of_facts(_tenant, _records) n
     order by n.space_id,
              exists (select from muniment.names_told(_tenant, _records) t
                       where t.space_id = n.space_id and t.entity_type = n.entity_type and t.name = n.name),
              n.record_no, n.part desc
  loop
    continue when exists (select from muniment.entity e
                           where e.tenant_id = _tenant and e.space_id = _name.space_id and e.entity_type = _name.entity_type
                             and e.name = _name.name);
    _grams := array(select g from unnest(public.show_trgm(muniment.name_letters(_name.name))) g order by md5(g));
    _aliased := false;
    _new := _new || concat_ws(chr(31), _name.space_id, _name.entity_type, _name.name);
    -- said outright: of the two names the one that is new means the one that is on the list
    for _like in
      select t.record_no, t.name = _name.name as told
        from muniment.names_told(_tenant, _records) t
        join muniment.entity e
          on e.tenant_id = _tenant
         and e.space_id = t.space_id
         and e.entity_type = t.entity_type
         and e.name = case when t.name = _name.name then t.of_name else t.name end
       where t.space_id = _name.space_id
         and t.entity_type = _name.entity_type
         and _name.name in (t.name, t.of_name)
       order by t.record_no
       limit 1
    loop
      _aliased := true;
      return query
        select _name.space_id, _like.record_no, case when _like.told then 'object' else 'subject' end,
               _like.record_no, case when _like.told then 'subject' else 'object' end, 'stated', null::real;
    end loop;
    -- spelled alike; the first grams in a fixed order suffice to find every name that shares six tenths of them
    for _like in
      select e.name, e.record_no, public.similarity(muniment.name_letters(e.name), muniment.name_letters(_name.name)) as similarity
        from (select distinct g.name
                from unnest(_grams[1:cardinality(_grams) - ceil(0.6 * cardinality(_grams))::integer + 1]) w (gram)
                join muniment.entity_gram g
                  on g.tenant_id = _tenant
                 and g.space_id = _name.space_id
                 and g.entity_type = _name.entity_type
                 and g.gram = w.gram) c
        join muniment.entity e
          on e.tenant_id = _tenant
         and e.space_id = _name.space_id
         and e.entity_type = _name.entity_type
         and e.name = c.name
       where not _aliased
         and length(_name.name) >= 5
         and length(e.name) >= 5
         and public.similarity(muniment.name_letters(e.name), muniment.name_letters(_name.name)) > _threshold
         and (_name.entity_type <> 'person' or muniment.same_first_name(e.name, _name.name))
         and regexp_replace(e.name, '\D', '', 'g') = regexp_replace(_name.name, '\D', '', 'g')
       order by 3 desc, e.record_no
       limit 1
    loop
      return query
        select _name.space_id, _name.record_no, _name.part, f.record_no,
               case when f.subject_key = _like.name and f.subject_type = _name.entity_type then 'subject' else 'object' end, 'trigram',
               _like.similarity
          from muniment.fact f
         where f.tenant_id = _tenant
           and f.record_no = _like.record_no;
    end loop;
    insert into muniment.entity (tenant_id, space_id, entity_type, name, record_no)
    values (_tenant, _name.space_id, _name.entity_type, _name.name, _name.record_no)
    on conflict do nothing;
    insert into muniment.entity_gram (tenant_id, space_id, entity_type, gram, name, record_no)
    select _tenant, _name.space_id, _name.entity_type, g.gram, _name.name, _name.record_no
      from unnest(_grams[1:cardinality(_grams) - ceil(0.6 * cardinality(_grams))::integer + 1]) g (gram)
    on conflict do nothing;
  end loop;
  -- two names that were known apart, and are now said to be one; not where a person took that back
  for _like in
    select t.space_id, t.entity_type, t.name, t.of_name, t.record_no
      from muniment.names_told(_tenant, _records) t
     where concat_ws(chr(31), t.space_id, t.entity_type, t.name) <> all (_new)
       and concat_ws(chr(31), t.space_id, t.entity_type, t.of_name) <> all (_new)
       and muniment.entity_root(_tenant, t.space_id, t.entity_type, t.name, 9223372036854775806) = t.name
       and muniment.entity_root(_tenant, t.space_id, t.entity_type, t.of_name, 9223372036854775806) <> t.name
       and not exists (select from muniment.entity_alias a
                        where a.tenant_id = _tenant and a.space_id = t.space_id and a.entity_type = t.entity_type and a.name = t.name
                          and a.entity = t.of_name)
     order by t.record_no
  loop
    continue when concat_ws(chr(31), _like.space_id, _like.entity_type, _like.name) = any (_new)
               or concat_ws(chr(31), _like.space_id, _like.entity_type, _like.of_name) = any (_new);
    _new := _new || concat_ws(chr(31), _like.space_id, _like.entity_type, _like.name)
                 || concat_ws(chr(31), _like.space_id, _like.entity_type, _like.of_name);
    return query select _like.space_id, _like.record_no, 'object', _like.record_no, 'subject', 'stated', null::real;
  end loop;
end $$;

-- The names of entities in facts, each by its type with the first fact that has it and the part in which. A look-up a fact.
create or replace function muniment.names_of_facts(_tenant bigint, _records bigint[])
returns table (space_id bigint, entity_type text, name text, record_no bigint, part text)
language sql stable security invoker set search_path = '' as $$
  select distinct on (f.space_id, n.entity_type, n.name) f.space_id, n.entity_type, n.name, f.record_no, n.part
    from muniment.fact f
   cross join lateral (values (f.subject_type, f.subject_key, 'subject'), (f.object_type, f.object_key, 'object'))
         as n (entity_type, name, part)
   where f.tenant_id = _tenant
     and f.record_no = any (_records)
     and n.entity_type in ('person', 'organization', 'place', 'product', 'event', 'thing')
     and n.name <> ''
   order by f.space_id, n.entity_type, n.name, f.record_no, n.part desc;
$$;

-- The names that facts among these say another name for: that of their subject. A look-up a fact.
create or replace function muniment.names_told(_tenant bigint, _records bigint[])
returns table (space_id bigint, entity_type text, name text, of_name text, record_no bigint)
language sql stable security invoker set search_path = '' as $$
  select f.space_id, f.object_type, f.object_key, f.subject_key, f.record_no
    from muniment.fact f
    join muniment.relation_names(_tenant) r on r.name = f.relation and r.relation = 'also_known_as' and r.live_to_commit is null
   where f.tenant_id = _tenant
     and f.record_no = any (_records)
     and f.subject_type = f.object_type
     and f.subject_key <> f.object_key
     and not f.negated
     and f.kind <> 'intention';
$$;

-- A name without what is over and under its letters. Linear in its length.
create or replace function muniment.name_letters(_name text)
returns text language sql immutable security invoker set search_path = '' as $$
  select normalize(regexp_replace(normalize(_name, NFD), '[\u0300-\u036f]', '', 'g'), NFC);
$$;

-- The names that somebody may mean by a name: itself, and those on the list of these spaces that have its letters, whatever their
-- accents: jose means José. A probe of the list of trigrams for each space and type.
create or replace function muniment.names_spelled(_tenant bigint, _spaces bigint[], _name text)
returns table (name text) language sql stable security invoker set search_path = '' as $$
  select muniment.name_key(_name)
  union
  select g.name
    from (select w.gram
            from unnest(public.show_trgm(muniment.name_letters(muniment.name_key(_name)))) w (gram)
           order by md5(w.gram)
           limit 1) w
   cross join unnest(_spaces) s (space_id)
   cross join unnest(array['person', 'organization', 'place', 'product', 'event', 'thing']) t (entity_type)
    join muniment.entity_gram g
      on g.tenant_id = _tenant
     and g.space_id = s.space_id
     and g.entity_type = t.entity_type
     and g.gram = w.gram
   where muniment.name_letters(g.name) = muniment.name_letters(muniment.name_key(_name));
$$;

-- Whether two names of persons may be spellings of one: their first words are the same, or all their letters are. Other first names
-- are other people however little they differ. Linear in their lengths.
create or replace function muniment.same_first_name(_one text, _other text)
returns boolean language sql immutable security invoker set search_path = '' as $$
  select split_part(_one, ' ', 1) = split_part(_other, ' ', 1)
      or regexp_replace(muniment.name_letters(_one), '[^[:alnum:]]', '', 'g') = regexp_replace(muniment.name_letters(_other), '[^[:alnum:]]', '', 'g')
      or (position(' ' in _one) > 0 and position(' ' in _other) > 0
          and regexp_replace(muniment.name_letters(split_part(_one, ' ', 1)), '[^[:alnum:]]', '', 'g')
              = regexp_replace(muniment.name_letters(split_part(_other, ' ', 1)), '[^[:alnum:]]', '', 'g'));
$$;
