"""What is ingested as a source, and what became of it."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from muniment.model.namespace import Name, Namespace
from muniment.model.refusals import Closed, allowed
from muniment.model.times import WrittenTime

MetadataValue = Annotated[str | int | float | bool, allowed("must be a text, a number, or true or false")]


class SourceInput(Closed):
    """One source to ingest: a text, or a file by path (Python and command line) or by its bytes in base64.

    ``source_key`` is the name under which later contents are versions of the same source; where it is left out it
    is the file name, or for a text the hash of its content. ``at`` is when the content was written, with a zone.
    ``language`` is the one by which its words are stemmed, where it is left out the one that its text
    is clearly in, else ``english``. ``commit`` is that of the repository from which a file is, for its locators.

    Made by hand, this and all shapes raise pydantic's ``ValidationError``; a mapping of the same fields given to the
    memory raises ``MunimentError`` instead.
    """

    kind: Literal["text", "file", "url"]
    text: str | None = None
    path: Path | None = None
    content_base64: str | None = None
    filename: Name | None = None
    url: str | None = None
    media_type: Name | None = None
    source_key: Name | None = None
    title: str | None = Field(None, max_length=1000)
    language: Name | None = None
    session_id: Name | None = None
    at: WrittenTime | None = None
    commit: Name | None = None
    metadata: dict[str, MetadataValue] = Field(default_factory=dict)

    @property
    def called(self) -> str | None:
        """The name by which its caller knows it, before it is read; None where it has none but its content."""
        return self.source_key or self.filename or (None if self.path is None else self.path.name)


class Problem(BaseModel):
    """Why an item failed: a stable code, a sentence, and facts (limits, positions) for programs."""

    code: str
    detail: str
    facts: dict[str, Any] = Field(default_factory=dict)


class ServedText(BaseModel):
    """A message or chunk, counted from 0, that was not stored because it is what was served from these records."""

    index: int
    record_ids: list[str]


class IngestionItem(BaseModel):
    """The end of one source of a run. ``records`` counts the records that it now has because of this run.

    Sources inside a source have items of their own, behind those that the run began with. ``archived`` is one that is
    no longer inside: its records no longer count.

    ``served`` is what came back of what had been served, and was not stored. In ``record_ids`` of a batch of messages
    the first record that it came from stands in its place. ``notes`` say what the reader of the source left out or
    found odd, as those of its version do; in lists of runs there are none.
    """

    index: int
    state: Literal["stored", "unchanged", "failed", "archived"]
    source_key: str | None = None
    source_id: str | None = None
    version: int | None = None
    records: int = 0
    record_ids: list[str] = Field(default_factory=list)
    served: list[ServedText] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    attempts: int = 1
    error: Problem | None = None


RunState = Literal["running", "interrupted", "succeeded", "partial", "failed"]
"""``interrupted``: items have no end, and nothing of the run has moved for an hour; what it brought stays, and is not
stored twice where the same is ingested again. So it is where a client said that more would follow, and none did."""


class IngestionRun(BaseModel):
    """A run of several sources, or of one batch of messages: each item succeeds or fails alone."""

    id: str
    kind: Literal["sources", "messages"]
    state: RunState
    namespace: Namespace
    created_at: datetime
    items: list[IngestionItem]


def ended(items: Sequence[IngestionItem]) -> Literal["succeeded", "partial", "failed"]:
    """The state of a run whose items all have an end."""
    failed = sum(item.state == "failed" for item in items)
    if not failed:
        return "succeeded"
    return "failed" if failed == len(items) else "partial"


class SourceVersion(BaseModel):
    """One content that a source has had. ``notes`` say what its reader could not do, or found odd."""

    version: int
    current: bool
    content_hash: str | None
    media_type: str
    filename: str | None
    title: str | None
    bytes: int
    records: int
    commit: int
    notes: list[str] = Field(default_factory=list)


Method = Literal["rules", "model", "vision"]
"""By what records are read: for facts by rules or a model, and images by a model that describes them."""


class ExtractionCounts(BaseModel):
    """How the extraction of facts from a source's current records stands, by one method: records by state.

    ``found`` facts rested on the records of the state ``facts`` when they were extracted; by ``vision`` they are the
    records of an image's description. ``reasons`` counts the codes
    of why some failed, or wait. What is in none of the states was brought in while the method was switched off.
    """

    pending: int = 0
    facts: int = 0
    none: int = 0
    failed: int = 0
    found: int = 0
    reasons: dict[str, int] = Field(default_factory=dict)


AskedMethod = Literal["rules", "model", "both", "vision"]
"""What may be asked for anew: ``both`` are rules and a model."""


class ExtractionRequest(BaseModel):
    """What is read for facts anew: ``records`` by ``method``, of ``both`` by the one that reads more, by ``vision``
    images to be described.

    ``tokens`` were taken in ``calls`` of models in the last 24 hours, of a ``budget`` that is 0 where nothing limits
    them.
    """

    method: AskedMethod
    records: int
    tokens: int
    calls: int
    budget: int


class Source(BaseModel):
    """A source and its versions, newest first. ``embedded`` of its current ``records`` have a vector.

    ``extraction`` is by method: ``rules``, ``model``, ``vision``. ``parent_id`` is the source that it is inside of.
    """

    id: str
    source_key: str
    parent_id: str | None = None
    kind: Literal["text", "file", "conversation"]
    namespace: Namespace
    created_at: datetime
    records: int
    embedded: int
    extraction: dict[str, ExtractionCounts] = Field(default_factory=dict)
    versions: list[SourceVersion] = Field(default_factory=list)


class SourceContent(BaseModel):
    """The original bytes of a version of a source."""

    version: int
    media_type: str
    filename: str | None
    content_hash: str
    data: bytes


class Preview(BaseModel):
    """A record in its place: its text as the original has it where its locator points, and what stands around it.

    ``exact`` where the original says there, white space aside, what the record says; else ``text`` is the record's.
    ``original`` is the source whose bytes it was read from, for a turn its export; null where none are kept.
    """

    record_id: str
    source_id: str
    source_key: str
    version: int
    original: str | None
    locator: dict[str, Any]
    before: str
    text: str
    after: str
    exact: bool
