"""Citations of evidence."""

from muniment.model.identifiers import RECORD, SOURCE, public_id
from muniment.model.result import Citation
from muniment.retrieval.state import Evidence


def citation(evidence: Evidence, excerpt: str) -> Citation:
    """The citation of a record by an exact piece of its text."""
    return Citation(
        record_id=public_id(RECORD, evidence.record_id),
        locator=evidence.locator,
        excerpt=excerpt,
        source_id=public_id(SOURCE, evidence.source_id),
        source_key=evidence.source_key,
        source_version=evidence.source_version,
    )
