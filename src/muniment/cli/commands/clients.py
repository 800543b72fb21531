"""OAuth clients, members and signing keys of the local store."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from muniment.cli.options import AsJson, DataDir, OfTenant, namespace_from, settings_from, tenant_number
from muniment.cli.output import console, print_json, safe, table

if TYPE_CHECKING:
    from muniment.database.pinning import Pin
    from muniment.database.pool import Database

clients = typer.Typer(no_args_is_help=True, help="OAuth clients: create, list, rotate, revoke; rotate-signing-key.")
members = typer.Typer(no_args_is_help=True, help="Members: create, list, password, suspend, resume, delete.")

_Result = TypeVar("_Result")
Scopes = Annotated[list[str], typer.Option("--scope", help="What it may do at most; may be given several times.")]
PinnedProject = Annotated[str | None, typer.Option("--pin-project", help="It sees this project alone.")]
PinnedUser = Annotated[str | None, typer.Option("--pin-user", help="It sees this user alone.")]
PinnedAgent = Annotated[str | None, typer.Option("--pin-agent", help="It sees this agent alone.")]
_Client = Annotated[str, typer.Argument(help="A client's id: o_…")]
_Member = Annotated[str, typer.Argument(help="A member's id: u_…")]
_Password = Annotated[bool, typer.Option("--password", help="Ask for a password (from a pipe: its first line).")]


def within(data_dir: Path | None, tenant: str | None, work: "Callable[[Database, int], Awaitable[_Result]]") -> _Result:
    """What the work gives, done in the local store for the tenant of this id."""
    from muniment.runtime import open_runtime

    async def run() -> _Result:
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            return await work(runtime.database, await tenant_number(runtime, tenant))

    return asyncio.run(run())


def pin_from(project: str | None, user: str | None, agent: str | None) -> "Pin | None":
    """The pin of the flags, None without any."""
    from muniment.tenancy.principal import pin_of

    namespace = namespace_from(project, user, agent, None)
    return pin_of(namespace.project_id, namespace.user_id, namespace.agent_id)


@clients.command("create")
def create_client(
    name: Annotated[str, typer.Argument(help="As people see it when they are asked to allow it.")],
    scopes: Scopes,
    grants: Annotated[
        list[str] | None,
        typer.Option("--grant", help="client_credentials, authorization_code, refresh_token or device_code."),
    ] = None,
    redirects: Annotated[list[str] | None, typer.Option("--redirect", help="Where codes are sent.")] = None,
    public: Annotated[bool, typer.Option("--public", help="One that can keep no secret.")] = False,
    posts: Annotated[
        bool, typer.Option("--post-secret", help="It sends its secret in the form, not by Basic.")
    ] = False,
    project: PinnedProject = None,
    user: PinnedUser = None,
    agent: PinnedAgent = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a client; its secret is shown this once. Without --grant it acts for itself."""
    from muniment.tenancy.clients import DEVICE_CODE
    from muniment.tenancy.clients import create_client as create

    pin = pin_from(project, user, agent)
    asked = [DEVICE_CODE if each == "device_code" else each for each in grants or ["client_credentials"]]
    method = "none" if public else "client_secret_post" if posts else "client_secret_basic"
    made = within(
        data_dir,
        tenant,
        lambda database, number: create(
            database, number, name, grant_types=asked, scopes=scopes,
            redirect_uris=redirects or [], auth_method=method, pin=pin,
        ),
    )  # fmt: skip
    if as_json:
        print_json({"id": made.client.id, "secret": made.secret, "scopes": list(made.client.scopes)})
        return
    console.print(f"{made.client.id} ({', '.join(made.client.scopes)})", markup=False)
    if made.secret is not None:
        console.print(f"client secret, shown this once: {made.secret}", markup=False)


@clients.command("list")
def list_clients(tenant: OfTenant = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the clients, never their secrets."""
    from muniment.tenancy.clients import list_clients as read

    found = within(data_dir, tenant, lambda database, number: read(database, number))
    if as_json:
        print_json({"clients": [asdict(client) for client in found]})
        return
    listing = table("id", "name", "grants", "scopes", "redirects", "state")
    for client in found:
        grants = ", ".join(grant.rpartition(":")[2] for grant in client.grant_types)
        listing.add_row(
            client.id, safe(client.name), grants, ", ".join(client.scopes), safe(" ".join(client.redirect_uris)),
            "usable" if client.revoked_at is None else "revoked",
        )  # fmt: skip
    console.print(listing)


@clients.command("rotate")
def rotate_client(client: _Client, tenant: OfTenant = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Give a client another secret; the one before stops."""
    from muniment.tenancy.clients import rotate_client as rotate

    secret = within(data_dir, tenant, lambda database, number: rotate(database, number, client))
    if as_json:
        print_json({"id": client, "secret": secret})
    else:
        console.print(f"client secret, shown this once: {secret}", markup=False)


@clients.command("revoke")
def revoke_client(client: _Client, tenant: OfTenant = None, data_dir: DataDir = None) -> None:
    """End a client, with all that was granted to it."""
    from muniment.tenancy.clients import revoke_client as revoke

    within(data_dir, tenant, lambda database, number: revoke(database, number, client))
    console.print(f"revoked {safe(client)}")


@clients.command("rotate-signing-key")
def rotate_signing_key(data_dir: DataDir = None) -> None:
    """Sign access tokens with a new key from now on; those signed before work until they expire."""
    from muniment.audit.chain import record_act
    from muniment.oauth.signing import rotate_signing_key as rotate

    async def change(database: "Database", number: int) -> str:
        key = await rotate(database)
        async with database.scope(number) as scope:
            await record_act(scope, "signing_key.rotate", key.kid)
        return str(key.kid)

    console.print(f"new signing key {safe(within(data_dir, None, change))}")


@members.command("create")
def create_member(
    email: Annotated[str, typer.Argument(help="By which they sign in.")],
    scopes: Scopes,
    password: _Password = False,
    project: PinnedProject = None,
    user: PinnedUser = None,
    agent: PinnedAgent = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a member; the scopes are the most that they may let a client do."""
    from muniment.tenancy.members import create_member as create

    pin, secret = pin_from(project, user, agent), _asked_password() if password else None
    made = within(
        data_dir,
        tenant,
        lambda database, number: create(database, number, email, scopes, password=secret, pin=pin),
    )
    if as_json:
        print_json(asdict(made))
    else:
        console.print(f"{made.id} {safe(made.email)} ({', '.join(made.scopes)})")


@members.command("list")
def list_members(tenant: OfTenant = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the members."""
    from muniment.tenancy.members import list_members as read

    found = within(data_dir, tenant, lambda database, number: read(database, number))
    if as_json:
        print_json({"members": [asdict(member) for member in found]})
        return
    listing = table("id", "address", "scopes", "state", "password", "last signed in")
    for member in found:
        seen = member.signed_in_at.isoformat(timespec="seconds") if member.signed_in_at else ""
        has = "yes" if member.has_password else "no"
        listing.add_row(member.id, safe(member.email), ", ".join(member.scopes), member.state, has, seen)
    console.print(listing)


@members.command("password")
def set_password(member: _Member, tenant: OfTenant = None, data_dir: DataDir = None) -> None:
    """Ask for another password, and sign the member out everywhere."""
    from muniment.tenancy.members import set_password as change

    secret = _asked_password()
    within(data_dir, tenant, lambda database, number: change(database, number, member, secret))
    console.print(f"changed the password of {safe(member)}")


@members.command("suspend")
def suspend_member(member: _Member, tenant: OfTenant = None, data_dir: DataDir = None) -> None:
    """Sign a member out, end what they granted, and let them in no more."""
    from muniment.tenancy.members import suspend_member as suspend

    within(data_dir, tenant, lambda database, number: suspend(database, number, member))
    console.print(f"suspended {safe(member)}")


@members.command("resume")
def resume_member(member: _Member, tenant: OfTenant = None, data_dir: DataDir = None) -> None:
    """Let a suspended member sign in again."""
    from muniment.tenancy.members import resume_member as resume

    within(data_dir, tenant, lambda database, number: resume(database, number, member))
    console.print(f"resumed {safe(member)}")


@members.command("delete")
def delete_member(member: _Member, tenant: OfTenant = None, data_dir: DataDir = None) -> None:
    """Take a member away, with sessions and grants."""
    from muniment.tenancy.members import delete_member as remove

    within(data_dir, tenant, lambda database, number: remove(database, number, member))
    console.print(f"deleted {safe(member)}")


def _asked_password() -> str:
    """A password that nobody sees on the screen or in the list of processes."""
    import getpass
    import sys

    return getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
