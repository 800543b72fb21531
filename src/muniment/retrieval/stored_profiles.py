"""A tenant's own retrieval profiles: what differs from a built-in one, kept in versions."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.retrieval.planning.registry import PLANNERS
from muniment.retrieval.profile import PROFILES, Profile, profile_named
from muniment.retrieval.ranking.registry import RANKINGS

_FIXED = frozenset({"name", "version"})
_MAX_BYTES = 16 * 1024


class RetrievalProfile(BaseModel):
    """A profile as it is in force for a tenant. ``base`` and ``changes`` are None and empty for a built-in one."""

    name: str
    version: int
    base: str | None
    changes: dict[str, Any]
    parameters: dict[str, Any]
    digest: str
    created_at: datetime | None = None


def changed(base: Profile, changes: Mapping[str, Any], *, name: str, version: int) -> Profile:
    """``base`` with some constants replaced; ``changes`` are nested as ``Profile.parameters`` gives them.

    Raises ``input.invalid`` for a parameter that does not exist, or a value of the wrong type or range.
    """
    _refuse_unknown(base, changes, "")
    merged = _merged(base.parameters(), changes) | {"name": name, "version": version}
    try:
        profile = TypeAdapter(Profile).validate_python(merged)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise MunimentError("input.invalid", f"{where}: {first['msg']}", parameter=where) from None
    if profile.ranking not in RANKINGS or profile.planner not in PLANNERS:
        raise MunimentError(
            "input.invalid", "there is no such ranking or planner", rankings=sorted(RANKINGS), planners=sorted(PLANNERS)
        )
    _refuse_out_of_range(profile)
    return profile


def from_row(row: Mapping[str, Any]) -> Profile:
    """The profile of a stored row."""
    return changed(profile_named(row["base"]), row["changes"], name=row["name"], version=row["version"])


async def in_force(scope: Scope, name: str) -> Profile:
    """The tenant's profile of this name, else the built-in one; raises ``input.invalid`` where there is neither."""
    row = await scope.row("profiles.current", name=name)
    return profile_named(name) if row is None else from_row(dict(row))


async def stored_version(scope: Scope, name: str, version: int, digest: str) -> Profile | None:
    """The profile that a query run refers to, None where its constants are not to be had any more."""
    row = await scope.row("profiles.version", name=name, version=version)
    candidates = [] if row is None else [from_row(dict(row))]
    if name in PROFILES:
        candidates.append(PROFILES[name])
    return next((profile for profile in candidates if profile.digest() == digest), None)


async def list_profiles(database: Database, tenant: int) -> list[RetrievalProfile]:
    """All that the tenant may name, by name; a profile of the tenant's stands for a built-in one of its name."""
    async with database.scope(tenant) as scope:
        rows = await scope.rows("profiles.list")
    own = {row["name"]: _public(from_row(dict(row)), row) for row in rows}
    built_in = {name: _public(profile) for name, profile in PROFILES.items()}
    return [profile for _, profile in sorted((built_in | own).items())]


async def get_profile(database: Database, tenant: int, name: str) -> RetrievalProfile:
    """The one in force under the name; raises ``profile.not_found``."""
    async with database.scope(tenant) as scope:
        row = await scope.row("profiles.current", name=name)
    if row is not None:
        return _public(from_row(dict(row)), row)
    if name not in PROFILES:
        raise MunimentError("profile.not_found", "there is no such retrieval profile", name=name)
    return _public(PROFILES[name])


async def put_profile(
    database: Database, tenant: int, name: str, base: str, changes: Mapping[str, Any]
) -> RetrievalProfile:
    """Makes a new version of the tenant's profile, in force from now on; earlier ones stay for their query runs.

    A name of a built-in profile is taken over for this tenant. Raises ``input.invalid``.
    """
    if len(json.dumps(changes)) > _MAX_BYTES:
        raise MunimentError("input.too_large", f"the changes have more than {_MAX_BYTES} bytes", limit=_MAX_BYTES)
    digest = changed(profile_named(base), changes, name=name, version=1).digest()
    async with database.scope(tenant) as scope:
        row = await scope.row("profiles.insert", name=name, base=base, changes=json.dumps(dict(changes)), digest=digest)
    assert row is not None
    return _public(from_row(dict(row)), row)


def _public(profile: Profile, row: Any = None) -> RetrievalProfile:
    return RetrievalProfile(
        name=profile.name,
        version=profile.version,
        base=None if row is None else row["base"],
        changes={} if row is None else row["changes"],
        parameters=profile.parameters(),
        digest=profile.digest(),
        created_at=None if row is None else row["created_at"],
    )


def _refuse_unknown(known: Any, changes: Mapping[str, Any], path: str) -> None:
    names = set(known) if isinstance(known, Mapping) else {each.name for each in fields(known)}
    for key, value in changes.items():
        where = f"{path}{key}"
        if key not in names and path not in ("fusion.weights.", "fusion.balances."):
            raise MunimentError("input.invalid", f"a profile has no {where}", parameter=where, known=sorted(names))
        if not path and key in _FIXED:
            raise MunimentError("input.invalid", f"{where} is not a parameter", parameter=where)
        below = known.get(key) if isinstance(known, Mapping) else getattr(known, key)
        if isinstance(value, Mapping) and (is_dataclass(below) or isinstance(below, Mapping)):
            _refuse_unknown(below, value, f"{where}.")


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        below = merged.get(key)
        merged[key] = _merged(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return merged


_UPPER_BOUNDS = {
    "seconds": 600.0,
    "lexical.limit": 5000,
    "lexical.cap": 100_000,
    "lexical.most_terms": 64,
    "semantic.limit": 5000,
    "graph.hops": 6,
    "graph.frontier": 2000,
    "graph.seeds": 100,
    "gate.rounds": 5,
    "gate.deep_hops": 6,
    "gate.deep_group_records": 20_000,
    "neighbours.anchors": 1000,
    "neighbours.reach": 20,
}


def _refuse_out_of_range(profile: Profile) -> None:
    """No number is negative where none may be, and what costs time has a bound."""
    parameters = profile.parameters()
    for path, most in _UPPER_BOUNDS.items():
        value: Any = parameters
        for part in path.split("."):
            value = value[part]
        if not 0 <= value <= most:
            raise MunimentError("input.invalid", f"{path} must lie between 0 and {most}", parameter=path, limit=most)
    if profile.seconds <= 0:
        raise MunimentError("input.invalid", "seconds must be more than 0", parameter="seconds")
