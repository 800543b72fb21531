-- The languages other than English and simple that visible sources or single records are in, sorted. Two indexes that hold such alone are
-- skipped through: two probes where there is only English, else a few a language.
create or replace function muniment.languages(_tenant bigint, _spaces bigint[])
returns text[] language sql stable security invoker set search_path = '' as $$
  with recursive of_record (language) as (
    (select r.language
       from muniment.record r
      where r.tenant_id = _tenant
        and r.language is not null
      order by r.language
      limit 1)
    union all
    select (select r.language
              from muniment.record r
             where r.tenant_id = _tenant
               and r.language > o.language
             order by r.language
             limit 1)
      from of_record o
     where o.language is not null),
  of_source (language) as (
    (select v.language
       from muniment.source_version v
      where v.tenant_id = _tenant
        and v.language <> 'english'
      order by v.language
      limit 1)
    union all
    select (select v.language
              from muniment.source_version v
             where v.tenant_id = _tenant
               and v.language <> 'english'
               and v.language > o.language
             order by v.language
             limit 1)
      from of_source o
     where o.language is not null)
  select coalesce(array_agg(f.language order by f.language collate "C"), '{}')
    from (select o.language
            from of_record o
           cross join lateral (
                 select
                   from muniment.record r
                  where r.tenant_id = _tenant
                    and r.language = o.language
                    and r.space_id = any (_spaces)
                  order by r.space_id
                  limit 1) r
          union
          select o.language
            from of_source o
           cross join lateral (
                 select
                   from muniment.source_version v
                  where v.tenant_id = _tenant
                    and v.language <> 'english'
                    and v.language = o.language
                    and v.space_id = any (_spaces)
                  order by v.space_id
                  limit 1) v) f
   where f.language not in ('simple', 'english');
$$;

-- In which language a question is read, or in which, with commas: _default where nothing visible is in another, else what
-- question_languages says of it and those. Cost: that of languages.
create or replace function muniment.read_question(_tenant bigint, _spaces bigint[], _question text, _default text)
returns text language plpgsql stable security invoker set search_path = '' as $$
declare
  _languages constant text[] := muniment.languages(_tenant, _spaces);
begin
  if _languages = '{}' then
    return _default;
  end if;
  return muniment.question_languages(_question, _default || array_remove(_languages, _default));
end $$;
