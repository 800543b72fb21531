-- The _top_k best records by the default profile, version 2, without its bridge: what find_by_routes finds and the records up to two
-- positions from the thirty best by words and by meaning, ranked by score_coverage. With a window of time a quarter of the temporal score
-- is added; where the question says nothing beside a time, all of it, and a tenth of the rest: as the service does. A score is a share of
-- 2.1. routes says the rank and the score that each route gave. Cost: the routes, and about 20 microseconds a candidate.
create or replace function muniment.search_default(
  _tenant bigint, _spaces bigint[], _question text, _language text, _known_at bigint, _within bigint[], _top_k integer,
  _model integer, _vector public.halfvec, _from timestamptz, _to timestamptz)
returns table (record_no bigint, score double precision, routes jsonb)
language plpgsql stable security invoker set search_path = '' as $$
declare
  _terms text[];
  _weights double precision[];
  _held boolean[];
  _documents bigint;
  _mean_length double precision;
  _found_routes text[];
  _found_records bigint[];
  _found_scores double precision[];
  _found_ranks integer[];
  _lexical bigint[];
  _facts record;
  _ranked bigint[];
  _ranked_scores double precision[];
  _windowed constant boolean := _from is not null or _to is not null;
  _time_alone constant boolean := _windowed and muniment.asks_only_of_time(_question);
begin
  select array_agg(t.term), array_agg(t.weight), array_agg(t.holding > 0), min(t.documents), min(t.mean_length)
    into _terms, _weights, _held, _documents, _mean_length
    from (
      with question as materialized (
        select q.term, q.weight from muniment.question_terms(_question, _language) q),
      counted as materialized (
        select s.term, s.documents, s.total_length
          from muniment.lexical_statistics(_tenant, _spaces, (select array_agg(q.term) || array[''] from question q)) s)
      select q.term, c.documents as holding, a.documents,
             q.weight * ln(1 + (a.documents - c.documents + 0.5::double precision) / (c.documents + 0.5::double precision)) as weight,
             greatest(a.total_length, 1)::double precision / greatest(a.documents, 1) as mean_length
        from question q
        join counted c on c.term = q.term
       cross join (select s.documents, s.total_length from counted s where s.term = '') a
       order by 4 desc, q.term collate "C"
       limit 64) t;
  select array_agg(f.route), array_agg(f.record_no), array_agg(f.score), array_agg(f.rank),
         array_agg(f.record_no order by f.rank) filter (where f.route = 'lexical')
    into _found_routes, _found_records, _found_scores, _found_ranks, _lexical
    from muniment.find_by_routes(
           _tenant, _spaces, _question, _language, _known_at, _within, _top_k, _terms, _weights, _held, coalesce(_documents, 0),
           coalesce(_mean_length, 1), _model, _vector, _from, _to) f;
  select d.* into _facts
    from muniment.describe_candidates(
           _tenant, _spaces, array(select distinct u from unnest(_found_records) u order by u),
           array(select distinct u.record_no
                   from unnest(_found_routes, _found_records, _found_ranks) u (route, record_no, rank)
                  where u.route in ('lexical', 'semantic') and u.rank <= 30),
           2, _known_at, case when coalesce(cardinality(_lexical), 0) < greatest(200, 5 * _top_k) then coalesce(_lexical, '{}') end, _terms,
           muniment.speakers_named(_question, array(select s.speaker from muniment.speakers(_tenant, _spaces, 2000) s)),
           _model, _vector) d;
  select array_agg(r.record_no), array_agg(r.score) into _ranked, _ranked_scores
    from (select s.record_no,
                 case when _time_alone then 0.1 else 1 end * s.score
                   + case when _time_alone then 1 else 0.25 end * coalesce(t.score, 0) as score
            from muniment.score_coverage(
                   _facts.records, _within, _facts.groups, _facts.positions, _facts.lengths, _facts.days, _facts.asks, _facts.named,
                   case when muniment.in_first_person(_question) then _facts.by_user end, _facts.cosines, _facts.count_candidates,
                   _facts.count_terms::integer[], _facts.counts, _terms, _weights, _held, coalesce(_mean_length, 1), _language) s
            left join (select u.record_no, u.score
                         from unnest(_found_routes, _found_records, _found_scores) u (route, record_no, score)
                        where u.route = 'temporal' and _windowed) t
              on t.record_no = s.record_no
           order by 2 desc, s.record_no) r;
  return query
    select c.record_no, least(1, greatest(0, r.score / 2.1)),
           (select coalesce(jsonb_object_agg(f.route, jsonb_build_object('rank', f.rank, 'score', f.score)), '{}')
              from unnest(_found_routes, _found_records, _found_scores, _found_ranks) f (route, record_no, score, rank)
             where f.record_no = c.record_no)
      from unnest(muniment.first_of_each_text(_tenant, coalesce(_ranked, '{}'), _known_at, _top_k)) with ordinality c (record_no, n)
      join unnest(_ranked, _ranked_scores) r (record_no, score)
        on r.record_no = c.record_no
     order by c.n;
end $$;

-- Search in plain SQL: the records of the login's tenant that fit the question best, best first, as search_default finds them. project,
-- user_name and agent choose spaces as a namespace does, filter as the interface's filters, as_of and known_at the time as there. With
-- the vector of the question, made by model (null: the newest of its length), meaning counts too. It is read in language, null: in what
-- read_question says. time_from (inclusive) and time_to
-- (exclusive) say which time the question is about: its own words for times are not read here. Raises 22023 for what cannot be asked,
-- 42501 for a login without a tenant. Reads only, under the login's row-level security. Cost: that of search_default.
create or replace function muniment.search(
  question text, top_k integer default 10, project text default null, user_name text default null, agent text default null,
  filter jsonb default null, as_of timestamptz default null, known_at bigint default null, vector public.halfvec default null,
  language text default null, model text default null, time_from timestamptz default null, time_to timestamptz default null)
returns table (rank bigint, record_id text, score double precision, text text, speaker text, role text, said_at timestamptz,
               source_key text, source_version integer, group_key text, "position" integer, locator jsonb, routes jsonb)
language plpgsql stable security invoker set search_path = '' as $$
declare
  _tenant constant bigint := muniment_auth.login_tenant();
  _question constant text := regexp_replace(question collate pg_unicode_fast, '^\s+|\s+$', '', 'g');
  _spaces bigint[];
  _commits bigint;
  _known_at bigint;
  _filter constant jsonb := muniment.filter_given(filter, as_of);
  _within bigint[];
begin
  perform muniment.admit_search(_tenant, _question, top_k, language, time_from, time_to);
  if '' in (project, user_name, agent) then
    raise exception 'input.namespace_invalid: project, user_name and agent are null or names' using errcode = '22023';
  end if;
  _spaces := array(
    select s.space_id
      from muniment.space s
     where s.tenant_id = _tenant
       and (project is null or s.project_id = project)
       and (user_name is null or s.user_id = user_name)
       and (agent is null or s.agent_id = agent)
     order by s.space_id);
  _commits := coalesce((select h.commits from muniment.log_head h where h.tenant_id = _tenant), 0);
  _known_at := coalesce(known_at, _commits);
  if _known_at > _commits then
    raise exception 'input.invalid: known_at is %; the last commit is %', _known_at, _commits using errcode = '22023';
  elsif _known_at < 0 then
    raise exception 'input.invalid: known_at is %; it must be at least 0', _known_at using errcode = '22023';
  end if;
  if _filter is not null then
    _within := array(select w.record_no from muniment.narrow_records(_tenant, _spaces, _filter, _known_at) w);
  end if;
  return query
    select row_number() over (order by f.score desc, f.n), 'd_' || replace(r.record_id::text, '-', ''), f.score, c.text, r.speaker,
           r.role, r.said_at, s.source_key, r.source_version, g.group_key, r.position, r.locator, f.routes
      from muniment.search_default(
             _tenant, _spaces, _question, coalesce(language, muniment.read_question(_tenant, _spaces, _question, 'english')),
             _known_at, _within, top_k, muniment.model_of(model, vector), vector,
             time_from, time_to) with ordinality f (record_no, score, routes, n)
     cross join lateral (
           select r.* from muniment.record r where r.tenant_id = _tenant and r.record_no = f.record_no limit 1) r
     cross join lateral (
           select c.text from muniment.record_content c where c.tenant_id = _tenant and c.record_no = f.record_no limit 1) c
     cross join lateral (
           select s.source_key from muniment.source s where s.tenant_id = _tenant and s.source_no = r.source_no limit 1) s
     cross join lateral (
           select g.group_key from muniment.record_group g where g.tenant_id = _tenant and g.group_no = r.group_no limit 1) g
     order by 1;
end $$;

-- Raises what is wrong with a search in plain SQL: 42501 without a tenant, else 22023. Constant.
create or replace function muniment.admit_search(
  _tenant bigint, _question text, _top_k integer, _language text, _from timestamptz, _to timestamptz)
returns void language plpgsql stable security invoker set search_path = '' as $$
begin
  if _tenant is null then
    raise exception 'store.not_permitted: the login "%" is mapped to no tenant', session_user using errcode = '42501';
  elsif coalesce(_question, '') = '' then
    raise exception 'input.empty_text: the question is empty or only white space' using errcode = '22023';
  elsif octet_length(_question) > 65536 then
    raise exception 'input.question_too_long: the question has % bytes; the limit is 65536', octet_length(_question)
      using errcode = '22023';
  elsif _top_k is null or _top_k not between 1 and 1000 then
    raise exception 'input.invalid: top_k is %; it must be from 1 to 1000', _top_k using errcode = '22023';
  elsif _language <> 'simple' and muniment.stem_dictionary(_language) is null then
    raise exception 'input.invalid: there is no stemmer for the language "%"', left(_language, 64) using errcode = '22023';
  elsif _from >= _to then
    raise exception 'input.invalid: time_from must lie before time_to' using errcode = '22023';
  end if;
end $$;

-- The number of the embedding model of this name, or of the newest with vectors as long as this; null without a vector. Raises 22023
-- where there is none, its vectors are not of this length, or the vector is zero. Reads the few models.
create or replace function muniment.model_of(_name text, _vector public.halfvec)
returns integer language plpgsql stable security invoker set search_path = '' as $$
declare
  _model integer;
begin
  if _vector is null then
    return null;
  end if;
  if public.l2_norm(_vector) = 0 then
    raise exception 'input.invalid: a vector of zeros is near nothing' using errcode = '22023';
  end if;
  select m.model_no into _model
    from muniment.embedding_model m
   where m.dimensions = public.vector_dims(_vector)
     and (_name is null or m.name = _name)
   order by m.model_no desc
   limit 1;
  if _model is null then
    raise exception 'input.invalid: there is no such embedding model with % dimensions', public.vector_dims(_vector)
      using errcode = '22023';
  end if;
  return _model;
end $$;
