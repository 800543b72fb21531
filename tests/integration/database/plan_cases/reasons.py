"""Why a query is not planned, or may read much: what several rooms say."""

from plan_case import Case

CHECKS = "validation reads what it checks"
REBUILDS = "a rebuild reads what it rebuilds from"
COUNTS = "a count of the whole tenant, asked for after a rebuild or by validation"
ONE_TENANT = "all rows of the tenant are the answer"
NO_TABLE = Case(elsewhere="reads no table of tenants")
SET_UP = Case(elsewhere="run by the administrator at set-up")
CHECK = Case(whole=CHECKS)
