"""How a model is to answer, by what the question asks for."""

from collections.abc import Mapping
from types import MappingProxyType

DEFAULT = "fact"
_POLICIES: Mapping[str, str] = MappingProxyType(
    {
        "fact": "Answer in one short sentence, in the words of the evidence.",
        "list": "Name every item that the evidence holds, each once, and cite the record of each. "
        "Count only what you can cite.",
        "temporal": "Give the date or time as exactly as the evidence does and no more exactly. The time of a record "
        "is when it was said or written, not when what it tells of happened: resolve words such as 'yesterday' or "
        "'last Friday' against it.",
        "inference": "Say what the evidence makes likely, that it is a conclusion, and what it rests on. Where nothing "
        "in the evidence bears on it, abstain.",
        "multi_hop": "Join what several records say. Each step must stand in a record, and each of these is cited; "
        "where a step is missing, abstain.",
    }
)


def policy_of(intent: str) -> tuple[str, str]:
    """The name and the words of the policy for this intent; that of a fact for an intent without one."""
    name = intent if intent in _POLICIES else DEFAULT
    return name, _POLICIES[name]
