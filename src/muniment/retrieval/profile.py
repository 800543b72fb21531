"""Retrieval profiles: every ranking constant under a name, in a version that stored query runs refer to.

A profile never changes once released: a better constant is a new version. ``reference`` is the specification's
sections 1-9 to the letter; ``default`` ranks by coverage (section 0).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from types import MappingProxyType

from muniment.errors import MunimentError
from muniment.retrieval.formulas.answerability import AnswerabilityWeights
from muniment.retrieval.formulas.bridge import BridgeParameters
from muniment.retrieval.formulas.coverage import CoverageWeights
from muniment.retrieval.formulas.rerank import GroundingWeights, HitWeights, RerankWeights
from muniment.retrieval.formulas.supporting import SupportWeights
from muniment.retrieval.formulas.temporal import TemporalParameters
from muniment.retrieval.parameters import (
    AnswerParameters,
    BudgetParameters,
    ClaimParameters,
    FusionParameters,
    GateParameters,
    GraphParameters,
    LexicalParameters,
    ModalityParameters,
    NeighbourParameters,
    SemanticParameters,
    SummaryParameters,
)


@dataclass(frozen=True)  # without slots, since the digest is kept
class Profile:
    """One way of ranking.

    ``seconds`` is the deadline of a search that names none. ``balance`` names the route weights to use whatever the
    planner says; None leaves it to the planner.
    """

    name: str
    version: int
    ranking: str
    planner: str = "rules"
    balance: str | None = None
    seconds: float = 10.0
    strip_names: bool = False
    most_speakers: int = 2000
    lexical: LexicalParameters = field(default_factory=LexicalParameters)
    semantic: SemanticParameters = field(default_factory=SemanticParameters)
    temporal: TemporalParameters = field(default_factory=TemporalParameters)
    graph: GraphParameters = field(default_factory=GraphParameters)
    modality: ModalityParameters = field(default_factory=ModalityParameters)
    fusion: FusionParameters = field(default_factory=FusionParameters)
    neighbours: NeighbourParameters = field(default_factory=NeighbourParameters)
    bridge: BridgeParameters = field(default_factory=BridgeParameters)
    claims: ClaimParameters = field(default_factory=ClaimParameters)
    summaries: SummaryParameters = field(default_factory=SummaryParameters)
    support: SupportWeights = field(default_factory=SupportWeights)
    gate: GateParameters = field(default_factory=GateParameters)
    rerank: RerankWeights = field(default_factory=RerankWeights)
    grounding: GroundingWeights = field(default_factory=GroundingWeights)
    hit: HitWeights = field(default_factory=HitWeights)
    coverage: CoverageWeights = field(default_factory=CoverageWeights)
    answerability: AnswerabilityWeights = field(default_factory=AnswerabilityWeights)
    budget: BudgetParameters = field(default_factory=BudgetParameters)
    answer: AnswerParameters = field(default_factory=AnswerParameters)

    def parameters(self) -> dict[str, object]:
        """Every constant, as JSON values."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}

    def digest(self) -> str:
        """SHA-256 over the constants: two runs with the same digest ranked by the same numbers."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        return hashlib.sha256(json.dumps(self.parameters(), sort_keys=True).encode()).hexdigest()


def _plain(value: object) -> object:
    """Dataclasses and mappings as dicts, all the way down, since ``asdict`` does not copy a mapping proxy."""
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return list(value) if isinstance(value, tuple) else value


REFERENCE = Profile(
    name="reference",
    version=3,
    ranking="rerank",
    answer=AnswerParameters(  # abstains by the top hit's score alone
        unknown_share=-1.0, other_gap=-9.0, least_answerable=-99.0, least_answerable_named=-99.0
    ),
)
DEFAULT = Profile(
    name="default",
    version=5,
    ranking="coverage",
    strip_names=True,
    # of LoCoMo's and HotpotQA's evidence in the first ten nothing is lost by it, and more records cost time
    lexical=LexicalParameters(limit=200, lesser=0.1),
    semantic=SemanticParameters(limit=100, per_context=2),
    graph=GraphParameters(hops=1),  # the second hop gave 1 in 300 of LoCoMo's top ten, for 3 ms
    neighbours=NeighbourParameters(anchors=30, reach=2),
    modality=ModalityParameters(active=False),  # this ranking looks at no route's ranks: they would only cost time
    bridge=BridgeParameters(weight=0.3),
    claims=ClaimParameters(weight=0.3),
    coverage=CoverageWeights(
        reply=0.4, reply_cosine=0.3, time=0.25, time_alone=1.0, words_beside=0.1, speaker_alone=0.6
    ),
    gate=GateParameters(rounds=0, deep=False),  # a top score carries no signal there (section 0)
)

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in (REFERENCE, DEFAULT)})


def profile_named(name: str) -> Profile:
    """The profile of this name; raises ``input.invalid`` for an unknown one."""
    found = PROFILES.get(name)
    if found is None:
        raise MunimentError("input.invalid", "there is no such retrieval profile", profiles=sorted(PROFILES))
    return found
