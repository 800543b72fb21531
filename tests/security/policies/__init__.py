"""Who may do what, written down by hand: the matrix that the catalog and the tenant tests are held against.

Nothing here is derived from ``sql/``. A new table, view, sequence, function, role or schema needs a line here, with a
reason wherever it differs from the rule; without one the wall tests fail.
"""

from policies.functions import DEFINERS, FUNCTIONS
from policies.roles import CONDEMNED_CLAUSE, LOGIN_CLAUSE, OURS, REMOVER, ROLES, SCHEMAS, SPACE_CLAUSE, TENANT_CLAUSE
from policies.tables import KEYS_WITHOUT_TENANT, OTHER_TABLES, TENANT_TABLES, TenantTable
from policies.views import MATERIALIZED_VIEWS, SEQUENCES, VIEWS

__all__ = [
    "CONDEMNED_CLAUSE",
    "DEFINERS",
    "FUNCTIONS",
    "KEYS_WITHOUT_TENANT",
    "LOGIN_CLAUSE",
    "MATERIALIZED_VIEWS",
    "OTHER_TABLES",
    "OURS",
    "REMOVER",
    "ROLES",
    "SCHEMAS",
    "SEQUENCES",
    "SPACE_CLAUSE",
    "TENANT_CLAUSE",
    "TENANT_TABLES",
    "VIEWS",
    "TenantTable",
]
