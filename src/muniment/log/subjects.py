"""The subjects of records, as rows of an index. They are read from titles and headings, and made anew by a rebuild."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from muniment.extraction.subjects import subjects_of

_MAX_BYTES = 512


@dataclass(frozen=True, slots=True)
class Titled:
    """A record: its text and fields, and its place in its document. A turn of a conversation has no subject."""

    space_id: int
    record_no: int
    text: str
    fields: Mapping[str, str]
    position: int
    modality: str


def subject_columns(records: Iterable[Titled]) -> dict[str, Any]:
    """The columns of the statement that stores the subjects of records; empty where none has one."""
    rows = [
        (subject, record)
        for record in records
        if record.modality != "conversation"
        for subject in subjects_of(record.text, record.fields, record.position)
        if len(subject.encode()) <= _MAX_BYTES
    ]
    if not rows:
        return {}
    return {
        "subjects": [subject for subject, _ in rows],
        "spaces": [record.space_id for _, record in rows],
        "records": [record.record_no for _, record in rows],
    }
