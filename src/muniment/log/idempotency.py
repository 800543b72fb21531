"""Idempotency keys: a request made twice with one key has one effect, and both get its run.

A key is bound to the hash of its request and to the number of its run when it is claimed. While the request runs,
its lease is extended; a writer that dies leaves the key to whoever asks after the lease. Since each item of the run
is written by the transaction that has its effect, whoever takes over does only what had not been done.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Literal

from muniment.database.pinning import current_pin
from muniment.database.pool import Database, Row, Scope
from muniment.errors import MunimentError


@dataclass(frozen=True, slots=True)
class Claim:
    """What a request may do: ``fresh`` starts its run, ``resumed`` ends a dead writer's, ``finished`` reads it.

    ``first`` is the number of its first item, which is not 0 where it adds to a run.
    """

    run_no: int
    state: Literal["fresh", "resumed", "finished"]
    first: int = 0


def of_pin(key: str | None) -> str | None:
    """The key as it is kept: those of a pinned credential are its own, since it may not learn of others'."""
    pin = current_pin()
    if key is None or pin is None:
        return key
    named = json.dumps(asdict(pin), sort_keys=True)
    return f"pin {sha256(named.encode()).hexdigest()[:32]} {key}"  # no key has a blank before it


def request_hash(request: dict[str, Any]) -> bytes:
    """SHA-256 of the request as JSON with sorted keys: the same for the same request however it was written."""
    return sha256(json.dumps(request, sort_keys=True, separators=(",", ":"), default=str).encode()).digest()


async def claim(database: Database, tenant: int, key: str | None, space: int, request: bytes, run_no: int) -> Claim:
    """Binds the key to the request and to the number of its run. Without a key every request is fresh.

    May be called again with the same ``run_no`` where the outcome of the first call is unknown.
    Raises ``idempotency.mismatch`` where the key was used for another request, and ``idempotency.in_progress`` where
    the same one still runs.
    """
    if key is None:
        return Claim(run_no, "fresh")
    lease = database.settings.idempotency_lease
    async with database.scope(tenant) as scope:
        bound = await scope.value(
            "idempotency.claim", key=key, space=space, request_hash=request, run_no=run_no, lease=lease
        )
        if bound is not None:
            return Claim(run_no, "fresh")
        row = await _bound(scope, key, request)
        if row["run_no"] == run_no:
            return Claim(run_no, "fresh")
        return await _taken_over(scope, key, row, lease, ours=False)


async def claim_addition(
    database: Database, tenant: int, key: str | None, space: int, request: bytes, run_no: int,
    make_room: Callable[[Scope], Awaitable[int]], *, again: bool,
) -> Claim:  # fmt: skip
    """Binds the key to a request that adds to a run, and to the first of the items that ``make_room`` makes room for.

    ``again`` says that the outcome of an earlier call is unknown: a lease is then taken for its own. Should it be
    another's after all, both do the same items, each of which is written once. Raises as ``claim`` and ``make_room``.
    """
    lease = database.settings.idempotency_lease
    async with database.scope(tenant) as scope:
        if key is not None and not await scope.value(
            "idempotency.claim", key=key, space=space, request_hash=request, run_no=run_no, lease=lease
        ):
            return await _taken_over(scope, key, await _bound(scope, key, request), lease, ours=again)
        first = await make_room(scope)
        if key is not None:
            await scope.execute("idempotency.place", key=key, first_item=first)
        return Claim(run_no, "fresh", first)


async def _bound(scope: Scope, key: str, request: bytes) -> Row:
    """What the key is bound to, which must be this request."""
    row = await scope.row("idempotency.lock", key=key)
    if row is None:  # released between the two statements
        raise MunimentError("idempotency.in_progress", "a request with this Idempotency-Key has just been refused")
    if row["request_hash"] != request:
        raise MunimentError("idempotency.mismatch", "this Idempotency-Key was used for another request")
    return row


async def _taken_over(scope: Scope, key: str, row: Row, lease: float, *, ours: bool) -> Claim:
    """The claim of a key that was bound before, unless its request still runs."""
    if row["response"] is not None:
        return Claim(row["run_no"], "finished", row["first_item"])
    if row["leased"] and not ours:
        raise MunimentError("idempotency.in_progress", "a request with this Idempotency-Key is still running")
    await scope.execute("idempotency.extend", key=key, lease=lease)
    return Claim(row["run_no"], "resumed", row["first_item"])


async def finish(scope: Scope, key: str | None) -> None:
    """The request is done; whoever makes it again gets its run."""
    if key is not None:
        await scope.execute("idempotency.finish", key=key, response=json.dumps({"finished": True}))


@asynccontextmanager
async def held(
    database: Database, tenant: int, key: str | None, claimed: Claim, *, release: bool
) -> AsyncIterator[None]:
    """Extends the lease for as long as the request runs. A request that raises gives the key up.

    With ``release`` it is given back as if it had never been used, which is right where an error means that nothing
    was stored; else the next to ask with it may take over at once.
    """
    if key is None or claimed.state == "finished":
        yield
        return
    keeper = asyncio.create_task(_extend(database, tenant, key))
    try:
        yield
    except BaseException:
        keeper.cancel()
        await asyncio.shield(_give_up(database, tenant, key, release=release))
        raise
    finally:
        keeper.cancel()


async def _extend(database: Database, tenant: int, key: str) -> None:
    lease = database.settings.idempotency_lease
    while True:
        await asyncio.sleep(lease / 3)
        try:
            async with database.scope(tenant) as scope:
                await scope.execute("idempotency.extend", key=key, lease=lease)
        except MunimentError:
            continue  # the lease has time left for another try


async def _give_up(database: Database, tenant: int, key: str, *, release: bool) -> None:
    try:
        async with database.scope(tenant) as scope:
            if release:
                await scope.execute("idempotency.release", key=key)
            else:
                await scope.execute("idempotency.extend", key=key, lease=0)
    except MunimentError:
        pass  # the lease ends by itself
