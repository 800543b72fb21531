# ruff: noqa: RUF001 - letters that look alike are the matter
"""The tokenizer: golden cases, and what holds for every text."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lexical_corpus import Corpus

from muniment.database.setup import driver_conninfo
from muniment.model.languages import LANGUAGES

Tokenize = Callable[..., dict[str, int]]


@pytest.fixture
def connection(admin_url: str) -> Any:
    """A plain connection: the tokenizer reads no table of a tenant."""
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as opened:
        yield opened


@pytest.fixture
def tokenize(connection: psycopg.Connection) -> Tokenize:
    """The terms of a text and their counts."""

    def run(text: str, language: str = "english") -> dict[str, int]:
        rows = connection.execute(
            "select term, occurrences from muniment.tokenize(%s, %s)", (text, language)
        ).fetchall()
        assert len({term for term, _ in rows}) == len(rows), "a term came twice"
        return dict(rows)

    return run


def exact(terms: dict[str, int]) -> list[str]:
    """The exact tokens, as often as they stand, sorted."""
    return sorted(term for term, count in terms.items() if not term.startswith("~") for _ in range(count))


GOLDEN = [
    # words
    ("", ""),
    (" \t\r\n ", ""),
    ("Dogs bark, dogs run.", "bark dogs dogs run"),
    ("HELLO Hello hello", "hello hello hello"),
    ("(well-known)", "known well well-known"),
    ("co-tech", "co co-tech tech"),
    ("yes/no and/or", "and and/or no or yes yes/no"),
    ("Wait...what?! No--really", "no really wait what"),
    ("rock\u2014paper\u2013scissors", "paper rock scissors"),
    ("non\u2011breaking hy\u00adphen", "breaking hyphen non non-breaking"),
    ("a\u00a0b\u3000c\u2003d", "a b c d"),
    # apostrophes
    ("Maya's Maya’s", "maya maya"),
    ("I'm we've they'll he'd isn't", "he i isn they we"),
    ("O'Brien l'homme", "brien homme l o"),
    ("'quoted' ‘curly’", "curly quoted"),
    # identifiers
    ("snake_case", "case snake snake_case"),
    ("__init__ _private", "init private"),
    ("camelCase", "camel camelcase case"),
    ("HTTPServer", "http httpserver server"),
    ("parseXMLDocument", "document parse parsexmldocument xml"),
    ("APIs URLs", "apis urls"),
    ("utf8Decode B2B", "b2b decode utf8 utf8decode"),
    ("user$name $HOME", "home name user user$name"),
    ("ERR_CONN_RESET", "conn err err_conn_reset reset"),
    ("net::ERR_CONN_RESET", "conn err err_conn_reset net net::err_conn_reset reset"),
    ("max_userCount", "count max max_usercount user usercount"),
    ("std::vector<int>", "int std std::vector vector"),
    ("foo(bar, baz[0])", "0 bar baz foo"),
    ("C++ and C# not C", "and c c c c# c++ not"),
    ("R&D AT&T", "at at&t d r r&d t"),
    # versions, numbers, dates
    ("v1.2.3", "2 3 v1 v1.2.3"),
    ("1.2.3-beta.1", "1 1 1.2.3-beta.1 2 3 3-beta beta"),
    ("3.14 50% -5", "14 3 3.14 5 50"),
    ("1,000 12,345,678 1,2,3", "1 1000 12345678 2 3"),
    ("$1,000.50", "1000 1000.50 50"),
    ("2023-05-07 10:30", "05 07 10 10:30 2023 2023-05-07 30"),
    ("COVID-19", "19 covid covid-19"),
    ("m² ①", "1 m2"),
    # addresses and paths
    ("maya@example.com", "com example example.com maya maya@example.com"),
    ("<maya@example.com>,", "com example example.com maya maya@example.com"),
    ("@maya #tag", "maya tag"),
    ("https://example.com/a?x=1.", "1 a com example example.com https https://example.com/a?x=1 x"),
    ("src/app.py", "app app.py py src src/app.py"),
    ("/usr/local/bin/", "bin local usr usr/local/bin"),
    (r"C:\Temp\a.txt", r"a a.txt c c:\temp\a.txt temp txt"),
    ("../shared/x", "shared shared/x x"),
    # scripts
    ("Straße STRASSE", "strasse strasse"),
    ("İstanbul ISTANBUL istanbul ıstanbul", "istanbul istanbul istanbul istanbul"),
    ("Σίσυφος ΣΊΣΥΦΟΣ", "σίσυφοσ σίσυφοσ"),
    ("café cafe\u0301 CAFÉ", "café café café"),
    ("ﬁnd ＡＢＣ", "abc find"),
    ("Привет, МИР!", "мир привет"),
    ("مرحبا بالعالم، كَتَبَ", "بالعالم كَتَبَ مرحبا"),
    ("שלום \u200fעולם\u200e", "עולם שלום"),
    ("हिन्दी में १२३", "में हिन्दी १२३"),
    ("می‌خواهم", "میخواهم"),
    ("日本語", "日 日本 本 本語 語"),
    ("東京タワー", "タ タワ ワ ワー ー 京 京タ 東 東京"),
    ("한국어 책", "국 국어 어 책 한 한국"),
    ("Python入門v2", "python v2 入 入門 門"),
    ("สวัสดี", "ดี วั วัส ส ส สดี สวั"),
    ("ｶﾞｷﾞ", "ガ ガギ ギ"),
    ("𠀋𠀌", "𠀋 𠀋𠀌 𠀌"),
    # no words
    ("👍🏽 🎉 👩‍👩‍👧 ♥ © …", ""),
    ("~ ~~dog", "dog"),
    ("a.*[b]{2}(c|d)\\", "2 a b c d"),
    ("'; drop table x; --", "drop table x"),
]


def test_exact_tokens(tokenize: Tokenize) -> None:
    found = {text: exact(tokenize(text)) for text, _ in GOLDEN}
    assert found == {text: sorted(expected.split()) for text, expected in GOLDEN}


def test_the_stem_of_a_word_stands_beside_it_and_counts_all_its_forms(tokenize: Tokenize) -> None:
    assert tokenize("Running runs, ran") == {"running": 1, "runs": 1, "ran": 1, "~run": 2, "~ran": 1}


def test_stop_words_numbers_and_identifiers_have_no_stem(tokenize: Tokenize) -> None:
    found = tokenize("the 2023 app_settings 東京 v1")
    assert {term for term in found if term.startswith("~")} == {"~app", "~set"}


def test_stems_follow_the_language_and_an_unknown_one_has_none(tokenize: Tokenize) -> None:
    expected = {
        ("german", "die Häuser"): {"~haus"},
        ("french", "des chevaux"): {"~cheval"},
        ("russian", "и книги"): {"~книг"},
        ("simple", "running dogs"): set(),
        ("klingon", "running dogs"): set(),
        ("", "running dogs"): set(),
        ("english'; drop", "running dogs"): set(),
    }
    for (language, text), stems in expected.items():
        found = tokenize(text, language)
        assert {term for term in found if term.startswith("~")} == stems
        assert len(exact(found)) == 2


def test_the_languages_of_profiles_are_those_that_have_a_stemmer(connection: psycopg.Connection) -> None:
    rows = connection.execute("select cfgname from pg_ts_config where muniment.stem_dictionary(cfgname) is not null")
    assert sorted(LANGUAGES) == sorted({name for (name,) in rows} | {"simple"})


def test_no_length_of_token_makes_a_term_longer_than_a_key_may_be(tokenize: Tokenize) -> None:
    for part in ("a", "aB", "東", "é", "a_", "x.", "a1", "ส", "\u0301", "%"):
        assert all(0 < len(term.encode()) <= 251 for term in tokenize(part * 3000)), part


def test_long_tokens_stay_different_when_only_their_ends_differ(tokenize: Tokenize) -> None:
    assert set(exact(tokenize("x" * 3000 + "a"))).isdisjoint(exact(tokenize("x" * 3000 + "b")))
    assert exact(tokenize("X" * 3000 + "a")) == exact(tokenize("x" * 3000 + "A"))


def test_a_megabyte_without_a_blank_is_cut_in_good_time(connection: psycopg.Connection) -> None:
    connection.execute("set statement_timeout = '60s'")  # seconds are plenty; what is quadratic takes minutes
    for text in ("x" * 1_000_000, "東" * 100_000, "aB" * 500_000, "a/" * 100_000, "١" * 500_000):
        rows = connection.execute("select count(*) from muniment.tokenize(%s, 'english')", (text,)).fetchone()
        assert rows is not None and rows[0] >= 1


def test_a_question_is_cut_as_texts_are_with_stop_words_dropped(connection: psycopg.Connection) -> None:
    rows = connection.execute(
        "select term, weight from muniment.question_terms('What did Maya paint in 2023 with ERR_X?', 'english')"
    ).fetchall()
    assert dict(rows) == {
        "maya": 0.5, "~maya": 1, "paint": 0.5, "~paint": 1, "2023": 1.5, "err_x": 1.5, "err": 0.5, "~err": 1,
        "x": 0.5, "~x": 1,
    }  # fmt: skip


def test_a_question_of_stop_words_keeps_them(connection: psycopg.Connection) -> None:
    for language in ("english", "simple", "klingon"):
        statement = "select term from muniment.question_terms('to be or not', %s)"
        rows = connection.execute(statement, (language,)).fetchall()
        assert {term for (term,) in rows} == {"to", "be", "or", "not"}


@given(text=st.text(max_size=60))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_gives_terms_that_fit_and_the_same_ones_again(tokenize: Tokenize, text: str) -> None:
    text = text.replace("\0", "")
    found = tokenize(text)
    assert found == tokenize(text)
    assert all(term not in ("", "~") and len(term.encode()) <= 251 and count > 0 for term, count in found.items())
    assert exact(tokenize(f"{text} {text}")) == sorted(exact(found) * 2)
    assert tokenize(f"{text}\n{text}\t") == {term: 2 * count for term, count in found.items()}


@given(word=st.from_regex(re.compile(r"\A[a-z]{1,12}\Z")))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_plain_word_is_cut_alike_wherever_it_stands(tokenize: Tokenize, word: str) -> None:
    # the first has a way of its own through the tokenizer, the others take the long one
    alone = tokenize(word)
    assert exact(alone) == [word]
    for text in (f"{word}\u2026", f"\u201c{word}\u201d", f"~{word}", f"{word}'s", f"{word.upper()}!", f"\u00bf{word}?"):
        assert tokenize(text) == alone


@given(texts=st.lists(st.text(max_size=40), min_size=1, max_size=4))
@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_what_the_tokenizer_says(
    connection: psycopg.Connection, tokenize: Tokenize, texts: list[str]
) -> None:
    texts = [text.replace("\0", "") for text in texts]
    with connection.transaction(force_rollback=True):
        connection.execute("set local session_replication_role = replica")  # rows of the index alone
        connection.execute(
            "select muniment.index_texts(1, 1, 'english_stem', %s::bigint[], %s, %s)",
            (list(range(1, len(texts) + 1)), texts, [False] * len(texts)),
        )
        rows = connection.execute(
            "select hashes, counts, length from muniment.lexical_document order by record_no"
        ).fetchall()
        named = [{term: _hash(connection, term) for term in tokenize(text)} for text in texts]
    for text, hash_of, (hashes, counts, length) in zip(texts, named, rows, strict=True):
        terms = tokenize(text)
        alike = {term for term, n in terms.items() if terms.get(f"~{term}") == n}  # stands for its stem too
        apart = {term: n for term, n in terms.items() if not (term.startswith("~") and term[1:] in alike)}
        kept = {term: -n if term in alike else n for term, n in apart.items()}
        assert sorted(zip(hashes, counts, strict=True)) == sorted((hash_of[term], n) for term, n in kept.items())
        assert hashes == sorted(hashes)
        assert length == sum(count for term, count in terms.items() if not term.startswith("~"))


def _hash(connection: psycopg.Connection, term: str) -> int:
    """CRC-32C of the term, less by half its range, as a forward row names it."""
    row = connection.execute("select crc32c(convert_to(%s, 'UTF8')) - 2147483648", (term,)).fetchone()
    assert row is not None
    return int(row[0])


async def test_a_records_own_words_find_it(corpus: Corpus) -> None:
    texts = ["Straße", "ERR_CONN_RESET", "src/app.py", "東京タワー", "हिन्दी", "maya@example.com", "İzmir", "v1.2.3"]
    records = await corpus.add(*texts)
    found: list[Awaitable[list[int]]] = [corpus.found(text, limit=1) for text in texts]
    assert await asyncio.gather(*found) == [[record] for record in records]


async def test_a_count_beyond_a_smallint_is_clamped(corpus: Corpus) -> None:
    (record,) = await corpus.add("ha " * 40_000)
    assert await corpus.found("ha") == [record]
    assert await corpus.statistics("ha", "") == {"ha": (1, 0), "": (1, 40_000)}


async def test_a_record_is_stemmed_in_the_language_of_its_source(corpus: Corpus) -> None:
    (record,) = await corpus.add("die Häuser am See", language="german")
    assert await corpus.found("Haus", language="german") == [record]
    assert await corpus.statistics("~haus", "~häuser") == {"~haus": (1, 0), "~häuser": (0, 0)}
