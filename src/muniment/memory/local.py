"""A store in this process: what it consists of, concept by concept."""

from muniment.memory.in_process.accounting import LocalAccounting
from muniment.memory.in_process.asking import LocalAsking
from muniment.memory.in_process.credentials import LocalCredentials
from muniment.memory.in_process.derived import LocalDerived
from muniment.memory.in_process.evidence import LocalEvidence
from muniment.memory.in_process.integrity import LocalIntegrity
from muniment.memory.in_process.jobs import LocalJobs
from muniment.memory.in_process.lifecycle import LocalLifecycle
from muniment.memory.in_process.members import LocalMembers
from muniment.memory.in_process.policies import LocalPolicies
from muniment.memory.in_process.query_runs import LocalQueryRuns
from muniment.memory.in_process.sql_logins import LocalSqlLogins
from muniment.memory.in_process.tenants import LocalTenants
from muniment.memory.in_process.writing import LocalWriting
from muniment.memory.opening import AsyncMuniment


class LocalMuniment(
    LocalWriting, LocalAsking, LocalQueryRuns, LocalEvidence, LocalLifecycle, LocalDerived, LocalJobs, LocalPolicies,
    LocalIntegrity, LocalAccounting, LocalCredentials, LocalMembers, LocalSqlLogins, LocalTenants, AsyncMuniment,
):  # fmt: skip
    """A tenant of a store, its own unless another is named, with jobs run in this process while it is open."""
