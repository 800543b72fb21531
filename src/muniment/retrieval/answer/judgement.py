"""Whether a model's answer may be given: cited, without foreign links, and saying only what its evidence says."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from muniment.extraction.unsupported import Unsupported, unsupported
from muniment.retrieval.answer.dates import dates_told
from muniment.retrieval.answer.links import foreign_links
from muniment.retrieval.answer.prompt import Labelled
from muniment.retrieval.answer.references import normal_label, numbered
from muniment.retrieval.answer.verdict import Verdict


@dataclass(slots=True)
class Judgement:
    """What becomes of an answer, and what was found in it.

    ``given`` stands for one that may be given, ``abstained`` for the model's own abstention, ``uncited`` for an answer
    without a valid citation, ``linked`` and ``unsupported`` for one that says what is not in its evidence.
    """

    outcome: Literal["given", "abstained", "uncited", "linked", "unsupported"]
    text: str = ""
    cited: list[Labelled] = field(default_factory=list)
    unknown_ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    unsupported: list[Unsupported] = field(default_factory=list)

    def detail(self) -> dict[str, Any]:
        """What was found, as JSON values; nothing where nothing was."""
        said = {
            "cited": {each.label: each.evidence.candidate.record_no for each in self.cited},
            "unknown_ids": self.unknown_ids[:20],
            "links": [link[:200] for link in self.links[:20]],
            "unsupported": [{"kind": each.kind, "text": each.text[:200]} for each in self.unsupported],
        }
        return {name: value for name, value in said.items() if value}


def judge(verdict: Verdict, shown: Sequence[Labelled], question: str, asked_at: datetime, *, policy: str) -> Judgement:
    """Checks an answer against the records that it cites, by id among those ``shown``.

    Ids of nothing shown are dropped. Under the policy for lists, numbers up to that of the cited records may be counts.
    """
    known = {each.label: each for each in shown}
    text, inside = numbered(verdict.answer, known)
    if verdict.abstain or not text:
        return Judgement("abstained")
    claimed = [normal_label(label) for label in verdict.citation_ids]
    labels = list(dict.fromkeys([*inside, *(label for label in claimed if label in known)]))
    judged = Judgement("given", text, [known[label] for label in labels])
    judged.unknown_ids = [label for label in claimed if label not in known]
    if not labels:
        judged.outcome = "uncited"
        return judged
    texts = [each.evidence.text for each in judged.cited]
    judged.links = foreign_links(verdict.answer, texts)
    places = [json.dumps([each.evidence.locator, each.evidence.speaker], default=str) for each in judged.cited]
    dates = dates_told(question, asked_at)
    for each in judged.cited:
        dates += dates_told(each.evidence.text, each.evidence.at)
    countable = len(judged.cited) if policy == "list" else 0
    bare, _ = numbered(verdict.answer, ())
    judged.unsupported = unsupported(bare, [*texts, *places], question, dates, countable=countable)
    if judged.links:
        judged.outcome = "linked"
    elif judged.unsupported:
        judged.outcome = "unsupported"
    return judged
