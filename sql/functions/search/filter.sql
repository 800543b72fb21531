-- A filter as a caller writes it in the form that narrow_records takes, null where it narrows nothing. Lists may be single texts; sources
-- are keys or public ids; metadata is {key: value or {any, gt, gte, lt, lte}}. Raises 22023 for a key that there is not. Linear.
create or replace function muniment.filter_given(_filter jsonb, _as_of timestamptz)
returns jsonb language plpgsql stable security invoker set search_path = '' as $$
declare
  _key text;
  _value jsonb;
  _given jsonb := '{}';
begin
  if jsonb_typeof(_filter) not in ('object', 'null') then
    raise exception 'input.invalid: the filter is no JSON object' using errcode = '22023';
  end if;
  for _key, _value in select f.key, f.value from jsonb_each(nullif(_filter, 'null')) f where f.value <> 'null' loop
    if _key in ('group', 'session', 'source', 'modality', 'kind', 'speaker', 'role') then
      if jsonb_typeof(_value) not in ('string', 'array') then
        raise exception 'input.invalid: the filter by % takes a text or a list of texts', _key using errcode = '22023';
      end if;
      _value := case jsonb_typeof(_value) when 'string' then jsonb_build_array(_value) else _value end;
      if _key = 'source' then
        _value := (select jsonb_agg(case when s.name ~ '^s_[0-9a-f]{32}$' then substr(s.name, 3)::uuid::text else s.name end)
                     from jsonb_array_elements_text(_value) s (name));
      end if;
    elsif _key in ('time', 'said') then
      if jsonb_typeof(_value) <> 'object' or _value - array['since', 'until'] <> '{}' then
        raise exception 'input.invalid: the filter by % takes since and until', _key using errcode = '22023';
      end if;
      perform muniment.admit_window(_key, _value);
    elsif _key = 'metadata' then
      if jsonb_typeof(_value) <> 'object' then
        raise exception 'input.invalid: the filter by metadata is no JSON object' using errcode = '22023';
      end if;
      _value := (select jsonb_agg(muniment.metadata_condition(m.key, m.value)) from jsonb_each(_value) m);
    else
      raise exception 'input.filter_unknown: a filter has no "%"', left(_key, 64) using errcode = '22023';
    end if;
    _given := _given || jsonb_build_object(_key, _value);
  end loop;
  if _as_of is not null then
    _given := _given || jsonb_build_object('as_of', _as_of);
  end if;
  return nullif(_given, '{}');
end $$;

-- Raises 22023 for a window of a filter whose times have no zone, or between which nothing lies. Constant.
create or replace function muniment.admit_window(_key text, _window jsonb)
returns void language plpgsql stable security invoker set search_path = '' as $$
declare
  _name text;
  _time text;
begin
  for _name, _time in select w.key, w.value from jsonb_each_text(_window) w where w.value is not null loop
    if _time !~ ':[0-9.:]+ *(Z|[+-][0-9]{2}(:?[0-9]{2})?)$' then
      raise exception 'input.time_without_zone: the filter by %: % has no zone; write 2026-11-29T12:00:00Z', _key, _name
        using errcode = '22023';
    end if;
  end loop;
  if (_window ->> 'since')::timestamptz >= (_window ->> 'until')::timestamptz then
    raise exception 'input.invalid: the filter by %: since must lie before until', _key using errcode = '22023';
  end if;
end $$;

-- A condition on one metadata field, with the texts under which the values wanted may stand in the index. Raises 22023. Linear.
create or replace function muniment.metadata_condition(_key text, _value jsonb)
returns jsonb language plpgsql stable security invoker set search_path = '' as $$
declare
  _least jsonb;
  _most jsonb;
begin
  if jsonb_typeof(_value) <> 'object' then
    _value := jsonb_build_object('any', jsonb_build_array(_value));
  elsif _value - array['any', 'gt', 'gte', 'lt', 'lte'] <> '{}' or _value = '{}' then
    raise exception 'input.filter_unknown: a condition takes any, gt, gte, lt and lte' using errcode = '22023';
  end if;
  for _least, _most in
    select l.value, m.value
      from jsonb_each(_value) l
      join jsonb_each(_value) m on m.key in ('lt', 'lte')
     where l.key in ('gt', 'gte')
  loop
    if jsonb_typeof(_least) <> jsonb_typeof(_most) or _least > _most then
      raise exception 'input.invalid: the filter by metadata.%: nothing lies between the bounds', left(_key, 64) using errcode = '22023';
    end if;
  end loop;
  if _value -> 'any' is not null then
    if jsonb_typeof(_value -> 'any') <> 'array' then
      raise exception 'input.invalid: a condition''s any is a list' using errcode = '22023';
    end if;
    _value := _value || jsonb_build_object('forms', coalesce((
      select jsonb_agg(distinct f.form)
        from jsonb_array_elements(_value -> 'any') a (value),
             lateral (select a.value #>> '{}' as form
                      union
                      select trunc((a.value #>> '{}')::numeric)::text || n.ending
                        from unnest(array['', '.0']) n (ending)
                       where case when jsonb_typeof(a.value) = 'number'
                               then (a.value #>> '{}')::numeric = trunc((a.value #>> '{}')::numeric) else false end) f), '[]'));
  end if;
  return jsonb_build_object('key', _key) || _value;
end $$;
