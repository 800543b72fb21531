-- The live and visible records that the filter lets through. They are read through the most selective index that the filter has a
-- key for (group, session, source, metadata, speaker, modality, time, said), and what else it says is asked of each: linear in what
-- that key finds. A filter with none of these keys reads the visible records.
create or replace function muniment.narrow_records(_tenant bigint, _spaces bigint[], _filter jsonb, _known_at bigint)
returns table (record_no bigint)
language plpgsql stable security invoker set search_path = '' set jit = off
as $$
declare
  _groups text[] := muniment.filter_texts(_filter, 'group');
  _sessions text[] := muniment.filter_texts(_filter, 'session');
  _sources text[] := muniment.filter_texts(_filter, 'source');
  _modalities text[] := muniment.filter_texts(_filter, 'modality');
  _speakers text[] := muniment.filter_texts(_filter, 'speaker');
  _said_since timestamptz := (_filter #>> '{said,since}')::timestamptz;
  _said_until timestamptz := (_filter #>> '{said,until}')::timestamptz;
  _since timestamptz := (_filter #>> '{time,since}')::timestamptz;
  _until timestamptz := (_filter #>> '{time,until}')::timestamptz;
  _condition jsonb := jsonb_path_query_first(coalesce(_filter -> 'metadata', '[]'), '$[*] ? (exists(@.forms))');
  _found bigint[];
begin
  if _groups is not null then
    _found := array(
      select r.record_no
        from muniment.record_group g
        join muniment.record r on r.tenant_id = _tenant and r.group_no = g.group_no
       where g.tenant_id = _tenant and g.space_id = any(_spaces) and g.group_key = any(_groups));
  elsif _sessions is not null then
    _found := array(
      select r.record_no
        from muniment.record r
       where r.tenant_id = _tenant and r.session_id = any(_sessions));
  elsif _sources is not null then
    _found := array(
      select r.record_no
        from muniment.source s
        join muniment.record r on r.tenant_id = _tenant and r.source_no = s.source_no
       where s.tenant_id = _tenant and s.space_id = any(_spaces) and s.source_key = any(_sources)
      union
      select r.record_no
        from muniment.source s
        join muniment.record r on r.tenant_id = _tenant and r.source_no = s.source_no
       where s.tenant_id = _tenant
         and s.source_id = any(array(
               select t.id::uuid
                 from unnest(_sources) t(id)
                where t.id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')));
  elsif _condition is not null then
    _found := array(
      select m.record_no
        from muniment.record_metadata m
       where m.tenant_id = _tenant
         and m.key = _condition ->> 'key'
         and m.value = any(muniment.filter_texts(_condition, 'forms'))
         and m.space_id = any(_spaces));
  elsif _speakers is not null then
    _found := array(
      select r.record_no
        from muniment.record r
       where r.tenant_id = _tenant and r.space_id = any(_spaces) and r.speaker = any(_speakers));
  elsif _modalities is not null then
    _found := array(
      select r.record_no
        from muniment.record r
       where r.tenant_id = _tenant and r.modality = any(_modalities) and r.space_id = any(_spaces));
  elsif _filter -> 'time' is not null then
    _found := array(
      select t.record_no
        from muniment.record_time t
       where t.tenant_id = _tenant
         and t.space_id = any(_spaces)
         and t.to_at > coalesce(_since, '-infinity')
         and t.from_at < coalesce(_until, 'infinity')
      union
      select r.record_no
        from muniment.record r
       where r.tenant_id = _tenant
         and r.space_id = any(_spaces)
         and r.said_at >= coalesce(_since, '-infinity')
         and r.said_at < coalesce(_until, 'infinity'));
  else
    _found := array(
      select r.record_no
        from muniment.record r
       where r.tenant_id = _tenant
         and r.space_id = any(_spaces)
         and (_said_since is null or r.said_at >= _said_since)
         and (_said_until is null or r.said_at < _said_until));
  end if;
  return query
    select m.record_no
      from muniment.matching_records(_tenant, _found, _filter) m
     cross join lateral (  -- by the key whatever the planner knows of the tables
             select from muniment.liveness l
              where l.tenant_id = _tenant
                and l.record_no = m.record_no
                and l.space_id = any(_spaces)
                and l.live_from_commit <= _known_at
                and (l.live_to_commit is null or l.live_to_commit > _known_at)
              limit 1) l;
end $$;
