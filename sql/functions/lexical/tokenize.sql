-- The tokenizer unicode-code-v2: one definition, used at write and at read.
--
-- It depends on the Unicode tables built into PostgreSQL (the collation pg_unicode_fast and NFKC), never on the
-- database's locale, so that every server cuts a text in the same way. A text is cut at blanks into chunks, and each
-- *distinct* chunk is cut into tokens once, which is what makes indexing fast.
--
--   words        letters, digits and marks; NFKC, full case folding (Straße = strasse), every Turkish i is i
--   compounds    what _ $ - . / \ : @ ? = & # + ~ % hold together is kept whole beside its words, and so are its
--                segments: src/app.py gives src/app.py, app.py, src, app, py
--   camelCase    kept whole beside its parts; HTTPServer gives httpserver, http, server
--   numbers      1,000 is 1000; 3.14 is kept whole beside 3 and 14
--   apostrophes  cut; the English endings 's 't 'm 're 've 'll 'd are dropped
--   no spaces    runs of Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer give single characters (with their
--                marks) and adjacent pairs
--   the rest     punctuation, symbols and emoji only separate
--
-- No token is empty, begins with ~ (which marks stems) or = (which marks lists of postings) or is longer than 250 bytes: a longer one keeps its first 40
-- characters and a digest, so that a key never overflows and equal tokens stay equal.

-- The letters of scripts written without spaces, for a bracket expression: Thai, Lao, Burmese, Khmer, Chinese, Japanese, Korean. Constant.
create or replace function muniment.spaceless_letters()
returns text language sql immutable parallel safe security invoker set search_path = '' as $$
  select '\u0E01-\u0E3A\u0E40-\u0E4E\u0E81-\u0ECE\u1000-\u103F\u1050-\u109D\u1100-\u11FF\u1780-\u17D3\u2E80-\u2FDF'
    || '\u3005-\u3007\u3021-\u3029\u3041-\u309A\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF\u3105-\u312F\u3131-\u318E'
    || '\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF\U0001B000-\U0001B16F'
    || '\U00020000-\U0003FFFF';
$$;

-- Their marks, which stay with the letter before them, for a bracket expression. Constant.
create or replace function muniment.spaceless_marks()
returns text language sql immutable parallel safe security invoker set search_path = '' as $$
  select '\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u102B-\u103E\u1056-\u1059\u105E-\u1060'
    || '\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u17B4-\u17D3\u3099\u309A';
$$;

-- The marks that Unicode does not count as alphabetic, of all other scripts, for a bracket expression: [:alnum:] lacks them. Constant.
create or replace function muniment.other_marks()
returns text language sql immutable parallel safe security invoker set search_path = '' as $$
  select '\u0300-\u0362\u0483-\u0489\u0591-\u05AF\u0658\u06DF-\u06E0\u06EA-\u06EC\u0740-\u07F3\u07FD\u0818-\u082D'
    || '\u0859-\u085B\u0898-\u08E1\u08EA-\u0954\u09BC-\u09CD\u09FE-\u0A4D\u0ABC-\u0ACD\u0AFD-\u0B55\u0BCD\u0C3C-\u0C4D'
    || '\u0CBC-\u0D4D\u0DCA\u0F18\u0F19\u0F35\u0F37\u0F39\u0F3E-\u0F84\u0F86\u0F87\u0FC6\u135D-\u135F\u1714-\u1734'
    || '\u180B-\u180D\u180F\u1A60-\u1A7F\u1AB0-\u1B44\u1B6B-\u1B73\u1BAA-\u1BF3\u1C37\u1CD0-\u1CD2\u1CD4-\u1DFF'
    || '\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\uA66F-\uA672\uA67C\uA67D\uA6F0\uA6F1\uA806\uA82C\uA8C4\uA8E0-\uA8F1'
    || '\uA92B-\uA92D\uA953\uA9B3-\uA9C0\uAABF-\uAAC1\uAAF6\uABEC\uABED\uFE20-\uFE2F\U000101FD-\U000102E0'
    || '\U00010A38-\U00010A3F\U00010AE5\U00010AE6\U00010F46-\U00010F50\U00010F82-\U00010F85\U00011046'
    || '\U00011070-\U000110BA\U00011133\U00011134\U00011173\U000111C0\U000111C9-\U000111CC\U00011235\U00011236'
    || '\U000112E9-\U00011446\U0001145E-\U000114C3\U000115BF\U000115C0\U0001163F\U000116B6\U000116B7\U0001172B\U00011839'
    || '\U0001183A\U0001193D-\U00011943\U000119E0\U00011A33\U00011A34\U00011A47-\U00011A99\U00011C3F'
    || '\U00011D42-\U00011D97\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U0001D165-\U0001D169\U0001D16D-\U0001D172'
    || '\U0001E2AE-\U0001E2EF\U0001E8D0-\U0001E94A';
$$;

-- The exact tokens of each chunk, one row each time; word: made of letters alone, thus worth stemming. Linear in the text. No plan
-- depends on the chunks, and making one takes longer than to cut a question.
create or replace function muniment.tokenize_chunks(_chunks text[])
returns table (chunk_no integer, term text, word boolean)
language sql immutable parallel safe security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
  with given as materialized (
    select t.chunk_no, t.chunk, t.trimmed,
           octet_length(t.trimmed) < 64 and t.trimmed ~ '^(?:[A-Za-z]?[a-z]+|[A-Z]+|[0-9]+)$' as plain
      from (
        select g.chunk_no::integer as chunk_no, g.chunk, btrim(g.chunk, '.,;:!?"()[]*') as trimmed
          from unnest(_chunks) with ordinality g(chunk, chunk_no)
        offset 0
      ) t
  ),
  plain as (
    select chunk_no, lower(trimmed collate "C") as term, trimmed collate "C" >= 'A' as word
      from given
     where plain
  ),
  normal as (
    select chunk_no,
           case
             when octet_length(chunk) = length(chunk) then chunk
             else regexp_replace(
                    translate(normalize(chunk, NFKC), E'\u2010\u2011\u2212\u2018\u2019\u02BC', '---'''''''),
                    '[\u00AD\u200C-\u200F\u202A-\u202E\u2060-\u2069\uFE00-\uFE0F\uFEFF]+', '', 'g')
           end as text
      from given
     where not plain
  ),
  cut as materialized (
    select chunk_no,
           regexp_replace(
             regexp_replace(
               regexp_replace(text collate pg_unicode_fast, '([0-9]),(?=[0-9]{3}(?![0-9]))', '\1', 'g'),
               '(?<=[[:alpha:]])''(s|t|m|re|ve|ll|d)(?![[:alnum:]''])', ' ', 'gi'),
             '[.]{2,}|-{2,}', ' ', 'g') as text
      from normal
  ),
  spaceless as (
    select chunk_no,
           (regexp_matches(text, '[' || muniment.spaceless_letters() || ']+', 'g'))[1] as run
      from cut
     where octet_length(text) > length(text)
  ),
  characters as (
    select s.chunk_no, c.position, c.character, lead(c.character) over (partition by s.run_no order by c.position) as next
      from (select chunk_no, run, row_number() over () as run_no from spaceless) s,
           lateral (
             select m.position, m.match[1] as character
               from regexp_matches(s.run, '.[' || muniment.spaceless_marks() || ']*', 'g')
                    with ordinality m(match, position)
           ) c
  ),
  spaced as (
    select chunk_no,
           case
             when octet_length(text) = length(text) then text
             else regexp_replace(text, '[' || muniment.spaceless_letters() || ']+', ' ', 'g')
           end as text
      from cut
  ),
  runs as materialized (
    select chunk_no, (regexp_matches(text, '[-[:alnum:]_$./\\:@?=&#+~%' || muniment.other_marks() || ']+', 'g'))[1] as run
      from spaced
  ),
  whole as materialized (
    select chunk_no, btrim(run, '_$./\:@?=&#+~%-') as piece from runs
  ),
  segment as materialized (
    select w.chunk_no, btrim(s.piece, '.-_$') as piece
      from whole w, regexp_split_to_table(w.piece, '[/\\:@?=&#+~%]+') s(piece)
  ),
  dotted as materialized (
    select s.chunk_no, btrim(d.piece, '-_$') as piece from segment s, string_to_table(s.piece, '.') d(piece)
  ),
  dashed as materialized (
    select d.chunk_no, btrim(p.piece, '_$') as piece from dotted d, string_to_table(d.piece, '-') p(piece)
  ),
  single as materialized (
    select d.chunk_no, w.piece from dashed d, regexp_split_to_table(d.piece, '[_$]+') w(piece) where w.piece <> ''
  ),
  pieces as (
    select chunk_no, piece, false as word from whole where piece ~ '[/\\:@?=&#+~%]'
    union all
    select chunk_no, piece, false from segment where piece ~ '[.]'
    union all
    select chunk_no, piece, false from dotted where piece ~ '-'
    union all
    select chunk_no, piece, false from dashed where piece ~ '[_$]'
    union all
    select chunk_no, piece, piece !~ '[[:digit:]]' and length(piece) < 64 from single
    union all
    select s.chunk_no, p.piece, p.piece !~ '[[:digit:]]'
      from single s,
           string_to_table(
             regexp_replace(
               regexp_replace(s.piece, '([[:lower:]])(?=[[:upper:]])|([[:digit:]])(?=[[:upper:]][[:lower:]])', '\1\2 ', 'g'),
               '([[:upper:]])(?=[[:upper:]](?!s(?![[:lower:]]))[[:lower:]])', '\1 ', 'g'),
             ' ') p(piece)
     where length(s.piece) < 64
       and s.piece ~ '[[:lower:]][[:upper:]]|[[:digit:]][[:upper:]][[:lower:]]|[[:upper:]]{2}(?!s(?![[:lower:]]))[[:lower:]]'
    union all
    select chunk_no, substring(run from '^[^[:alnum:]]*([[:alpha:]]{1,2}(?:[+][+]|#))(?![[:alnum:]])'), false
      from runs
     where run ~ '^[^[:alnum:]]*[[:alpha:]]{1,2}([+][+]|#)(?![[:alnum:]])'
    union all
    select chunk_no, character, false from characters
    union all
    select chunk_no, character || next, false from characters where next is not null
  ),
  folded as (
    select chunk_no,
           case
             when octet_length(piece) = length(piece) then lower(piece collate pg_unicode_fast)
             else replace(replace(normalize(casefold(piece collate pg_unicode_fast), NFKC), E'i\u0307', 'i'), E'\u0131', 'i')
           end as term,
           word
      from pieces
  )
  select chunk_no, term, word from plain
  union all
  select chunk_no,
         case
           when octet_length(term) <= 250 then term
           else left(term, 40) || '~' || left(encode(sha256(convert_to(term, 'UTF8')), 'hex'), 32)
         end,
         word
    from folded;
$$;

-- The stemming dictionary of a language, null where PostgreSQL has none (then only exact tokens count). One catalog look-up.
create or replace function muniment.stem_dictionary(_language text)
returns regdictionary language sql stable parallel safe security invoker set search_path = '' as $$
  select d.oid::regdictionary
    from pg_catalog.pg_ts_dict d
   where d.dictname = lower(_language collate "C") || '_stem'
     and d.dictnamespace = 'pg_catalog'::regnamespace;
$$;

-- A word without its accents and vowel points, as people also write it: wróbel = wrobel, Ελλάδα = Ελλαδα. Latin, Greek, Cyrillic (but for
-- й), Hebrew and Arabic marks alone: elsewhere marks are letters. Its names are resolved where it is made, so that the planner writes it
-- out. Linear in the word, nothing for ASCII.
create or replace function muniment.fold_marks(_term text)
returns text language sql immutable parallel safe security invoker
return case
         when octet_length(_term) = length(_term) then _term
         else coalesce(nullif(normalize(translate(
                replace(replace(replace(
                  regexp_replace(
                    normalize(_term, NFD),
                    '(?<!\u0438)[\u0300-\u036F]|[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670]'
                    '|[\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]', '', 'g'),
                  'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'łøđðħŧ', 'loddht'), NFC), ''), _term)
       end;

-- The stem under which a word is indexed beside itself, without accents; null for a stop word, and for a word without accents where there
-- is no dictionary. The accents go before the word is stemmed, so that its spelling without them has the same stem, but for languages
-- whose endings are told by them: there behind it. Linear in the word.
create or replace function muniment.stem_of(_dictionary regdictionary, _term text)
returns text language sql immutable parallel safe security invoker
return case
         when _dictionary is null then nullif(muniment.fold_marks(_term), _term)
         when ts_lexize(_dictionary, _term) = '{}' then null
         when _dictionary = any ('{french_stem,hungarian_stem,irish_stem,lithuanian_stem,portuguese_stem,romanian_stem,turkish_stem}'
                                 ::regdictionary[])
           then muniment.fold_marks((ts_lexize(_dictionary, _term))[1])
         else muniment.fold_marks((ts_lexize(_dictionary, muniment.fold_marks(_term)))[1])
       end;

-- The words that questions of a language are asked with, also those behind how (how high, how long), beside the stop words of its dictionary. None for English. Constant.
create or replace function muniment.question_words(_language text)
returns text[] language sql immutable parallel safe security invoker set search_path = '' as $$
  select case _language
           when 'german' then '{wie,viel,viele,wer,wen,wem,wessen,wann,wo,woher,wohin,warum,wieso,weshalb,welche,welcher,welches,welchen,welchem,hoch,lang,lange,groß,gross,alt,oft,weit,teuer}'
           when 'french' then '{qui,que,quoi,quand,où,combien,comment,pourquoi,quel,quelle,quels,quelles,lequel,laquelle,est-ce}'
           when 'spanish' then '{qué,quién,quiénes,cuándo,dónde,cómo,cuánto,cuánta,cuántos,cuántas,cuál,cuáles,cuanto,cuanta,cuantos,cuantas,cual}'
           when 'italian' then '{chi,che,cosa,quando,dove,perché,quanto,quanta,quanti,quante,quale,quali}'
           when 'portuguese' then '{quem,quando,onde,quanto,quanta,quantos,quantas,qual,quais,porquê}'
           when 'dutch' then '{wie,wat,wanneer,waar,waarom,hoe,hoeveel,welk,welke}'
           when 'danish' then '{hvad,hvem,hvor,hvornår,hvorfor,hvordan,hvilken,hvilket,hvilke}'
           when 'norwegian' then '{hva,hvem,hvor,når,hvorfor,hvordan,hvilken,hvilket,hvilke}'
           when 'swedish' then '{vad,vem,när,varför,hur,vilken,vilket,vilka}'
           when 'finnish' then '{mikä,mitä,kuka,missä,milloin,miksi,miten,montako}'
           when 'russian' then '{кто,что,когда,где,почему,сколько,какой,какая,какие}'
           when 'turkish' then '{kim,ne,nerede,neden,nasıl,kaç,hangi}'
           when 'greek' then '{ποιος,ποια,ποιοσ,τι,πότε,πού,γιατί,πώς,πώσ,πόσο,πόσα}'
           when 'arabic' then '{من,ما,ماذا,متى,أين,لماذا,كيف,كم}'
           else '{}'
         end::text[];
$$;

-- The languages that a question may be in, of those given, with commas: the one alone of which it has most question words, which count
-- twice, and stop words, two at least; else all, at most four. Linear in the question and the languages.
create or replace function muniment.question_languages(_question text, _languages text[])
returns text language sql stable parallel safe security invoker set search_path = '' as $$
  with word as materialized (
    select distinct t.term
      from muniment.tokenize_chunks(string_to_array(translate(_question, E'\n\t\r', '   '), ' ')) t
     where t.word
  ),
  told as materialized (
    select l.language, l.n,
           coalesce(sum(case
                          when w.term = any (muniment.question_words(l.language)) then 2
                          when ts_lexize(l.dictionary, w.term) = '{}' then 1
                        end), 0) as words
      from (select u.language, u.n, muniment.stem_dictionary(u.language) as dictionary
              from unnest(_languages) with ordinality u (language, n)) l
      left join word w on true
     group by l.language, l.n
  )
  select case
           when count(*) = 1 then min(b.language)
           when min(b.words) filter (where b.place = 1) >= greatest(2, 1 + min(b.words) filter (where b.place = 2))
             then min(b.language) filter (where b.place = 1)
           else string_agg(b.language, ',' order by b.place) filter (where b.place <= 4)
         end
    from (select t.language, t.words, row_number() over (order by t.words desc, t.n) as place from told t) b;
$$;

-- The terms of a text with their counts: exact tokens, and beside each word that is no stop word its stem after a ~, in each of the
-- languages, which commas part. Linear in the text.
create or replace function muniment.tokenize(_text text, _language text)
returns table (term text, occurrences integer)
language sql stable parallel safe security invoker set search_path = '' as $$
  with language as materialized (
    select muniment.stem_dictionary(l.language) as dictionary from string_to_table(_language, ',') l (language)
  ),
  chunk as materialized (
    select row_number() over () as chunk_no, d.chunk, d.occurrences
      from (
        select c.chunk, count(*) as occurrences
          from string_to_table(translate(_text, E'\n\t\r', '   '), ' ') c(chunk)
         where c.chunk <> ''
         group by c.chunk
      ) d
  ),
  exact as materialized (
    select t.term, bool_and(t.word) as word, sum(c.occurrences)::integer as occurrences
      from muniment.tokenize_chunks((select array_agg(c.chunk order by c.chunk_no) from chunk c)) t
      join chunk c on c.chunk_no = t.chunk_no
     group by t.term
  )
  select term, occurrences from exact
  union all
  select '~' || s.stem, sum(s.occurrences)::integer
    from (
      select distinct e.term, e.occurrences, muniment.stem_of(l.dictionary, e.term) as stem
        from language l, exact e
       where e.word
    ) s
   where s.stem is not null
   group by 1;
$$;

-- The terms of a question with their weights: stems 1, their exact tokens 0.5, tokens without a stem 1.5; stop words and question words
-- of the language are dropped unless nothing else is left. Read in several languages, which commas part, a word's stems share their
-- weight, and only what each of them drops is dropped. Linear in the question.
create or replace function muniment.question_terms(_question text, _language text)
returns table (term text, weight double precision)
language sql stable parallel safe security invoker set search_path = '' as $$
  with language as materialized (
    select muniment.stem_dictionary(l.language) as dictionary, muniment.question_words(l.language) as asking
      from string_to_table(_language, ',') l (language)
  ),
  terms as materialized (
    select t.term from muniment.tokenize(_question, _language) t
  ),
  exact as materialized (
    select t.term,
           bool_and(coalesce(ts_lexize(l.dictionary, t.term) = '{}', false) or t.term = any (l.asking)) as stop
      from terms t, language l
     where t.term not like '~%'
     group by t.term
  ),
  kept as materialized (
    select e.term from exact e where not e.stop or not exists (select from exact o where not o.stop)
  ),
  stem as materialized (
    select s.term, s.stem, count(*) over (partition by s.term) as stems
      from (
        select distinct k.term, '~' || muniment.stem_of(l.dictionary, k.term) as stem
          from kept k, language l
      ) s
      join terms t on t.term = s.stem
  )
  select k.term,
         case when exists (select from stem s where s.term = k.term) then 0.5 else 1.5 end::double precision
    from kept k
  union all
  select s.stem, max(1 / s.stems::double precision)
    from stem s
   group by s.stem;
$$;
