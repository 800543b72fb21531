"""A tenant's own retrieval profiles: what differs from a built-in one, kept in versions."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from muniment.audit.chain import record_act
from muniment.database.pool import Database, Row, Scope
from muniment.errors import MunimentError
from muniment.model.languages import LANGUAGES
from muniment.model.profile import RetrievalProfile, admit_profile_name, can_name_profile
from muniment.model.refusals import refusals
from muniment.retrieval.planning.registry import PLANNERS
from muniment.retrieval.profile import PROFILES, Profile, profile_named
from muniment.retrieval.ranking.registry import RANKINGS
from muniment.retrieval.routes.registry import ROUTES

_FIXED = frozenset({"name", "version"})
_MAX_BYTES = 16 * 1024
_ATTEMPTS = 5


def changed(base: Profile, changes: Mapping[str, Any], *, name: str, version: int) -> Profile:
    """``base`` with some constants replaced; ``changes`` are nested as ``Profile.parameters`` gives them.

    Raises ``input.invalid`` for a parameter that does not exist, or a value of the wrong type or range.
    """
    _refuse_unknown(base, changes, "")
    merged = _merged(base.parameters(), changes) | {"name": name, "version": version}
    try:
        profile = _shape().validate_json(json.dumps(merged), strict=True)
    except ValidationError as error:
        first = refusals(error)[0]
        raise MunimentError("input.invalid", str(first), parameter=first.at) from None
    if profile.ranking not in RANKINGS or profile.planner not in PLANNERS:
        raise MunimentError(
            "input.invalid", "there is no such ranking or planner", rankings=sorted(RANKINGS), planners=sorted(PLANNERS)
        )
    _refuse_unknown_routes(profile, base)
    if profile.balance is not None and profile.balance not in {*profile.fusion.balances, "mixed", "balanced"}:
        raise MunimentError("input.invalid", "there is no such balance", balances=sorted(profile.fusion.balances))
    if profile.lexical.language not in LANGUAGES:
        raise MunimentError(
            "input.invalid",
            f"lexical.language: there is no stemmer for {profile.lexical.language[:64]!r}; there is one for "
            + ", ".join(LANGUAGES),
            parameter="lexical.language",
            known=list(LANGUAGES),
        )
    _refuse_out_of_range(profile, base)
    return profile


def from_row(row: Mapping[str, Any]) -> Profile:
    """The profile of a stored row; raises ``profile.unusable`` where this version cannot rank by it any more."""
    name, version = row["name"], row["version"]
    try:
        return changed(profile_named(row["base"]), row["changes"], name=name, version=version)
    except MunimentError as error:
        raise MunimentError(
            "profile.unusable", f"the profile {name} in version {version} cannot be used any more: {error.detail}; "
            "set it anew", name=name, version=version, because=error.detail,
        ) from error  # fmt: skip


async def in_force(scope: Scope, name: str) -> Profile:
    """The tenant's profile of this name, else the built-in one; raises ``input.invalid`` where there is neither,
    ``profile.unusable`` where it cannot be used any more."""
    row = await scope.row("profiles.current", name=name)
    return profile_named(name) if row is None else from_row(row)


async def stored_version(scope: Scope, name: str, version: int, digest: str) -> Profile | None:
    """The profile that a query run refers to, None where its constants are not to be had any more."""
    row = await scope.row("profiles.version", name=name, version=version)
    candidates = []
    if row is not None:
        with suppress(MunimentError):
            candidates.append(from_row(row))
    if name in PROFILES:
        candidates.append(PROFILES[name])
    return next((profile for profile in candidates if profile.digest() == digest), None)


async def list_profiles(database: Database, tenant: int) -> list[RetrievalProfile]:
    """All that the tenant may name, by name; a profile of the tenant's stands for a built-in one of its name.

    One that cannot be used any more is listed with the reason.
    """
    async with database.scope(tenant) as scope:
        rows = await scope.rows("profiles.list")
    own = {row["name"]: _stored(row) for row in rows}
    built_in = {name: _public(profile) for name, profile in PROFILES.items()}
    return [profile for _, profile in sorted((built_in | own).items())]


async def get_profile(database: Database, tenant: int, name: str) -> RetrievalProfile:
    """The one in force under the name; raises ``profile.not_found``."""
    row = None
    if can_name_profile(name):
        async with database.scope(tenant) as scope:
            row = await scope.row("profiles.current", name=name)
    if row is not None:
        return _stored(row)
    if name not in PROFILES:
        raise MunimentError("profile.not_found", "there is no such retrieval profile", name=name)
    return _public(PROFILES[name])


async def put_profile(
    database: Database, tenant: int, name: str, base: str | None, changes: Mapping[str, Any]
) -> RetrievalProfile:
    """Makes a new version of the tenant's profile, in force from now on; earlier ones stay for their query runs.

    A name of a built-in profile is taken over for this tenant, and its versions counted on from there; without ``base``
    that profile is what differs, else ``default``. What is in force already is left as it is. Raises
    ``input.invalid``, ``input.too_large``, and ``store.busy`` where others keep changing the same profile.
    """
    admit_profile_name(name)
    asked = _admitted(changes)
    base = base or (name if name in PROFILES else "default")
    changed(profile_named(base), asked, name=name, version=1)
    for _ in range(_ATTEMPTS):
        async with database.scope(tenant) as scope:
            row = await scope.row("profiles.current", name=name)
            if row is not None and (row["base"], row["changes"]) == (base, asked):
                break
            version = 1 + (row["version"] if row is not None else _built_in_version(name))
            digest = changed(profile_named(base), asked, name=name, version=version).digest()
            row = await scope.row(
                "profiles.insert", name=name, version=version, base=base, changes=json.dumps(asked), digest=digest
            )
            if row is not None:
                await record_act(scope, "profile.put", name, version=version)
        if row is not None:
            break
    else:
        raise MunimentError("store.busy", "others change this profile at the same time; nothing was stored")
    return _stored(row)


def _built_in_version(name: str) -> int:
    return PROFILES[name].version if name in PROFILES else 0


def _admitted(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes as they are stored; raises ``input.invalid`` for what JSON does not have, or ``input.too_large``."""
    try:
        written = json.dumps(dict(changes), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise MunimentError("input.invalid", "the changes hold a value that JSON does not have") from None
    if len(written) > _MAX_BYTES:
        raise MunimentError("input.too_large", f"the changes have more than {_MAX_BYTES} bytes", limit=_MAX_BYTES)
    return _nested(json.loads(written))


def _nested(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes with names such as ``lexical.k1`` taken apart, as the command line writes them."""
    nested: dict[str, Any] = {}
    for name, value in changes.items():
        *sections, last = name.split(".")
        below = nested
        for section in sections:
            within = below.setdefault(section, {})
            if not isinstance(within, dict):
                raise MunimentError("input.invalid", f"{name} and {section} are both given", parameter=name)
            below = within
        if last in below:
            raise MunimentError("input.invalid", f"{name} is given twice", parameter=name)
        below[last] = value
    return nested


@cache
def _shape() -> TypeAdapter[Profile]:
    """Made once: that takes longer than a search does."""
    return TypeAdapter(Profile)


def _stored(row: Row) -> RetrievalProfile:
    """The profile of a stored row, with the reason where it cannot be used any more."""
    stored = {"base": row["base"], "changes": row["changes"], "created_at": row["created_at"]}
    try:
        return _public(from_row(row)).model_copy(update=stored)
    except MunimentError as error:
        return RetrievalProfile(
            name=row["name"], version=row["version"], parameters={}, digest=row["digest"],
            unusable=error.facts["because"], **stored,
        )  # fmt: skip


def _public(profile: Profile) -> RetrievalProfile:
    return RetrievalProfile(
        name=profile.name,
        version=profile.version,
        base=None,
        changes={},
        parameters=profile.parameters(),
        digest=profile.digest(),
    )


def _refuse_unknown_routes(profile: Profile, base: Profile) -> None:
    """Weights are of routes that there are, or of those that the base already weighs."""
    known = {route.name for route in ROUTES} | {name for weights in _weights(base).values() for name in weights}
    for path, weights in _weights(profile).items():
        for name in sorted(set(weights) - known):
            raise MunimentError(
                "input.invalid",
                f"{path}: there is no route {name[:64]!r}; there are {', '.join(sorted(known))}",
                parameter=f"{path}.{name[:64]}",
                known=sorted(known),
            )


def _weights(profile: Profile) -> dict[str, Mapping[str, float]]:
    balances = {f"fusion.balances.{name}": weights for name, weights in profile.fusion.balances.items()}
    return {"fusion.weights": profile.fusion.weights, **balances}


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


_UPPER_BOUNDS: dict[str, float] = {
    "seconds": 600.0,
    "lexical.limit": 5000,
    "lexical.b": 1.0,
    "lexical.cap": 100_000,
    "lexical.cap_share": 1.0,
    "lexical.most_terms": 64,
    "lexical.lesser": 1.0,
    "semantic.limit": 5000,
    "semantic.per_context": 1000,
    "temporal.near": 5000,
    "temporal.also": 5000,
    "temporal.limit": 5000,
    "most_speakers": 2000,
    "graph.hops": 6,
    "graph.frontier": 2000,
    "graph.seeds": 100,
    "gate.rounds": 5,
    "gate.deep_hops": 6,
    "gate.deep_group_records": 20_000,
    "gate.terms": 64,
    "bridge.seeds": 100,
    "bridge.most_records": 1000,
    "claims.most": 200,
    "summaries.hits": 50,
    "summaries.terms": 64,
    "summaries.cap": 5_000,
    "summaries.exact": 50_000,
    "claims.probes": 20_000,
    "neighbours.anchors": 1000,
    "neighbours.reach": 20,
    "coverage.b": 1.0,
}
_LARGEST = 1e6
_ABOVE_ZERO = (
    "seconds",
    "coverage.longest",
    "budget.characters_per_token",
    "coverage.question_length",
    "coverage.long",
)


def _refuse_out_of_range(profile: Profile, base: Profile) -> None:
    """No number is negative where that of ``base`` is not, and what costs time has a bound."""
    values, of_base = dict(_numbers(profile.parameters(), "")), dict(_numbers(base.parameters(), ""))
    for path, most in _UPPER_BOUNDS.items():
        if not 0 <= values[path] <= most:
            raise MunimentError("input.invalid", f"{path} must lie between 0 and {most:g}", parameter=path, limit=most)
    for path in _ABOVE_ZERO:
        if values[path] <= 0:
            raise MunimentError("input.invalid", f"{path} must be more than 0", parameter=path)
    for path, value in values.items():
        if not abs(value) <= _LARGEST:
            raise MunimentError("input.invalid", f"{path} must be no more than {_LARGEST:g}", parameter=path)
        if value < 0 <= of_base.get(path, 0.0):
            raise MunimentError("input.invalid", f"{path} must not be negative", parameter=path)


def _numbers(parameters: Mapping[str, Any], path: str) -> Iterator[tuple[str, float]]:
    """Each number with its path."""
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{path}{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{path}{name}", value
