"""Named queries as the driver takes them."""

import re

import pytest

from muniment.database.queries import driver_query, query, statements


@pytest.mark.parametrize("name", sorted(statements()))
def test_the_driver_gets_the_parameters_that_sqlalchemy_would_bind(name: str) -> None:
    bound = set(query(name)._bindparams)
    given = driver_query(name)
    assert set(re.findall(r"(?<!%)%\((\w+)\)s", given)) == bound
    assert given % {parameter: f":{parameter}" for parameter in bound} == statements()[name]
