"""muniment sql-login: a login from the shell, which psql then opens."""

import subprocess
from pathlib import Path

from tests.acceptance.cli.test_command_line import _run

from muniment.database.embedded import EmbeddedServer, binary
from muniment.database.setup import driver_conninfo


def test_a_login_is_made_listed_used_given_another_password_and_dropped(tmp_path: Path) -> None:
    environment = {"MUNIMENT_DATA_DIR": str(tmp_path / "store")}
    assert _run(environment, "ingest", "-", stdin=b"The buoy is green.").code == 0
    made = _run(environment, "sql-login", "create", "--label", "reports", "--connections", "2", "--json")
    assert made.code == 0, made.err
    name = made.json["name"]
    assert made.json["gaps"] == [] and made.json["database"] == "muniment" and len(made.json["password"]) >= 32
    with EmbeddedServer(tmp_path / "store") as server:
        reading = [str(binary("psql")), "--no-psqlrc", "-Atc", "select text from analytics.records"]
        done = subprocess.run(
            [*reading, driver_conninfo(server.url(name))], check=False, capture_output=True, text=True
        )
        assert done.stdout == "The buoy is green.\n", done.stderr
    listed = _run(environment, "sql-login", "list", "--json")
    assert [(login["name"], login["label"], login["connections"]) for login in listed.json["logins"]] == [
        (name, "reports", 2)
    ]
    assert made.json["password"] not in listed.out + _run(environment, "sql-login", "list").out
    rotated = _run(environment, "sql-login", "rotate", name, "--valid-until", "2999-01-01", "--json")
    assert rotated.json["password"] != made.json["password"]
    assert rotated.json["valid_until"].startswith("2999-01-01")
    assert _run(environment, "sql-login", "drop", name).code == 0
    gone = _run(environment, "sql-login", "drop", name)
    assert gone.code == 4 and "sql_login.not_found" in gone.err
    assert _run(environment, "sql-login", "list", "--json").json["logins"] == []
    past = _run(environment, "sql-login", "create", "--valid-until", "2020-01-01")
    assert past.code == 3 and "input.time_invalid" in past.err
