"""In which languages a question is read, and which terms it then has."""

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import make_url

from muniment.database.setup import driver_conninfo

# The terms of a question as they were when English alone was read, by the tokenizer's exact tokens and its dictionary.
_ENGLISH_TERMS = """
with token as (
  select t.term, bool_and(t.word) as word, ts_lexize('english_stem', t.term) as lexemes
    from muniment.tokenize_chunks(string_to_array(translate(%(question)s, E'\\n\\t\\r', '   '), ' ')) t
   group by t.term),
term as (
  select t.term, t.lexemes, false as stem from token t
  union
  select '~' || t.lexemes[1], null, true from token t where t.word and t.lexemes[1] is not null)
select j.term,
       (case when j.stem then 1
             when j.lexemes[1] is not null and exists (select from term s where s.term = '~' || j.lexemes[1]) then 0.5
             else 1.5 end)::double precision
  from term j
 where j.stem or j.lexemes is distinct from '{}'
    or not exists (select from term o where o.stem or o.lexemes is distinct from '{}')
"""
_WORDS = st.sampled_from(
    ["What", "did", "the", "running", "runs", "Maya", "2023", "ERR_X", "who", "I", "src/app.py", "?"]
)


@pytest.fixture(scope="module")
def connection(server, template) -> Iterator[psycopg.Connection]:  # type: ignore[no-untyped-def]
    url = make_url(server.url(database=template)).render_as_string(hide_password=False)
    with psycopg.connect(driver_conninfo(url), autocommit=True) as opened:
        yield opened


def _languages(connection: psycopg.Connection, question: str, *languages: str) -> str:
    row = connection.execute("select muniment.question_languages(%s, %s)", (question, list(languages))).fetchone()
    assert row is not None
    return str(row[0])


def _terms(connection: psycopg.Connection, question: str, language: str) -> dict[str, float]:
    rows = connection.execute("select term, weight from muniment.question_terms(%s, %s)", (question, language))
    return dict(rows.fetchall())


@given(question=st.one_of(st.text(st.characters(max_codepoint=127), max_size=60), st.lists(_WORDS).map(" ".join)))
@example(question="What did Maya paint in 2023 with ERR_X?")
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_english_question_has_the_terms_that_it_always_had(connection: psycopg.Connection, question: str) -> None:
    question = question.replace("\0", "")
    before = connection.execute(_ENGLISH_TERMS, {"question": question}).fetchall()
    assert _terms(connection, question, "english") == dict(before)


@pytest.mark.parametrize(
    ("question", "visible", "read"),
    [
        ("Wie hoch ist die Miete?", ("english", "german"), "german"),
        ("Was war die Miete?", ("english", "german"), "german"),
        ("What was the rent?", ("english", "german"), "english"),
        ("war crimes", ("english", "german"), "german,english"),
        ("mieten", ("english", "german"), "english,german"),
        ("Quand part Élodie ?", ("english", "french", "german"), "french"),
        ("¿Cuánto costaron las bicicletas?", ("english", "spanish"), "spanish"),
        ("Who leads Atlas?", ("english",), "english"),
        ("", ("english", "german"), "english,german"),
    ],
)
def test_a_question_is_read_in_the_language_of_its_words_or_in_all(
    connection: psycopg.Connection, question: str, visible: tuple[str, ...], read: str
) -> None:
    assert _languages(connection, question, *visible) == read


def test_stop_words_and_question_words_are_those_of_the_language(connection: psycopg.Connection) -> None:
    assert set(_terms(connection, "Wie viele Mieten hat die Wohnung?", "german")) == {
        "mieten", "~miet", "wohnung", "~wohnung",
    }  # fmt: skip
    assert set(_terms(connection, "¿Cuánto costó la bicicleta?", "spanish")) == {
        "costó", "~cost", "bicicleta", "~biciclet",
    }  # fmt: skip


def test_read_in_several_languages_a_words_stems_share_their_weight(connection: psycopg.Connection) -> None:
    assert _terms(connection, "mieten", "english,german") == {"mieten": 0.5, "~mieten": 0.5, "~miet": 0.5}
    assert _terms(connection, "war Bus", "english,german") == {"war": 0.5, "~war": 1, "bus": 0.5, "~bus": 1}


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("Wróbel", "Wrobel"), ("Élodie", "Elodie"), ("réservé", "reservé"), ("Łódź", "Lodz"), ("Søren", "Soren"),
        ("Ελλάδα", "Ελλαδα"), ("مُحَمَّد", "محمد"), ("Müller", "Muller"), ("ёлка", "елка"), ("Nguyễn", "Nguyen"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["english", "spanish"])
def test_a_word_meets_its_spelling_without_accents_and_weighs_more_as_it_is_written(
    connection: psycopg.Connection, written: str, asked: str, language: str
) -> None:
    document = {
        term for (term,) in connection.execute("select term from muniment.tokenize(%s, %s)", (written, language))
    }
    plain, exact = _terms(connection, asked, language), _terms(connection, written, language)
    common = sum(weight for term, weight in plain.items() if term in document)
    plain_document = {
        term for (term,) in connection.execute("select term from muniment.tokenize(%s, %s)", (asked, language))
    }
    assert sum(weight for term, weight in exact.items() if term in plain_document) > 0
    assert 0 < common < sum(weight for term, weight in exact.items() if term in document)


def test_letters_that_only_look_like_marks_are_kept(connection: psycopg.Connection) -> None:
    for word in ("мой", "हिन्दी", "が", "한글"):
        row = connection.execute("select muniment.fold_marks(%s)", (word,)).fetchone()
        assert row == (word,)
