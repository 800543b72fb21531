"""The time that a caller gives of a mail is not the time of what the mail quotes."""

from base64 import b64encode
from datetime import UTC, datetime

from muniment.log.admission import admit_source
from muniment.log.documents import read_document
from muniment.log.vectors import Embedding
from muniment.model.source import SourceInput
from muniment.settings import Settings

MAIL = """Message-ID: <1@x>
MIME-Version: 1.0
From: Anna <a@x.org>

Yes.

On Friday Ben wrote:
> I moved to Lisbon.
"""


async def test_a_quotation_does_not_have_the_time_of_its_reply() -> None:
    at = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    source = admit_source(
        SourceInput(kind="file", content_base64=b64encode(MAIL.encode()).decode(), filename="m.eml", at=at), Settings()
    )
    document = await read_document(source, Embedding(None, None), "lexical", Settings())
    assert [None if said is None else said.at for said in document.said] == [at, None]
