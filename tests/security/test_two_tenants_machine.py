"""Whatever two tenants do, by REST and by plain SQL at once, neither sees anything of the other, nor any effect of it.

A state machine: after each step of one tenant the other reads what it read before, to the last digit of every score;
no answer, row, event, archive or error text of one holds a word or an id of the other; an id of the other is answered
as one that nobody has; log lines and spans of one tell nothing of the other, and metrics of nobody.

``MUNIMENT_MACHINE_EXAMPLES=200 MUNIMENT_MACHINE_STEPS=60`` makes it go on for longer (``make wall``).
"""

# ruff: noqa: S608
import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from policies import TENANT_TABLES, VIEWS
from two_tenants import PLAIN, Party, Server

EXAMPLES = int(os.environ.get("MUNIMENT_MACHINE_EXAMPLES", "3"))
STEPS = int(os.environ.get("MUNIMENT_MACHINE_STEPS", "12"))

WHO = st.sampled_from([0, 1])
NAMES = st.sampled_from(["one", "two"])
WORDS = st.sampled_from(PLAIN)
CHOICE = st.integers(0, 10_000)

_READ_BY_SQL = sorted(
    [name for name, table in TENANT_TABLES.items() if table.analyst]
    + [name for name, readers in VIEWS.items() if "muniment_analyst" in readers]
)
# what reading itself adds to: the runs of searches, and the count of requests
_OF_READING = ("query_", "usage", "served", "model_calls", "costs", "quota", "job", "muniment.space")
_COUNTED = [name for name in _READ_BY_SQL if not any(each in name for each in _OF_READING)]
_LISTS = (
    "records",
    "sources",
    "ingestion-runs",
    "claims",
    "summaries",
    "erasures",
    "jobs",
    "audit",
    "policy",
    "relations",
)
_GUESSES = (
    ("GET", "records/{d}", None), ("GET", "records/{d}/history", None), ("GET", "records/{d}/proof", None),
    ("GET", "sources/{s}", None), ("GET", "ingestion-runs/{r}", None), ("POST", "ingestion-runs/{r}/retry", None),
    ("GET", "query-runs/{q}", None), ("GET", "query-runs/{q}/explain", None), ("POST", "query-runs/{q}/replay", None),
    ("GET", "query-runs/{q}/events", None), ("GET", "query-runs/{q}/stages/1", None), ("GET", "jobs/{j}", None),
    ("GET", "jobs/{j}/events", None), ("POST", "jobs/{j}/cancel", None), ("POST", "jobs/{j}/requeue", None),
    ("GET", "claims/{c}", None), ("GET", "erasures/{e}", None), ("DELETE", "keys/{k}", None),
    ("POST", "keys/{k}/rotate", {}), ("DELETE", "members/{u}", None), ("DELETE", "clients/{o}", None),
    ("DELETE", "issuers/{i}", None), ("GET", "tenants/{t}", None),
    ("POST", "records/{d}/correct", {"text": "Mine now.", "reason": "a guess"}),
    ("POST", "records/forget", {"records": ["{d}"], "reason": "a guess"}),
    ("POST", "sources/{s}/retract", {"reason": "a guess"}),
    ("POST", "erasures", {"records": ["{d}"], "reason": "a guess"}),
    ("POST", "erasures", {"sources": ["{s}"], "reason": "a guess"}),
    ("GET", "records?source_id={s}", None),
)  # fmt: skip


class TwoTenants(RuleBasedStateMachine):
    """Steps of either tenant."""

    server: Server

    @initialize()
    def begin(self) -> None:
        self.parties = [self.server.admit(), self.server.admit()]
        self.views: list[Any] = [None, None]
        self.server.news()

    def teardown(self) -> None:
        for party in getattr(self, "parties", []):
            party.close()

    # what is said and asked

    @rule(who=WHO, word=WORDS, name=NAMES, key=NAMES, group=NAMES)
    def say(self, who: int, word: str, name: str, key: str, group: str) -> None:
        me = self._begin(who)
        text = f"The {word} of {me.own_word()} leaves at noon. I live in {me.own_word().title()}."
        body = {"group_id": group, "messages": [{"role": "user", "content": text, "id": name}]}
        self._send(me, "POST", "messages", body, {"Idempotency-Key": key})
        self._end(who)

    @rule(who=WHO, word=WORDS, name=NAMES, same=st.booleans())
    def bring(self, who: int, word: str, name: str, same: bool) -> None:
        """A source under a name that the other has too; the same bytes, or others."""
        me = self._begin(who)
        content = f"# On the {word}\n\nThe {word} is red.\n" + ("" if same else f"\nSo says {me.own_word()}.\n")
        source = {
            "kind": "file", "filename": f"{name}.md", "source_key": name,
            "content_base64": base64.b64encode(content.encode()).decode(),
        }  # fmt: skip
        self._send(me, "POST", "sources/ingest", {"sources": [source]})
        self._end(who)

    @rule(who=WHO, word=WORDS, way=st.sampled_from(["search", "query", "context", "stream"]), guess=st.booleans())
    def ask(self, who: int, word: str, way: str, guess: bool) -> None:
        """In plain words, or with a word and a source of the other's."""
        me, other = self._begin(who), self.parties[1 - who]
        said = f"When does the {word} leave?"
        body: dict[str, Any] = {"query" if way == "search" else "question": said}
        if guess:
            me.sent.add(other.decoy)
            body = {name: f"{said} {other.decoy}" for name in body}
            if theirs := other.known("s_"):
                me.sent.add(theirs[0])
                body["filters"] = {"source_id": theirs[0]}
        path = {"search": "search", "context": "context"}.get(way, "query")
        answer = self._send(me, "POST", path + ("?stream=true" if way == "stream" else ""), body)
        if guess and "filters" in body and way == "search":
            assert answer.status_code >= 400 or answer.json()["hits"] == []
        self._end(who)

    @rule(who=WHO, pick=CHOICE, how=st.sampled_from(["correct", "forget", "retract", "erase"]))
    def change(self, who: int, pick: int, how: str) -> None:
        me = self._begin(who)
        records, sources = me.known("d_"), me.known("s_")
        reason: dict[str, Any] = {"reason": "as asked"}
        if how == "retract" and sources:
            self._send(me, "POST", f"sources/{sources[pick % len(sources)]}/retract", reason)
        elif records:
            record = records[pick % len(records)]
            asked = {
                "correct": (f"records/{record}/correct", {"text": f"The ferry of {me.own_word()} is late."}),
                "erase": ("erasures", {"records": [record]}),
            }.get(how, ("records/forget", {"records": [record]}))
            self._send(me, "POST", asked[0], asked[1] | reason)
        self._end(who)

    @rule(who=WHO, name=NAMES)
    def administer(self, who: int, name: str) -> None:
        """Under names that the other gives as well: none of them is taken."""
        me = self._begin(who)
        member = {"email": f"{name}@example.org", "scopes": ["memory:read"]}
        client = {"name": name, "scopes": ["memory:read"], "grant_types": ["client_credentials"]}
        issuer = {"url": f"https://{name}.example.org", "scopes": ["memory:read"], "unchecked": True}
        mine = [each["email"] for each in self._send(me, "GET", "members").json()["members"]]
        expected = 409 if member["email"] in mine else 201
        assert self._send(me, "POST", "members", member).status_code == expected
        assert self._send(me, "POST", "issuers", issuer).status_code == expected
        assert self._send(me, "POST", "clients", client).status_code == 201
        assert self._send(me, "PUT", f"relations/{name}", {"single": True}).status_code == 200
        assert self._send(me, "PUT", f"retrieval-profiles/{name}", {"base": "default", "changes": {}}).is_success
        self._end(who)

    # what is guessed

    @rule(who=WHO, pick=CHOICE, first=st.integers(0, len(_GUESSES) - 1))
    def guess_ids(self, who: int, pick: int, first: int) -> None:
        """An id of the other's is answered to the letter as one that nobody has."""
        me, other = self._begin(who), self.parties[1 - who]
        for method, path, body in (*_GUESSES[first:], *_GUESSES[:first])[:8]:
            shape = path + json.dumps(body)
            prefix = next(each for each in "dsrqjcekuoit" if f"{{{each}}}" in shape) + "_"
            theirs = other.known(prefix)
            if not theirs:
                continue
            found = [
                self._guessed(me, method, path, body, each) for each in (theirs[pick % len(theirs)], _nobodys(prefix))
            ]
            assert found[0] == found[1], (method, path)
        self._end(who)

    @rule(who=WHO, pick=CHOICE, kind=st.sampled_from(["records", "sources", "ingestion-runs", "query-runs", "audit"]))
    def follow_cursors(self, who: int, pick: int, kind: str) -> None:
        me, other = self._begin(who), self.parties[1 - who]
        page = self._send(me, "GET", f"{kind}?limit=1").json()
        if page.get("next"):
            me.cursors.append(page["next"])
        for cursor in other.cursors[pick % 3 :][:3]:
            self._send(me, "GET", f"{kind}?limit=500&cursor={cursor}")
        self._end(who)

    @rule(who=WHO)
    def export(self, who: int) -> None:
        me = self._begin(who)
        archive = self._send(me, "GET", "archive").text
        assert archive.endswith("\n") and '"end"' in archive.splitlines()[-1]
        self._end(who)

    @rule(who=WHO, word=WORDS)
    def listen(self, who: int, word: str) -> None:
        """The live feed of one is silent while the other asks, and tells of its own questions."""
        me, other, heard = self.parties[who], self.parties[1 - who], ""
        with me.client.stream("GET", "query-runs/events", timeout=30) as feed:
            pieces = feed.iter_text()
            while "listening" not in heard:  # only then is nothing lost
                heard += next(pieces)
            self._send(other, "POST", "search", {"query": f"the {word}"})
            mine = self._send(me, "POST", "search", {"query": f"my {word}"}).json()["query_id"]
            while mine not in heard or "event: finished" not in heard:
                heard += next(pieces)
        assert other.traces_in(heard) == [] and f"the {word}" not in heard
        self.views = [None, None]
        self._look_at_news()

    # plain SQL

    @rule(who=WHO)
    def read_all(self, who: int) -> None:
        me = self._begin(who)
        for name in _READ_BY_SQL:
            self._rows(me, f"select to_jsonb(x)::text from {name} x")
        self._end(who)

    @rule(who=WHO, word=WORDS, table=st.sampled_from(_READ_BY_SQL))
    def attack(self, who: int, word: str, table: str) -> None:
        """What would widen a login's view does not, and what is refused names nobody."""
        me, other = self._begin(who), self.parties[1 - who]
        number = other.number
        for setting in (f"set muniment.tenant_id = '{number}'", "set muniment.spaces = '*'", "set row_security = off",
                        "set role muniment_app", "set session authorization muniment_app"):  # fmt: skip
            self._rows(me, setting)
        self._rows(
            me, f"select to_jsonb(x)::text from {table} x where (to_jsonb(x) ->> 'tenant_id') = '{number}'", none=True
        )
        me.sent.add(other.decoy)
        self._rows(me, f"select to_jsonb(x)::text from muniment.search('{other.decoy}') x", none=True)
        self._rows(me, f"select to_jsonb(x)::text from muniment.search('{word}') x")
        self._rows(me, f"select muniment_auth.rows_left({number})::text")
        self._rows(me, f"insert into muniment.space (tenant_id, space_id) values ({number}, 1)")
        self._rows(me, f"select 1 / (select count(*) - count(*) from {table} where tenant_id = {number})")
        self._rows(me, "select attname || most_common_vals::text from pg_stats where schemaname = 'muniment'")
        self._rows(me, "select query from pg_stat_activity")
        self._rows(me, "reset all")
        self._end(who)

    @rule()
    def run_jobs(self) -> None:
        self.server.run_jobs()
        self.views = [None, None]
        self._look_at_news()

    # what must hold

    def _begin(self, who: int) -> Party:
        other = 1 - who
        if self.views[other] is None:
            self.views[other] = self._view(self.parties[other])
        return self.parties[who]

    def _end(self, who: int) -> None:
        other = 1 - who
        self.views[who] = None
        if self.views[other] is not None:
            assert self._view(self.parties[other]) == self.views[other]
        self._look_at_news()

    def _view(self, party: Party) -> Any:
        """All that a tenant sees and that its own reading leaves as it is."""
        lists = {path: self._send(party, "GET", path).text for path in _LISTS}
        scores = []
        for word in PLAIN:
            hits = self._send(party, "POST", "search", {"query": f"the {word} at noon"}).json()["hits"]
            scores.append([{name: hit[name] for name in hit if name != "query_id"} for hit in hits])
        plain = [
            self._rows(party, f"select to_jsonb(x)::text from muniment.search('{word} noon') x") for word in PLAIN[:2]
        ]
        counts = " union all ".join(f"select '{name} ' || count(*) from {name}" for name in _COUNTED)
        return lists, scores, plain, self._rows(party, counts)

    def _send(
        self, me: Party, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        answer = me.client.request(method, path, json=body, headers=headers)
        text = answer.text + json.dumps(dict(answer.headers))
        self._unseen(me, text)
        assert answer.status_code < 500, text
        me.hear(text)
        return answer

    def _guessed(self, me: Party, method: str, path: str, body: Any, identifier: str) -> tuple[int, str]:
        """The answer to a guess, without the guess."""
        me.sent.add(identifier)
        hole = f"{{{identifier[0]}}}"
        filled = None if body is None else json.loads(json.dumps(body).replace(hole, identifier))
        answer = self._send(me, method, path.replace(hole, identifier), filled)
        return answer.status_code, answer.text.replace(identifier, "")

    def _rows(self, me: Party, statement: str, *, none: bool = False) -> list[str]:
        try:
            cursor = me.sql.execute(statement.encode())
            rows = [str(row[0]) for row in cursor.fetchall()] if cursor.description else []
        except psycopg.Error as error:
            self._unseen(me, str(error))
            return [type(error).__name__]
        self._unseen(me, "\n".join(rows))
        assert not (none and rows), statement
        return rows

    def _unseen(self, me: Party, text: str) -> None:
        other = self.parties[1] if me is self.parties[0] else self.parties[0]
        assert set(other.traces_in(text)) <= me.sent

    def _look_at_news(self) -> None:
        lines, metrics = self.server.news()
        for party in self.parties:
            assert party.traces_in(metrics) == []
        for line in lines:
            text = json.dumps(line)
            of = str(line.get("tenant") or line.get("muniment.tenant") or "")
            for party in self.parties:
                found = party.traces_in(text)
                assert not set(found) & set(party.words), line
                assert of in ("", party.id) or found == [] or set(found) <= self._other(party).sent, line

    def _other(self, party: Party) -> Party:
        return self.parties[1] if party is self.parties[0] else self.parties[0]


def _nobodys(prefix: str) -> str:
    return prefix + uuid4().hex


@pytest.fixture(scope="module")
def running(fresh_database: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place: Path = tmp_path_factory.mktemp("two")
    with fresh_database() as url:
        opened = Server(url, place)
        try:
            with opened.observed():
                yield opened
        finally:
            opened.close()


def test_neither_of_two_tenants_sees_anything_of_the_other(running: Server) -> None:
    TwoTenants.server = running
    run_state_machine_as_test(
        TwoTenants,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, database=None,
            suppress_health_check=list(HealthCheck), phases=[Phase.generate], report_multiple_bugs=False,
        ),
    )  # fmt: skip
