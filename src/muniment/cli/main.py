"""The command ``muniment``, and the one place where an error becomes an exit code."""

import os
import sys
from importlib.metadata import version
from typing import Annotated

import structlog
import typer

from muniment.audit.acting import acting_as
from muniment.cli.commands import (
    archive,
    asking,
    audit,
    backup,
    bench,
    claims,
    clients,
    context,
    demo,
    evidence,
    extraction,
    integrity,
    issuers,
    jobs,
    keys,
    lifecycle,
    policy,
    profiles,
    psql,
    query_runs,
    quotas,
    serving,
    sql_logins,
    summaries,
    tenants,
)
from muniment.cli.output import print_error
from muniment.errors import MunimentError
from muniment.logs import configure_logs

_EPILOG = (
    "Exit codes: 0 done; 1 something is wrong with the data; 2 wrong usage; 3 bad input; 4 not found; "
    "5 denied; 6 conflict; 7 over a limit; 8 not available; 70 a fault inside."
)
app = typer.Typer(name="muniment", no_args_is_help=True, epilog=_EPILOG, pretty_exceptions_enable=False)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(version("muniment"))
        raise typer.Exit


@app.callback()
def muniment(
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Evidence-first memory for AI agents."""


_COMMANDS = (
    serving.init,
    serving.serve,
    serving.worker,
    evidence.ingest,
    asking.search,
    asking.query,
    context.context,
    evidence.show,
    evidence.sources,
    evidence.runs,
    lifecycle.correct,
    lifecycle.forget,
    lifecycle.retract,
    lifecycle.undo,
    lifecycle.erase,
    lifecycle.erasure,
    lifecycle.history,
    extraction.extract,
    query_runs.query_runs,
    query_runs.explain,
    claims.claims,
    claims.claim,
    summaries.cards,
    summaries.episodes,
    summaries.entity,
    integrity.validate,
    integrity.rebuild,
    integrity.proof,
    integrity.verify,
    integrity.checkpoint,
    audit.audit,
    archive.export,
    backup.backup,
    backup.restore,
    psql.psql,
    quotas.usage,
    demo.demo,
)
for command in _COMMANDS:
    app.command()(command)
app.command("import")(archive.import_)
app.add_typer(jobs.app, name="jobs")
app.add_typer(tenants.app, name="tenant")
app.add_typer(keys.app, name="key")
app.add_typer(clients.clients, name="client")
app.add_typer(clients.members, name="member")
app.add_typer(issuers.app, name="issuers")
app.add_typer(sql_logins.app, name="sql-login")
app.add_typer(profiles.app, name="profile")
app.add_typer(policy.app, name="policy")
app.add_typer(quotas.app, name="quota")
app.add_typer(claims.relations, name="relations")
app.add_typer(bench.app, name="bench")


def run() -> None:
    """Runs the command line; an error of ours becomes its exit code."""
    try:
        configure_logs(os.environ.get("MUNIMENT_LOG_LEVEL", "info"), os.environ.get("MUNIMENT_LOG_FORMAT", "console"))
        with acting_as("cli"):
            app()
    except MunimentError as error:
        print_error(error, as_json="--json" in sys.argv)
        sys.exit(error.kind.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except Exception as error:
        structlog.get_logger(__name__).debug("unexpected error", exc_info=error)
        inside = MunimentError("internal", "something went wrong inside; MUNIMENT_LOG_LEVEL=debug shows where")
        print_error(inside, as_json="--json" in sys.argv)
        sys.exit(inside.kind.exit_code)
