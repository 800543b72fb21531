"""The asyncio form, and the two ways to it: a store in this process, and a server."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from muniment.memory.interface.accounting import Accounting
from muniment.memory.interface.asking import Asking
from muniment.memory.interface.credentials import Credentials
from muniment.memory.interface.derived import Derived
from muniment.memory.interface.evidence import Evidence
from muniment.memory.interface.integrity import Integrity
from muniment.memory.interface.jobs import Jobs
from muniment.memory.interface.lifecycle import Lifecycle
from muniment.memory.interface.members import Members
from muniment.memory.interface.policies import Policies
from muniment.memory.interface.query_runs import QueryRuns
from muniment.memory.interface.sql_logins import SqlLogins
from muniment.memory.interface.tenants import Tenants
from muniment.memory.interface.writing import Writing
from muniment.model.namespace import Namespace
from muniment.settings import Settings, settings_of_environment


class AsyncMuniment(
    Writing, Asking, QueryRuns, Evidence, Lifecycle, Derived, Jobs, Policies, Integrity, Accounting, Credentials,
    Members, SqlLogins, Tenants,
):  # fmt: skip
    """The memory of one namespace: evidence goes in, cited answers come out.

    Opened by ``open`` (a store in this process) or ``connect`` (a server), entered with ``async with``, awaited, or
    opened by the first call. May be used from many tasks at once, of one event loop. Every method takes a
    ``namespace`` of its own where it makes sense, in place of the one named at the opening. All raise
    ``MunimentError`` and nothing else for what can go wrong outside of the caller's code; after ``close`` its code
    is ``memory.closed``.
    """

    @staticmethod
    def open(
        path: str | Path | None = None,
        *,
        namespace: Namespace | None = None,
        settings: Settings | None = None,
        tenant: str | None = None,
    ) -> AsyncMuniment:
        """The store at ``path``, made where there is none; jobs run in this process for as long as it is open.

        ``path`` is the data directory, default ``MUNIMENT_DATA_DIR``. Where ``MUNIMENT_DATABASE_URL`` names a
        database, that is used, and the path holds only keys and checkpoints. Several processes may open a store.
        ``tenant`` is the id of another tenant than the store's own; the first call raises ``tenant.not_found`` where
        there is none. Raises ``input.invalid`` for a setting of the environment that cannot be.
        """
        chosen = settings or settings_of_environment()
        if path is not None:
            chosen = chosen.model_copy(update={"data_dir": Path(path)})
        return _form("local", "LocalMuniment")(chosen, namespace or Namespace(), tenant=tenant)

    @staticmethod
    def connect(url: str, *, api_key: str, namespace: Namespace | None = None, timeout: float = 600.0) -> AsyncMuniment:
        """The memory behind a server's REST API. Nothing is sent before the first call.

        ``timeout`` in seconds bounds one request. Writes carry an Idempotency-Key, so that they are safely made
        again when the connection breaks or the server is busy. Raises ``input.invalid`` for what is no URL.
        """
        return _form("remote", "RemoteMuniment")(url, api_key, namespace or Namespace(), timeout)


def _form(module: str, name: str) -> Callable[..., AsyncMuniment]:
    """One of the two, imported when it is asked for: to speak to a server nobody waits for all that a store needs."""
    form: Callable[..., AsyncMuniment] = getattr(import_module(f"muniment.memory.{module}"), name)
    return form
