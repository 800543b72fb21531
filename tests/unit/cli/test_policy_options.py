"""What is written of a policy on the command line."""

import pytest

from muniment.cli.commands.policy import class_from, retention_from
from muniment.errors import MunimentError


def test_classes_and_retention_are_read() -> None:
    assert class_from("email=mask,withhold") == ("email", {"ingest": "mask", "answer": "withhold"})
    assert class_from("phone=withhold") == ("phone", {"answer": "withhold"})
    assert retention_from("30=erase:email") == {"days": 30.0, "action": "erase", "sensitive": "email"}
    assert retention_from("0.5=close") == {"days": 0.5, "action": "close"}


@pytest.mark.parametrize("given", ["email", "email=", "email=eat", "email=mask,refuse", "=mask,mask"])
def test_a_class_without_an_action_or_with_two_is_refused(given: str) -> None:
    with pytest.raises(MunimentError) as caught:
        class_from(given)
    assert caught.value.code == "input.invalid"


@pytest.mark.parametrize("given", ["close", "soon=close", "=erase"])
def test_a_retention_without_days_is_refused(given: str) -> None:
    with pytest.raises(MunimentError):
        retention_from(given)
