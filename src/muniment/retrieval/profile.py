"""Retrieval profiles: every ranking constant under a name, in a version that stored query runs refer to.

A profile never changes once released: a better constant is a new version. ``reference`` is the specification's
sections 1-9 to the letter; ``default`` ranks by coverage (section 0).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Literal

from muniment.errors import MunimentError
from muniment.retrieval.formulas.answerability import AnswerabilityWeights
from muniment.retrieval.formulas.coverage import CoverageWeights
from muniment.retrieval.formulas.rerank import GroundingWeights, HitWeights, RerankWeights


@dataclass(frozen=True, slots=True)
class LexicalParameters:
    """BM25 and how many candidates it gives; ``cap`` bounds how many documents are scored in full."""

    k1: float = 1.5
    b: float = 0.75
    limit: int = 500
    cap: int = 4000
    language: str = "english"
    most_terms: int = 64


@dataclass(frozen=True, slots=True)
class SemanticParameters:
    """Neighbours asked of the vector index: at least ``limit``, and ``per_context`` times the hits wanted."""

    limit: int = 200
    per_context: int = 8

    def wanted(self, top_k: int) -> int:
        """How many neighbours to ask for when ``top_k`` hits are wanted."""
        return max(self.limit, self.per_context * top_k)


@dataclass(frozen=True, slots=True)
class GraphParameters:
    """The walk: how many seeds of each earlier route, hops, and nodes kept a hop."""

    seeds: int = 5
    hops: int = 2
    frontier: int = 80


@dataclass(frozen=True, slots=True)
class FusionParameters:
    """Reciprocal rank fusion: the constant, and a weight by route (1 where none is named)."""

    constant: float = 60.0
    weights: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({"lexical": 1.0, "semantic": 1.0, "graph": 0.85})
    )


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
    answerable questions, and 28 % of those in which the persons are exchanged.
    """

    least_score: float = 0.10
    unknown_share: float = 0.4
    unknown_cosine: float = 0.40
    other_gap: float = -0.10
    hits: int = 8
    sentences: int = 3
    characters: int = 1200
    rank_weight: float = 0.5
    gain: float = 0.15


@dataclass(frozen=True, slots=True)
class Profile:
    """One way of ranking. ``seconds`` bounds each statement of a route; a route that runs over is left out."""

    name: str
    version: int
    ranking: Literal["rerank", "coverage"]
    seconds: float = 10.0
    strip_names: bool = False
    most_speakers: int = 2000
    lexical: LexicalParameters = field(default_factory=LexicalParameters)
    semantic: SemanticParameters = field(default_factory=SemanticParameters)
    graph: GraphParameters = field(default_factory=GraphParameters)
    fusion: FusionParameters = field(default_factory=FusionParameters)
    neighbours: NeighbourParameters = field(default_factory=NeighbourParameters)
    rerank: RerankWeights = field(default_factory=RerankWeights)
    grounding: GroundingWeights = field(default_factory=GroundingWeights)
    hit: HitWeights = field(default_factory=HitWeights)
    coverage: CoverageWeights = field(default_factory=CoverageWeights)
    answerability: AnswerabilityWeights = field(default_factory=AnswerabilityWeights)
    budget: BudgetParameters = field(default_factory=BudgetParameters)
    answer: AnswerParameters = field(default_factory=AnswerParameters)

    def parameters(self) -> dict[str, object]:
        """Every constant, as JSON values."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        weights = {"constant": self.fusion.constant, "weights": dict(self.fusion.weights)}
        return {
            name: weights if name == "fusion" else asdict(value) if hasattr(value, "__dataclass_fields__") else value
            for name, value in plain.items()
        }

    def digest(self) -> str:
        """SHA-256 over the constants: two runs with the same digest ranked by the same numbers."""
        return hashlib.sha256(json.dumps(self.parameters(), sort_keys=True).encode()).hexdigest()


REFERENCE = Profile(name="reference", version=1, ranking="rerank")
DEFAULT = Profile(
    name="default",
    version=1,
    ranking="coverage",
    strip_names=True,
    semantic=SemanticParameters(per_context=2),
    graph=GraphParameters(hops=1),  # the second hop gave 1 in 300 of LoCoMo's top ten, for 3 ms
    neighbours=NeighbourParameters(anchors=100, reach=2),
)

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in (REFERENCE, DEFAULT)})


def profile_named(name: str) -> Profile:
    """The profile of this name; raises ``input.invalid`` for an unknown one."""
    found = PROFILES.get(name)
    if found is None:
        raise MunimentError("input.invalid", "there is no such retrieval profile", profiles=sorted(PROFILES))
    return found
