"""An erasure takes its words out of what quotes it, and leaves alone what only holds them inside other words."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, text

from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.settings import Settings


async def test_what_others_asked_stays_though_a_word_of_it_is_part_of_every_run(tmp_path: Path) -> None:
    kept = Settings(data_dir=tmp_path / "store", embedding_provider="none", pool_size=4)
    async with (
        LocalMuniment(kept, Namespace(project_id="home")) as home,
        LocalMuniment(kept, Namespace(project_id="other")) as other,
    ):
        await home.ingest_messages([{"speaker": "Ana", "content": "The ferry leaves at noon."}], group_id="chat")
        asked = [await home.query("When does the ferry leave?"), await home.query("Where does Bo live?")]
        asked.append(await home.query("What leaves at noon?"))  # a word of both, and its own stem
        text = "Our zeppelin, because its detail is the rule: default outcome, found kind, at noon."
        run = await other.ingest_messages([{"speaker": "Anton", "content": text}], group_id="talk")
        found = await other.query("Whose is the zeppelin?")
        await other.erase(records=run.items[0].record_ids or [], reason="asked to")
        for each in asked:
            stored = await home.query_run(each.query_id)
            assert stored.question and (await home.replay(each.query_id)).identical
        assert (await other.query_run(found.query_id)).question == ""


WORDS = st.text(st.sampled_from("abzéж9-"), min_size=1, max_size=4).filter(lambda word: word.strip("-") == word)


@pytest.fixture
def has_word(admin_url: str):  # type: ignore[no-untyped-def]
    engine = create_engine(admin_url)
    statement = text("select muniment.has_word(:text, cast(:words as text[]))")
    with engine.connect() as connection:
        yield lambda held, *words: connection.execute(statement, {"text": held, "words": list(words)}).scalar_one()
    engine.dispose()


def test_a_word_stands_by_itself_but_where_no_spaces_are_written(has_word) -> None:  # type: ignore[no-untyped-def]
    assert has_word("It is OUR hour.", "our") and has_word("(our)", "our") and has_word("x, our", "no", "our")
    assert not has_word("source of hours, four", "our") and not has_word("", "our") and not has_word("our")
    assert has_word("we use c++ and node.js", "c++") and has_word("we use c++ and node.js", "node.js")
    escaped = [text.encode().decode("latin-1") for text in ("我喜欢喝茶", "喜欢")]
    held, word = ("".join(each if each < "\x7f" else f"\\{ord(each):03o}" for each in text) for text in escaped)
    assert has_word(held, word) and not has_word(held, "\\345\\000")
    assert has_word("我喜欢喝茶", "喜欢") and has_word("Élodie wrote", "élodie") and not has_word("xélodie", "élodie")


def test_any_word_of_a_text_is_found_in_it(has_word) -> None:  # type: ignore[no-untyped-def]
    @settings(max_examples=100, deadline=None)
    @given(words=st.lists(WORDS, min_size=1, max_size=5), glue=st.sampled_from([" ", ", ", '"', "\n"]))
    def check(words: list[str], glue: str) -> None:
        assert all(has_word(glue.join(words).upper(), word) for word in words)

    check()
