"""Profiles: the reference is the specification, and a change of a constant shows."""

import dataclasses
import json

import pytest

from muniment.errors import MunimentError
from muniment.retrieval.profile import DEFAULT, PROFILES, REFERENCE, profile_named
from muniment.retrieval.ranking.registry import RANKINGS


def test_the_reference_profile_has_the_specifications_constants() -> None:
    assert (REFERENCE.lexical.k1, REFERENCE.lexical.b, REFERENCE.lexical.limit) == (1.5, 0.75, 500)
    assert REFERENCE.semantic.wanted(10) == 200
    assert REFERENCE.semantic.wanted(50) == 400
    assert (REFERENCE.graph.seeds, REFERENCE.graph.hops, REFERENCE.graph.frontier) == (5, 2, 80)
    assert (REFERENCE.fusion.constant, dict(REFERENCE.fusion.weights)) == (
        60,
        {
            "lexical": 1.0,
            "semantic": 1.0,
            "temporal": 0.85,
            "graph": 0.85,
            "code": 1.0,
            "table": 1.0,
            "image": 0.9,
            "document": 0.95,
            "conversation": 1.0,
            "bridge": 0.0,
            "claims": 0.85,
            "group": 0.0,
            "cards": 0.5,
            "episodes": 0.5,
            "profiles": 0.5,
        },
    )
    assert (REFERENCE.budget.group_tokens, REFERENCE.budget.tokens) == (2000, 6000)
    assert REFERENCE.answer.least_score == 0.10


def test_every_profile_names_a_ranking_that_exists() -> None:
    assert {profile.ranking for profile in PROFILES.values()} <= set(RANKINGS)


def test_a_changed_constant_changes_the_digest() -> None:
    changed = dataclasses.replace(DEFAULT, coverage=dataclasses.replace(DEFAULT.coverage, cosine=0.8))
    assert changed.digest() != DEFAULT.digest()
    assert json.loads(json.dumps(DEFAULT.parameters()))["coverage"]["cosine"] == 0.7


def test_an_unknown_profile_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(MunimentError) as caught:
        profile_named("fancy")
    assert caught.value.facts["profiles"] == ["default", "reference"]
