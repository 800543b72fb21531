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


def test_logins_and_quotas_of_another_tenant_are_made_where_the_store_is(tmp_path: Path) -> None:
    environment = {"MUNIMENT_DATA_DIR": str(tmp_path / "store")}
    theirs = _run(environment, "tenant", "create", "The other", "--json").json["id"]
    made = _run(environment, "sql-login", "create", "--tenant", theirs, "--json")
    assert made.code == 0, made.err
    name = made.json["name"]
    assert _run(environment, "sql-login", "list", "--json").json["logins"] == []
    listed = _run(environment, "sql-login", "list", "--tenant", theirs, "--json").json["logins"]
    assert [login["name"] for login in listed] == [name]
    assert _run(environment, "sql-login", "rotate", name).code == 4, "it is not the store's own tenant's"
    assert _run(environment, "sql-login", "rotate", name, "--tenant", theirs).code == 0
    assert _run(environment, "sql-login", "drop", name, "--tenant", theirs).code == 0
    assert _run(environment, "quota", "set", "--tenant", theirs, "--records", "7").code == 0
    shown = [_run(environment, "quota", "show", "--json", *each).json for each in ((), ("--tenant", theirs))]
    assert [each["records"]["limit"] for each in shown] == [None, 7]
    assert _run(environment, "usage", "--tenant", theirs, "--json").code == 0
    assert _run(environment, "quota", "show", "--tenant", "t_" + 32 * "0").code == 4
    assert _run(environment, "usage", "--tenant", theirs, "--server", "http://127.0.0.1:9").code == 2
    assert _run(environment, "quota", "set", "--records", "7", "--server", "http://127.0.0.1:9").code == 2
    own = _run(environment, "validate", "--json").json["root"]
    assert _run(environment, "validate", "--tenant", theirs, "--json").json["root"] == own  # both are empty yet
    kept = tmp_path / "theirs.jsonl"
    assert _run(environment, "export", str(kept), "--tenant", theirs, "--json").json["tenant"] == theirs
    assert _run(environment, "checkpoint", "--tenant", "t_" + 32 * "0").code == 4
    assert _run(environment, "rebuild", "--tenant", theirs, "--server", "http://127.0.0.1:9").code == 3
    told = [(act["action"], act["target"]) for act in _run(environment, "audit", "--json").json["entries"]]
    assert ("quota.put", theirs) in told and ("tenant.create", theirs) in told  # the operator's own log
