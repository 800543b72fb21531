"""What the guards refuse, by facts alone; the facts of a real server are tested in integration/database."""

import pytest

from muniment.database.guards import refuse_old_server, refuse_unsafe_role
from muniment.errors import MunimentError

PLAIN = {"name": "muniment_app", "superuser": False, "bypasses": False, "owns": False, "becomes": False}


@pytest.mark.parametrize("server", [180000, 180003, 190000])
@pytest.mark.parametrize("vector", ["0.8.6", "0.8.10", "0.9", "0.10.0", "1.0.0", "0.9.0-dev"])
def test_new_enough_versions_pass(server: int, vector: str) -> None:
    refuse_old_server(server, vector)


@pytest.mark.parametrize(
    ("server", "vector", "word"),
    [
        (179999, "0.8.6", "PostgreSQL 18"),
        (170006, "0.9.0", "PostgreSQL 18"),
        (180000, "0.8.5", "pgvector 0.8.6"),
        (180000, "0.8", "pgvector 0.8.6"),
        (180000, "0.7.10", "pgvector 0.8.6"),
        (180000, None, "does not offer"),
    ],
)
def test_older_versions_are_refused_by_name(server: int, vector: str | None, word: str) -> None:
    with pytest.raises(MunimentError, match=word) as caught:
        refuse_old_server(server, vector)
    assert caught.value.code == "store.too_old"


def test_a_plain_role_passes() -> None:
    refuse_unsafe_role(PLAIN)


@pytest.mark.parametrize("fact", ["superuser", "bypasses", "owns", "becomes"])
def test_each_fact_alone_is_reason_enough(fact: str) -> None:
    with pytest.raises(MunimentError) as caught:
        refuse_unsafe_role(PLAIN | {fact: True})
    assert caught.value.code == "store.unsafe_role"
    assert caught.value.facts == {"role": "muniment_app"}
