-- Who speaks in the visible spaces, each name once, at most _limit of them. One index probe a speaker and space: the index
-- record_speaker is skipped through, never scanned.
create or replace function muniment.speakers(_tenant bigint, _spaces bigint[], _limit integer)
returns table (speaker text)
language sql stable security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
  with recursive walk (space_id, speaker) as (
    select s.space_id,
           (select r.speaker
              from muniment.record r
             where r.tenant_id = _tenant
               and r.space_id = s.space_id
               and r.speaker is not null
             order by r.speaker
             limit 1)
      from unnest(_spaces) s (space_id)
    union all
    select w.space_id,
           (select r.speaker
              from muniment.record r
             where r.tenant_id = _tenant
               and r.space_id = w.space_id
               and r.speaker > w.speaker
             order by r.speaker
             limit 1)
      from walk w
     where w.speaker is not null)
  select distinct n.speaker
    from (select w.speaker from walk w where w.speaker is not null limit _limit) n;
$$;
