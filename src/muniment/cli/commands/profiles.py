"""Retrieval profiles: list, show, set."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, print_json, safe, table
from muniment.cli.retrieval_options import scalar
from muniment.errors import MunimentError
from muniment.model.profile import RetrievalProfile, RetrievalProfileList

app = typer.Typer(no_args_is_help=True, help="Retrieval profiles: list, show, set.")


@app.command("list")
def list_all(data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """List the profiles that a search may name."""

    async def read() -> list[RetrievalProfile]:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.profiles()

    profiles = asyncio.run(read())
    if as_json:
        print_json(RetrievalProfileList(profiles=profiles))
        return
    listing = table("name", "version", "base", "changes", "digest")
    for profile in profiles:
        changes = ", ".join(f"{path}={value}" for path, value in _leaves(profile.changes))
        listing.add_row(
            safe(profile.name), str(profile.version), safe(profile.base or "built in"), safe(changes),
            profile.digest[:12],
        )  # fmt: skip
    console.print(listing)
    for profile in profiles:
        _print_unusable(profile)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="A profile's name.")] = "default",
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Show a profile with all its parameters."""

    async def read() -> RetrievalProfile:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.profile(name)

    _print(asyncio.run(read()), as_json)


@app.command("set")
def set_profile(
    name: Annotated[str, typer.Argument(help="The profile's name; `default` changes what every search uses.")],
    changes: Annotated[
        list[str] | None, typer.Argument(help="PARAMETER=VALUE, as in lexical.k1=1.4; none for the base as it is.")
    ] = None,
    base: Annotated[
        str | None,
        typer.Option("--base", help="The built-in profile that it differs from; else the one of its name, or default."),
    ] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Make a profile of one's own: a built-in one with changes, which replace those made before."""
    asked = changes_from(changes or [])

    async def write() -> tuple[RetrievalProfile | None, RetrievalProfile]:
        async with open_memory(settings_from(data_dir, server)) as memory:
            try:
                before = await memory.profile(name)
            except MunimentError as error:
                if error.code != "profile.not_found":
                    raise
                before = None
            return before, await memory.put_profile(name, asked, base=base)

    before, made = asyncio.run(write())
    if as_json:
        print_json(made)
    else:
        _print_change(before, made)


def changes_from(given: list[str]) -> dict[str, Any]:
    """``lexical.k1=1.4`` as ``{"lexical": {"k1": 1.4}}``; raises ``usage.invalid``."""
    changes: dict[str, Any] = {}
    for change in given:
        path, sign, value = change.partition("=")
        *above, last = path.strip().split(".")
        if not sign or not all((*above, last)):
            raise MunimentError("usage.invalid", f"{change!r} is not of the form PARAMETER=VALUE")
        within = changes
        for part in above:
            within = within.setdefault(part, {})
            if not isinstance(within, dict):
                raise MunimentError("usage.invalid", f"{change!r}: {part} has a value already")
        within[last] = None if value.strip() == "null" else scalar(value.strip())
    return changes


def _leaves(values: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def differences(before: RetrievalProfile | None, made: RetrievalProfile) -> list[tuple[str, Any, Any]]:
    """Each parameter that differs as its name, what it was and what it is; where nothing was before, or nothing that
    can be used, what is not as in the base, with None for what it was."""
    if before is None or before.unusable is not None:
        return [(path, None, value) for path, value in _leaves(made.changes)]
    was, now = dict(_leaves(before.parameters)), dict(_leaves(made.parameters))
    return [
        (path, was.get(path), now.get(path))
        for path in sorted(was.keys() | now.keys())
        if path not in ("name", "version") and was.get(path) != now.get(path)
    ]


def _print_change(before: RetrievalProfile | None, made: RetrievalProfile) -> None:
    changed = differences(before, made)
    of = f"of {safe(made.base)}" if made.base is not None else "built in"
    console.print(f"[bold]{safe(made.name)}[/] version {made.version}, {of}" + ("" if changed else ": nothing changed"))
    for path, was, now in changed:
        console.print(f"  {safe(path)} = {safe(now)}" + (f" [dim](was {safe(was)})[/]" if was is not None else ""))


def _print_unusable(profile: RetrievalProfile) -> None:
    if profile.unusable is not None:
        console.print(f"[bold]{safe(profile.name)}[/] cannot be used any more: {safe(profile.unusable)}; set it anew")


def _print(profile: RetrievalProfile, as_json: bool) -> None:
    if as_json:
        print_json(profile)
        return
    of = f"{safe(profile.base)} with changes" if profile.base is not None else "built in"
    console.print(f"[bold]{safe(profile.name)}[/] version {profile.version}, {of}")
    console.print(f"[dim]{profile.digest}[/]")
    if profile.unusable is not None:
        _print_unusable(profile)
        for path, value in _leaves(profile.changes):
            console.print(f"  {safe(path)} = {safe(value)}")
        return
    changed = dict(_leaves(profile.changes))
    listing = table("parameter", "value", "")
    for path, value in _leaves(profile.parameters):
        if path not in ("name", "version"):
            listing.add_row(safe(path), safe(value), "changed" if path in changed else "")
    console.print(listing)
