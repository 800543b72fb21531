"""A server: what it consists of, concept by concept."""

from muniment.memory.opening import AsyncMuniment
from muniment.memory.over_rest.accounting import RemoteAccounting
from muniment.memory.over_rest.asking import RemoteAsking
from muniment.memory.over_rest.credentials import RemoteCredentials
from muniment.memory.over_rest.derived import RemoteDerived
from muniment.memory.over_rest.evidence import RemoteEvidence
from muniment.memory.over_rest.integrity import RemoteIntegrity
from muniment.memory.over_rest.jobs import RemoteJobs
from muniment.memory.over_rest.lifecycle import RemoteLifecycle
from muniment.memory.over_rest.members import RemoteMembers
from muniment.memory.over_rest.policies import RemotePolicies
from muniment.memory.over_rest.query_runs import RemoteQueryRuns
from muniment.memory.over_rest.sql_logins import RemoteSqlLogins
from muniment.memory.over_rest.tenants import RemoteTenants
from muniment.memory.over_rest.writing import RemoteWriting


class RemoteMuniment(
    RemoteWriting, RemoteAsking, RemoteQueryRuns, RemoteEvidence, RemoteLifecycle, RemoteDerived, RemoteJobs,
    RemotePolicies, RemoteIntegrity, RemoteAccounting, RemoteCredentials, RemoteMembers, RemoteSqlLogins, RemoteTenants,
    AsyncMuniment,
):  # fmt: skip
    """The tenant of an API key, over HTTP."""
