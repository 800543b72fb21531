"""The policy: show, set, history."""

import asyncio
from typing import Annotated, Any

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, print_json, safe
from muniment.errors import MunimentError
from muniment.model.policy import Policy, PolicyList

app = typer.Typer(no_args_is_help=True, help="Sensitive content and retention: show, set, history.")

_INGEST = ("keep", "mark", "mask", "refuse")


@app.command()
def show(data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Show the policy in force."""

    async def read() -> Policy:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.policy()

    policy = asyncio.run(read())
    if as_json:
        print_json(policy)
    else:
        _print(policy)


@app.command()
def history(data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Show the policies that there were, the one in force first."""

    async def read() -> list[Policy]:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.policies()

    policies = asyncio.run(read())
    if as_json:
        print_json(PolicyList(policies=policies))
        return
    for policy in policies:
        _print(policy)


@app.command("set")
def set_policy(
    reason: Annotated[str, typer.Option("--reason", help="Why; kept in the log for good.")],
    classes: Annotated[
        list[str] | None,
        typer.Option("--class", help="CLASS=ACTION,… of keep, mark, mask, refuse, withhold: email=mask,withhold."),
    ] = None,
    retain: Annotated[
        list[str] | None,
        typer.Option("--retain", help="DAYS=close or DAYS=erase, for all records or those marked: 30=erase:email."),
    ] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Put a whole policy in the place of the one before; without --class and --retain, none."""
    asked_classes = dict(class_from(each) for each in classes or [])
    asked_retention = [retention_from(each) for each in retain or []]

    async def write() -> Policy:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.put_policy(classes=asked_classes, retention=asked_retention, reason=reason)

    policy = asyncio.run(write())
    if as_json:
        print_json(policy)
    else:
        _print(policy)


def class_from(given: str) -> tuple[str, dict[str, str]]:
    """What ``CLASS=ACTION,…`` says of a class; raises ``input.invalid``."""
    name, _, actions = given.partition("=")
    rule: dict[str, str] = {}
    for action in filter(None, actions.split(",")):
        part = "ingest" if action in _INGEST else "answer" if action in ("withhold", "serve") else None
        if part is None or part in rule:
            raise MunimentError("input.invalid", f"--class {given[:64]}: say CLASS=ACTION, as in email=mask,withhold")
        rule[part] = action
    if not rule:
        raise MunimentError("input.invalid", f"--class {given[:64]}: say CLASS=ACTION, as in email=mask,withhold")
    return name, rule


def retention_from(given: str) -> dict[str, Any]:
    """What ``DAYS=ACTION`` or ``DAYS=ACTION:CLASS`` says; raises ``input.invalid``."""
    days, _, rest = given.partition("=")
    action, _, sensitive = rest.partition(":")
    try:
        rule: dict[str, Any] = {"days": float(days), "action": action}
    except ValueError:
        raise MunimentError("input.invalid", f"--retain {given[:64]}: say DAYS=close or DAYS=erase") from None
    return rule | ({"sensitive": sensitive} if sensitive else {})


def _print(policy: Policy) -> None:
    if policy.commit == 0:
        console.print("no policy was ever set: everything is kept as it is, for ever")
        return
    console.print(f"set by commit {policy.commit} at {policy.at:%Y-%m-%dT%H:%M:%SZ}: {safe(policy.reason or '')}")
    for name, rule in policy.classes.items():
        console.print(f"  {name}: {rule.ingest} at ingest, {rule.answer} at answer")
    for kept in policy.retention:
        of = "everything" if kept.sensitive is None else f"what is marked as {kept.sensitive}"
        console.print(f"  {kept.action} {of} after {kept.days:g} days")
    if not policy.classes and not policy.retention:
        console.print("  everything is kept as it is, for ever")
