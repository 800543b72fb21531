"""PostgreSQL logins that read the tenant's log with plain SQL: create, list, rotate, drop."""

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, OfTenant, settings_from, tenant_number
from muniment.cli.output import complaints, console, print_json, safe, table

if TYPE_CHECKING:
    from muniment.model.sql_logins import NewSqlLogin, SqlLoginList

app = typer.Typer(no_args_is_help=True, help="PostgreSQL logins for plain SQL: create, list, rotate, drop.")

Name = Annotated[str, typer.Argument(help="A login's name: muniment_sql_…")]
ValidUntil = Annotated[datetime | None, typer.Option("--valid-until", help="When it stops reading anything (UTC).")]


@app.command()
def create(
    label: Annotated[str, typer.Option("--label", help="What the login is for.")] = "unnamed",
    connections: Annotated[int, typer.Option("--connections", min=1, max=32, help="How many at a time.")] = 8,
    valid_until: ValidUntil = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a PostgreSQL login that reads the tenant's rows; its password is shown this once."""
    from muniment.model.sql_logins import SqlLoginRequest
    from muniment.runtime import open_runtime
    from muniment.tenancy.sql_logins import create_login

    settings = settings_from(data_dir)

    async def make() -> "NewSqlLogin":
        async with open_runtime(settings, run_jobs=False) as runtime:
            asked = SqlLoginRequest(label=label, connections=connections, valid_until=_utc(valid_until))
            admin_url, seconds = runtime.prepared.admin_url, settings.sql_login_statement_limit
            number = await tenant_number(runtime, tenant)
            return await create_login(runtime.database, admin_url, number, asked, seconds=seconds)

    _print(asyncio.run(make()), as_json=as_json)


@app.command("list")
def list_all(tenant: OfTenant = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the logins, never their passwords, and what the server does not forbid them."""
    from muniment.model.sql_logins import SqlLoginList
    from muniment.runtime import open_runtime
    from muniment.tenancy.sql_logins import list_logins

    async def read() -> "SqlLoginList":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            logins, gaps = await list_logins(runtime.database, await tenant_number(runtime, tenant))
            return SqlLoginList(logins=logins, gaps=gaps)

    found = asyncio.run(read())
    if as_json:
        print_json(found)
        return
    listing = table("name", "label", "connections", "created", "valid until", "rotated")
    for login in found.logins:
        times = [at.isoformat(timespec="seconds") if at else "" for at in (login.valid_until, login.rotated_at)]
        created = login.created_at.isoformat(timespec="seconds")
        listing.add_row(login.name, safe(login.label), str(login.connections), created, *times)
    console.print(listing)
    _warn(found.gaps)


@app.command()
def rotate(
    name: Name,
    valid_until: ValidUntil = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Give a login another password, shown this once; its open sessions are ended."""
    from muniment.runtime import open_runtime
    from muniment.tenancy.sql_logins import rotate_login

    async def change() -> "NewSqlLogin":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            admin_url, number = runtime.prepared.admin_url, await tenant_number(runtime, tenant)
            return await rotate_login(runtime.database, admin_url, number, name, valid_until=_utc(valid_until))

    _print(asyncio.run(change()), as_json=as_json)


@app.command()
def drop(name: Name, tenant: OfTenant = None, data_dir: DataDir = None) -> None:
    """Drop a login, and end its open sessions."""
    from muniment.runtime import open_runtime
    from muniment.tenancy.sql_logins import drop_login

    async def remove() -> None:
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            number = await tenant_number(runtime, tenant)
            await drop_login(runtime.database, runtime.prepared.admin_url, number, name)

    asyncio.run(remove())
    console.print(f"dropped {safe(name)}")


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _print(login: "NewSqlLogin", *, as_json: bool) -> None:
    if as_json:
        print_json(login)
        return
    place = [("host", login.host), ("port", login.port), ("dbname", login.database), ("user", login.name)]
    conninfo = " ".join(f"{name}={value}" for name, value in place if value is not None)
    console.print(f'psql "{conninfo}"', markup=False)
    console.print(f"password, shown this once: {login.password}", markup=False)
    _warn(login.gaps)


def _warn(gaps: list[str]) -> None:
    if gaps:
        complaints.print(f"this server does not forbid SQL logins: {', '.join(gaps)} (see docs/database.md)")
