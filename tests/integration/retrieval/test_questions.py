"""Questions of every kind: each is answered, or refused with a code that says why."""

import pytest
from asking import LAUNCH, ask, ids, search, write_text

from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.retrieval.engine import Retriever
from muniment.tenancy.tenants import Tenant


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("", "input.empty_text"),
        (" \n\t", "input.empty_text"),
        ("a\x00b", "input.nul_byte"),
        ("\ud800", "input.encoding_invalid"),
        ("word " * 20_000, "input.question_too_long"),
    ],
)
async def test_a_question_that_cannot_be_asked_is_refused(
    retriever: Retriever, tenant: Tenant, question: str, code: str
) -> None:
    for asked in (search, ask):
        with pytest.raises(MunimentError) as caught:
            await asked(retriever, tenant, question)
        assert caught.value.code == code
    if code == "input.question_too_long":
        assert caught.value.facts == {"limit": 65536, "setting": "MUNIMENT_MAX_QUESTION_BYTES"}


async def test_more_hits_than_the_limit_are_refused(retriever: Retriever, tenant: Tenant) -> None:
    with pytest.raises(MunimentError) as caught:
        await search(retriever, tenant, "anything", top_k=101)
    assert caught.value.code == "input.too_many"
    assert caught.value.facts == {"limit": 100, "setting": "MUNIMENT_MAX_TOP_K"}


@pytest.mark.parametrize(
    "question",
    [
        "'; drop table muniment.record; --",
        "%_\\ .*(?:a+)+$ [launch",
        "launch & !date | <-> :* ~launch",
        "? ? ?",
        "\U0001f680\U0001f680",
        "\u202elaunch\u202c",
        ":tenant %(tenant)s {0} $1",
        "the of and is",
    ],
)
async def test_metacharacters_are_only_characters(
    writer: Writer, retriever: Retriever, tenant: Tenant, question: str
) -> None:
    (launch,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    result = await search(retriever, tenant, question)
    assert set(ids(result)) <= {launch}
    await ask(retriever, tenant, question)


async def test_a_question_of_ten_thousand_words_is_answered(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    (launch,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    await write_text(writer, tenant, "The canteen serves soup.", "canteen")
    question = "launch " + " ".join(f"w{n}" for n in range(9_999))
    result = await search(retriever, tenant, question)
    assert ids(result)[0] == launch


@pytest.mark.parametrize(
    ("stored", "question"),
    [
        (
            "\u6771\u4eac\u306e\u4f1a\u8b70\u306f\u6765\u9031\u306e\u6708\u66dc\u65e5\u3067\u3059\u3002",
            "\u6771\u4eac\u306e\u4f1a\u8b70\u306f\u3044\u3064\uff1f",
        ),
        (
            "\u05d4\u05e4\u05d2\u05d9\u05e9\u05d4 \u05d1\u05d9\u05e8\u05d5\u05e9\u05dc\u05d9\u05dd \u05de\u05d7\u05e8.",
            "\u05de\u05ea\u05d9 \u05d4\u05e4\u05d2\u05d9\u05e9\u05d4 \u05d1\u05d9\u05e8\u05d5\u05e9\u05dc\u05d9\u05dd?",
        ),
        ("Die Stra\u00dfe wird im M\u00e4rz gesperrt.", "Wann wird die STRASSE gesperrt?"),
    ],
)
async def test_other_scripts_are_found_and_quoted(
    writer: Writer, retriever: Retriever, tenant: Tenant, stored: str, question: str
) -> None:
    (record,) = await write_text(writer, tenant, stored, "foreign")
    await write_text(writer, tenant, "The canteen serves soup.", "canteen")
    result = await ask(retriever, tenant, question)
    assert result.citations[0].record_id == record
    assert stored in result.answer
