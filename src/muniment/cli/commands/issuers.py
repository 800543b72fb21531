"""A tenant's own OIDC providers: add, list, remove."""

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.commands.clients import PinnedAgent, PinnedProject, PinnedUser, Scopes, pin_from, within
from muniment.cli.options import AsJson, DataDir, OfTenant
from muniment.cli.output import console, print_json, safe, table

if TYPE_CHECKING:
    from muniment.database.pool import Database

app = typer.Typer(no_args_is_help=True, help="OIDC providers whose access tokens open a tenant: add, list, remove.")


@app.command()
def add(
    url: Annotated[str, typer.Argument(help="The issuer, to the letter as its tokens and its discovery say it.")],
    scopes: Scopes,
    scope_claim: Annotated[str, typer.Option("--scope-claim", help="Where a token says what it may do.")] = "scope",
    user_claim: Annotated[
        str | None, typer.Option("--user-claim", help="Pins each token to the user that this claim names.")
    ] = None,
    project: PinnedProject = None,
    user: PinnedUser = None,
    agent: PinnedAgent = None,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Do not ask the provider whether its discovery and keys will do.")
    ] = False,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Let a provider's access tokens open the tenant, where MUNIMENT_EXTERNAL_ISSUERS lets them."""
    from muniment.oauth.discovery import require_fit
    from muniment.tenancy.issuers import ExternalIssuer, add_issuer

    pin = pin_from(project, user, agent)

    async def bring(database: "Database", number: int) -> ExternalIssuer:
        check = None if unchecked else partial(require_fit, settings=database.settings)
        return await add_issuer(
            database, number, url, scopes, scope_claim=scope_claim, user_claim=user_claim, pin=pin, check=check
        )

    made = within(data_dir, tenant, bring)
    if as_json:
        print_json(asdict(made))
    else:
        console.print(f"{made.id} {safe(made.url)} ({', '.join(made.scopes)})")


@app.command("list")
def list_all(tenant: OfTenant = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the tenant's providers."""
    from muniment.tenancy.issuers import list_issuers

    found = within(data_dir, tenant, list_issuers)
    if as_json:
        print_json({"issuers": [asdict(issuer) for issuer in found]})
        return
    listing = table("id", "issuer", "scopes", "claim", "user by")
    for each in found:
        listing.add_row(each.id, safe(each.url), ", ".join(each.scopes), each.scope_claim, each.user_claim or "")
    console.print(listing)


@app.command()
def remove(
    issuer: Annotated[str, typer.Argument(help="A provider's id: i_…")],
    tenant: OfTenant = None,
    data_dir: DataDir = None,
) -> None:
    """Let a provider's tokens open the tenant no more."""
    from muniment.tenancy.issuers import remove_issuer

    within(data_dir, tenant, lambda database, number: remove_issuer(database, number, issuer))
    console.print(f"removed {safe(issuer)}")
