"""A long message among short turns is found by what it says, however much else it says."""

import pytest
from asking import ATLAS, search

from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.retrieval.engine import Retriever
from muniment.tenancy.tenants import Tenant

SHORT = ("I bought some bread today.", "The bus was late again.", "My neighbour paints his fence.", "Lunch was good.")
FILLER = "The weather in the valley was pleasant, and people walked along the old river road. "
TOLD = "Your grandfather had to stop smoking because of his lungs."


@pytest.mark.parametrize("times", [1, 20, 80])
async def test_a_long_message_that_alone_has_the_words_is_first(
    writer: Writer, retriever: Retriever, tenant: Tenant, times: int
) -> None:
    turns = [Message(role="user", content=SHORT[n % len(SHORT)]) for n in range(60)]
    turns[30] = Message(role="assistant", content=FILLER * times + TOLD)
    await writer.ingest_messages(tenant.number, ATLAS, turns, group_id="talk")
    result = await search(retriever, tenant, "Why did grandfather have to stop smoking?")
    assert TOLD in result.hits[0].text
