-- Whether a metadata value fits a condition {any: [...], gt, gte, lt, lte}: numbers compare with numbers, texts with texts by code
-- point, and a value of another type does not fit. Constant but for the length of any.
create or replace function muniment.metadata_fits(_value jsonb, _condition jsonb)
returns boolean language sql immutable parallel safe security invoker set search_path = '' as $$
  select _value is not null
     and (_condition -> 'any' is null or exists (select from jsonb_array_elements(_condition -> 'any') a(value) where a.value = _value))
     and not exists (
           select
             from jsonb_each(_condition - 'any' - 'key' - 'forms') b(bound, value)
            where jsonb_typeof(b.value) <> jsonb_typeof(_value)
               or case jsonb_typeof(_value)
                    when 'number' then
                      case b.bound
                        when 'gt' then _value::numeric <= b.value::numeric
                        when 'gte' then _value::numeric < b.value::numeric
                        when 'lt' then _value::numeric >= b.value::numeric
                        else _value::numeric > b.value::numeric
                      end
                    when 'string' then
                      case b.bound
                        when 'gt' then (_value #>> '{}') collate "C" <= (b.value #>> '{}') collate "C"
                        when 'gte' then (_value #>> '{}') collate "C" < (b.value #>> '{}') collate "C"
                        when 'lt' then (_value #>> '{}') collate "C" >= (b.value #>> '{}') collate "C"
                        else (_value #>> '{}') collate "C" > (b.value #>> '{}') collate "C"
                      end
                    else true
                  end);
$$;

-- The texts of a filter's list, null where the filter does not have it. Linear in the list.
create or replace function muniment.filter_texts(_filter jsonb, _name text)
returns text[] language sql immutable parallel safe security invoker set search_path = '' as $$
  select case when _filter -> _name is null then null else array(select jsonb_array_elements_text(_filter -> _name)) end;
$$;

-- Those of the records that the filter lets through. The times of a record are those of which it tells; one that tells of none has
-- the moment at which it was said, and where that is not known either fits no range of times. as_of leaves out what has only later
-- times and was not said before it: a plan or a deadline was known of before its day. One look-up in record a record, and one range of record_time, or one look-up in record_content, source or record_group,
-- where the filter asks for them.
create or replace function muniment.matching_records(_tenant bigint, _records bigint[], _filter jsonb)
returns table (record_no bigint)
language plpgsql stable security invoker set search_path = '' set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  _groups text[] := muniment.filter_texts(_filter, 'group');
  _sessions text[] := muniment.filter_texts(_filter, 'session');
  _sources text[] := muniment.filter_texts(_filter, 'source');
  _modalities text[] := muniment.filter_texts(_filter, 'modality');
  _kinds text[] := muniment.filter_texts(_filter, 'kind');
  _speakers text[] := muniment.filter_texts(_filter, 'speaker');
  _roles text[] := muniment.filter_texts(_filter, 'role');
  _said_since timestamptz := (_filter #>> '{said,since}')::timestamptz;
  _said_until timestamptz := (_filter #>> '{said,until}')::timestamptz;
  _since timestamptz := (_filter #>> '{time,since}')::timestamptz;
  _until timestamptz := (_filter #>> '{time,until}')::timestamptz;
  _as_of timestamptz := (_filter ->> 'as_of')::timestamptz;
  _timed boolean := _since is not null or _until is not null or _as_of is not null;
  _metadata jsonb := coalesce(_filter -> 'metadata', '[]');
begin
  return query
    select r.record_no
      from unnest(_records) u(record_no)
     cross join lateral (
             select f.record_no, f.group_no, f.source_no, f.said_at
               from muniment.record f
              where f.tenant_id = _tenant
                and f.record_no = u.record_no
                and (_sessions is null or f.session_id = any(_sessions))
                and (_modalities is null or f.modality = any(_modalities))
                and (_kinds is null or f.kind = any(_kinds))
                and (_speakers is null or f.speaker = any(_speakers))
                and (_roles is null or f.role = any(_roles))
                and (_said_since is null or f.said_at >= _said_since)
                and (_said_until is null or f.said_at < _said_until)
              limit 1) r
     where (not _timed or (
             select case
                      when count(*) > 0 then
                        bool_or((_since is null or t.to_at > _since) and (_until is null or t.from_at < _until))
                        and (_as_of is null or min(t.from_at) <= _as_of or coalesce(r.said_at <= _as_of, false))
                      else
                        (_since is null or coalesce(r.said_at >= _since, false))
                        and (_until is null or coalesce(r.said_at < _until, false))
                        and (_as_of is null or coalesce(r.said_at <= _as_of, true))
                    end
               from muniment.record_time t
              where t.tenant_id = _tenant
                and t.record_no = r.record_no))
       and (_groups is null or (
             select g.group_key
               from muniment.record_group g
              where g.tenant_id = _tenant
                and g.group_no = r.group_no) = any(_groups))
       and (_sources is null or (
             select s.source_key = any(_sources) or s.source_id::text = any(_sources)
               from muniment.source s
              where s.tenant_id = _tenant
                and s.source_no = r.source_no))
       and (_metadata = '[]' or (
             select not exists (
                      select
                        from jsonb_array_elements(_metadata) m(condition)
                       where not muniment.metadata_fits(c.payload -> (m.condition ->> 'key'), m.condition))
               from muniment.record_content c
              where c.tenant_id = _tenant
                and c.record_no = r.record_no));
end $$;
