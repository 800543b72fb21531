"""SQL logins over REST: made and dropped by whoever administers the tenant, and by nobody else."""

from tests.acceptance.cli.test_command_line import _run
from tests.acceptance.conftest import LiveServer


def test_a_login_is_made_listed_given_another_password_and_dropped(live_server: LiveServer) -> None:
    with live_server.client() as client:
        answer = client.post("/api/v1/sql-logins", json={"label": "reports", "valid_until": "2999-01-01T00:00:00Z"})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        listed = client.get("/api/v1/sql-logins")
        assert made["name"] in [login["name"] for login in listed.json()["logins"]]
        assert made["password"] not in listed.text
        rotated = client.post(f"/api/v1/sql-logins/{made['name']}/rotate", json={}).json()
        assert rotated["password"] != made["password"]
        assert rotated["valid_until"] == made["valid_until"]
        assert client.delete(f"/api/v1/sql-logins/{made['name']}").status_code == 204
        for name in (made["name"], "muniment_app", "postgres", "muniment_sql_%00"):
            assert client.delete(f"/api/v1/sql-logins/{name}").json()["code"] == "sql_login.not_found"
            answer = client.post(f"/api/v1/sql-logins/{name}/rotate", json={})
            assert answer.json()["code"] == "sql_login.not_found"
        for body in ({"connections": 33}, {"connections": 0}, {"label": ""}, {"label": "x\n"}, {"database": "x"}):
            assert client.post("/api/v1/sql-logins", json=body).json()["code"] == "input.invalid"


def test_reading_and_writing_are_no_leave_to_make_logins(live_server: LiveServer) -> None:
    environment = {"MUNIMENT_DATA_DIR": str(live_server.data_dir)}
    scopes = ("--scope", "memory:read", "--scope", "memory:write")
    key = _run(environment, "key", "create", *scopes, "--json").json["secret"]
    with live_server.client(key) as client:
        assert client.get("/api/v1/sql-logins").json()["code"] == "auth.scope_missing"
        assert client.post("/api/v1/sql-logins", json={}).json()["code"] == "auth.scope_missing"
