"""Under which aspect of a profile a relation stands."""

from typing import Final, Literal, get_args

from muniment.extraction.rules.vocabulary import KIN, ROLES

Aspect = Literal["identity", "traits", "work", "interests", "relations", "preferences", "events", "plans"]
ASPECTS: Final[tuple[Aspect, ...]] = get_args(Aspect)

_OF_RELATION: Final[dict[str, Aspect]] = {
    **dict.fromkeys(
        ("lives_in", "born_in", "born_on", "comes_from", "age", "also_known_as", "name", "speaks", "nationality"),
        "identity",
    ),
    **dict.fromkeys(("works_at", "works_as", "lead_of", "studies", "graduated_from", "joined"), "work"),
    **dict.fromkeys(("plays", "hobby", "interested_in"), "interests"),
    **dict.fromkeys(("married_to", "has_pet", "has_children", "friend_of", "knows"), "relations"),
    **dict.fromkeys(("likes", "dislikes", "prefers", "loves", "enjoys", "diet"), "preferences"),
    **{f"{kin.replace('-', '_')}_of": "relations" for kin in KIN},
    **{f"{role.replace(' ', '_').replace('-', '_')}_of": "work" for role in ROLES},
}
_OF_OBJECT: Final[dict[str, Aspect]] = {"person": "relations", "organization": "work"}


def aspect_of(relation: str, kind: str, object_type: str) -> Aspect:
    """What happened is an event, what is intended a plan; of statements the relation tells, else what it points to."""
    if kind == "event":
        return "events"
    if kind == "intention":
        return "plans"
    if relation.startswith("favo"):
        return "preferences"
    return _OF_RELATION.get(relation) or _OF_OBJECT.get(object_type) or "traits"
