-- Whether a text has one of these words (in small letters) as a word of its own: "our" is none of "source". In scripts that write no
-- spaces anywhere in it, and so where its letters are escaped bytes. Linear in the text for each word.
create or replace function muniment.has_word(_text text, _words text[])
returns boolean language sql immutable parallel safe security invoker set search_path = '' as $$
  select exists (
    select from unnest(_words) w (word)
     where strpos(lower(_text), w.word) > 0
       and (w.word ~ '[\u0E00-\U0010FFFF]|\\[0-7]{3}'
            or lower(_text) ~ ('(^|[^[:alnum:]])' || regexp_replace(w.word, '([^[:alnum:]])', '\\\1', 'g') || '($|[^[:alnum:]])')));
$$;

-- The texts in a JSON value, without the names of its members. Linear in it.
create or replace function muniment.texts_of(_json jsonb)
returns text language sql immutable parallel safe security invoker set search_path = '' as $$
  select string_agg(t.text #>> '{}', ' ') from jsonb_path_query(_json, 'strict $.** ? (@.type() == "string")') t (text);
$$;

-- The object without its members that have one of these words in their texts, other than those named in _own. Linear in it for each word.
create or replace function muniment.without_words(_json jsonb, _words text[], _own text[])
returns jsonb language sql immutable parallel safe security invoker set search_path = '' as $$
  select coalesce(jsonb_object_agg(m.key, m.value), '{}')
    from jsonb_each(_json) m
   where m.key = any (_own)
      or not coalesce(muniment.has_word(muniment.texts_of(m.value), _words), false);
$$;
