"""Every named query with the parameters it is planned with, and how much it may read: test_plans.py goes through it."""

from plan_case import Case

from plan_cases import deriving, identity, keeping, proving, searching, upkeep, writing

ROOMS = (identity, writing, keeping, proving, deriving, searching, upkeep)
CASES: dict[str, Case] = {name: case for room in ROOMS for name, case in room.CASES.items()}
assert len(CASES) == sum(len(room.CASES) for room in ROOMS), "a query stands in two rooms"
