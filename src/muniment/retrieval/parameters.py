"""The parameters of retrieval: every constant of a route, a stage or a ranking, with the specification's values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

ROUTE_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "lexical": 1.0, "semantic": 1.0, "temporal": 0.85, "graph": 0.85, "code": 1.0, "table": 1.0, "image": 0.9,
        "document": 0.95, "conversation": 1.0, "bridge": 0.0, "claims": 0.85, "group": 0.0,
        "cards": 0.5, "episodes": 0.5, "profiles": 0.5,
    }
)  # fmt: skip
BALANCES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "precise": MappingProxyType({"lexical": 1.25, "semantic": 0.9, "graph": 0.65}),
        "broad": MappingProxyType({"semantic": 1.2, "graph": 1.15, "lexical": 0.85}),
        "code": MappingProxyType({"code": 1.8, "graph": 1.15, "document": 0.65}),
        "table": MappingProxyType({"table": 1.8, "semantic": 0.9}),
        "image": MappingProxyType({"image": 1.8, "semantic": 1.05}),
        "document": MappingProxyType({"document": 1.55, "lexical": 1.1}),
        "conversation": MappingProxyType({"conversation": 1.5, "temporal": 1.1}),
    }
)


@dataclass(frozen=True, slots=True)
class LexicalParameters:
    """BM25 and how many candidates it gives: ``limit``, and at least ``per_context`` times the hits wanted.

    ``cap`` bounds how many documents are scored in full; where many are visible it is the share ``cap_share`` of them,
    because the more there are, the more of the best hold no rare term of the question. Of the weight of words that tell
    little in a question (see ``lessening``) a share ``lesser`` is left; below 1 relative times are not embedded either.
    """

    k1: float = 1.5
    b: float = 0.75
    limit: int = 500
    per_context: int = 5
    cap: int = 4000
    cap_share: float = 0.013
    language: str = "english"
    most_terms: int = 64
    lesser: float = 1.0

    def wanted(self, top_k: int) -> int:
        """How many records to ask for when ``top_k`` hits are wanted."""
        return max(self.limit, self.per_context * top_k)

    def capped(self, documents: int) -> int:
        """How many of this many visible documents are scored in full at most."""
        return max(self.cap, round(self.cap_share * documents))


@dataclass(frozen=True, slots=True)
class SemanticParameters:
    """Neighbours asked of the vector index: at least ``limit``, and ``per_context`` times the hits wanted."""

    limit: int = 200
    per_context: int = 8

    def wanted(self, top_k: int) -> int:
        """How many neighbours to ask for when ``top_k`` hits are wanted."""
        return max(self.limit, self.per_context * top_k)


@dataclass(frozen=True, slots=True)
class SummaryParameters:
    """The routes over cards, episodes and profiles: without ``active`` they are idle.

    ``hits`` of each lead to records; the cosine counts ``cosine`` beside the share of the question's ``terms`` that is
    covered. At most ``cap`` postings a term and ``exact`` vectors a space are looked at, the latest.
    """

    active: bool = False
    hits: int = 5
    cosine: float = 0.7
    terms: int = 24
    cap: int = 500
    exact: int = 5000


@dataclass(frozen=True, slots=True)
class ClaimParameters:
    """How many claims lead to records (``most``), how many index probes look for them (``probes``), and by how much the
    ranking by coverage lifts the records of what holds, and lowers those of what no longer does (``weight``)."""

    weight: float = 0.0
    most: int = 20
    probes: int = 2000


@dataclass(frozen=True, slots=True)
class GraphParameters:
    """The walk: how many seeds of each earlier route, hops, and nodes kept a hop."""

    seeds: int = 5
    hops: int = 2
    frontier: int = 80


FIELD_WEIGHTS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "code": MappingProxyType({"symbol": 1.0, "path": 0.8, "imports": 0.6, "language": 0.5}),
        "table": MappingProxyType({"headers": 1.0, "sheet": 0.8, "row": 0.5, "path": 0.4}),
        "image": MappingProxyType({"visible_text": 1.0, "description": 0.8, "filename": 0.4}),
        "document": MappingProxyType({"section": 1.0, "title": 0.8, "page": 0.7, "path": 0.5}),
        "conversation": MappingProxyType({"speaker": 1.0, "message": 0.8}),
    }
)
"""What a word of the question counts in each field of a record, by its modality."""


@dataclass(frozen=True, slots=True)
class ModalityParameters:
    """The modality routes (section 5): the weights of the score, and of each field by modality.

    Without ``active`` they are idle. ``most_of_speaker`` bounds the records of a speaker whom the question names: of
    one who has more in a space, only what the other routes found is scored. ``limit`` is what each route gives.
    """

    active: bool = True
    cosine: float = 0.56
    bm25: float = 0.30
    fields_share: float = 0.14
    named: float = 0.12
    fields: Mapping[str, Mapping[str, float]] = field(default_factory=lambda: FIELD_WEIGHTS)
    most_of_speaker: int = 500
    limit: int = 500


@dataclass(frozen=True, slots=True)
class FusionParameters:
    """Reciprocal rank fusion: the constant, and a weight by route (1 where none is named).

    ``balances`` say which weights differ under the balance that the planner chose (section 6).
    """

    constant: float = 60.0
    weights: Mapping[str, float] = field(default_factory=lambda: ROUTE_WEIGHTS)
    balances: Mapping[str, Mapping[str, float]] = field(default_factory=lambda: BALANCES)

    def weights_under(self, balance: str) -> dict[str, float]:
        """The weight of each route; one that is not named counts 1."""
        return {**self.weights, **self.balances.get(balance, {})}


@dataclass(frozen=True, slots=True)
class GateParameters:
    """When the first list is good enough, and what is tried where it is not (section 7).

    Confident: a hit above ``top``, and a margin of at least ``margin`` to the second, or the five best agree by
    ``agreement`` (mean token Jaccard), or there is one hit only. ``rounds`` bound the refinements by ``terms`` words of
    the top hits. Deep Recall, where ``deep``, walks ``deep_hops``, relaxes the margin by ``deep_margin``, and lets in
    at most ``deep_group_records`` records of the groups that have a hit.
    """

    top: float = 0.12
    margin: float = 0.018
    agreement: float = 0.07
    rounds: int = 2
    terms: int = 4
    deep: bool = True
    deep_hops: int = 3
    deep_margin: float = 0.45
    deep_group_records: int = 2000


@dataclass(frozen=True, slots=True)
class NeighbourParameters:
    """Same-group neighbours that become candidates: within ``reach`` positions of the top ``anchors`` of each route."""

    anchors: int = 0
    reach: int = 0


@dataclass(frozen=True, slots=True)
class BudgetParameters:
    """What the evidence of an answer may take up; tokens are estimated at ``characters_per_token``."""

    least_per_group: int = 4
    group_share: float = 0.5
    group_tokens: int = 2000
    tokens: int = 6000
    characters_per_token: float = 4.0


@dataclass(frozen=True, slots=True)
class AnswerParameters:
    """When to abstain, and how much to quote.

    ``least_score`` bounds the top hit's score. A question of whose terms the visible spaces hold no more than
    ``unknown_share`` (by weight) is abstained from unless the best cosine reaches ``unknown_cosine``: 3 % of LoCoMo's
    answerable questions, and 88 % of HotpotQA's asked of LoCoMo. So is one about a person whose own statements fit
    worse than other people's by ``other_gap`` or more, unless the best of those speaks of the person: 1 % of LoCoMo's
    answerable questions, and 28 % of those in which the persons are exchanged. So is one whose answerability is below
    ``least_answerable``, or where a speaker is named ``least_answerable_named``, unless the best cosine reaches
    ``sure_cosine``: 5 % of the answerable and 47 % of the unanswerable questions of the benchmark's own corpus, and
    1 % and 15 % of LoCoMo's.

    Where a claim holds that answers at least ``told_share`` of the question, by the weight of its terms, none of these
    bounds counts.

    Where the first record's time lies in the one that the question names, and no speaker is named, answerability may be
    ``dated_leeway`` lower: the words of a date stand in few of the records that tell of it.

    An answer that a model wrote has at most ``written_characters``. ``unsupported`` says what becomes of one with a
    number, date, quotation or name that none of the records it cites holds: quoting the records instead, abstaining,
    or giving it with a note.
    """

    least_score: float = 0.10
    unknown_share: float = 0.4
    unknown_cosine: float = 0.40
    other_gap: float = -0.10
    least_answerable: float = 1.0
    least_answerable_named: float = -0.75
    sure_cosine: float = 0.6
    told_share: float = 0.6
    dated_leeway: float = 0.5
    hits: int = 8
    sentences: int = 3
    characters: int = 1200
    rank_weight: float = 0.5
    gain: float = 0.15
    written_characters: int = 4000
    unsupported: Literal["quote", "abstain", "note"] = "quote"
