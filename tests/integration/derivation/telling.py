"""Facts for tests, told step by step: each step is one commit, as the log would hold it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text

from muniment.database.numbers import allocate
from muniment.database.pool import Database, Scope
from muniment.database.spaces import intern_space
from muniment.log.drafts import as_json
from muniment.log.leaves import Spine, commitment, new_salt
from muniment.log.seal import NewEntry, seal
from muniment.memory import AsyncMuniment
from muniment.model.identifiers import RECORD, new_id, public_id
from muniment.model.namespace import Namespace
from muniment.runtime import Runtime

PARIS_AND_SO_ON = Namespace(project_id="claims")


@dataclass(frozen=True, slots=True)
class Told:
    """A fact to be, and where it is told. Times are aware datetimes."""

    subject: str
    relation: str
    object: str
    subject_type: str = "person"
    object_type: str = "place"
    negated: bool = False
    kind: str = "statement"
    confidence: float = 0.9
    event_from: datetime | None = None
    event_to: datetime | None = None
    said_at: datetime | None = None
    extractor: str = "rules:1"
    group: str = "chat"
    document: bool = False

    @property
    def text(self) -> str:
        return f"{self.subject} {'not ' if self.negated else ''}{self.relation} {self.object}"


@dataclass(slots=True)
class Known:
    """A fact as it was stored, with the record that it rests on, None where a person said it directly."""

    record_no: int
    record_id: Any
    basis_no: int | None
    basis_id: Any


@dataclass(slots=True)
class Teller:
    """Writes facts and their evidence into one space of a tenant."""

    database: Database
    tenant: int
    namespace: Namespace = PARIS_AND_SO_ON
    space: int = 0
    _places: dict[str, tuple[int, int, Any]] = field(default_factory=dict)
    _positions: dict[str, int] = field(default_factory=dict)

    async def tell(self, *facts: Told, closing: Sequence[Known] = ()) -> tuple[int, list[Known]]:
        """One commit that brings facts with their evidence, and closes others; its number, and what it brought."""
        if not self.space:
            self.space = await intern_space(self.database, self.tenant, self.namespace)
        for told in facts:
            await self._place(told)
        numbers = iter(await allocate(self.database, self.tenant, "record", 2 * len(facts))) if facts else iter(())
        async with self.database.scope(self.tenant) as scope:
            entries: list[NewEntry] = []
            known = []
            for told in facts:
                basis_no = basis_id = None
                if told.extractor != "person":
                    basis_no, basis_id = next(numbers), new_id()
                    entries.append(await self._record(scope, told, basis_no, basis_id, "raw"))
                kind = "correction" if told.extractor == "person" else "fact"
                number, record_id = next(numbers), new_id()
                entries.append(await self._record(scope, told, number, record_id, kind))
                await self._fact(scope, told, number, basis_no)
                known.append(Known(number, record_id, basis_no, basis_id))
            for fact in closing:
                entries.append(
                    NewEntry("close", self.space, record_no=fact.record_no, record_id=fact.record_id, detail={})
                )
            commit = await seal(scope, entries, self.space)
        return commit.number, known

    async def forget(self, *facts: Known, evidence: bool = False) -> int:
        """One commit that closes facts, or with ``evidence`` what they rest on and not them."""
        closing = [Known(f.basis_no, f.basis_id, None, None) if evidence else f for f in facts]  # type: ignore[arg-type]
        commit, _ = await self.tell(closing=closing)
        return commit

    async def _place(self, told: Told) -> None:
        if told.group in self._places:
            return
        source_no = (await allocate(self.database, self.tenant, "source"))[0]
        group_no = (await allocate(self.database, self.tenant, "group"))[0]
        source_id = new_id()
        key = f"{told.group}-{source_no}"
        async with self.database.scope(self.tenant) as scope:
            await scope.connection.execute(
                text("""insert into muniment.source (tenant_id, source_no, space_id, source_id, source_key, kind)
                        values (:t, :s, :space, :id, :key, :kind)"""),
                {"t": self.tenant, "s": source_no, "space": self.space, "id": source_id, "key": key,
                 "kind": "text" if told.document else "conversation"},
            )  # fmt: skip
            await scope.connection.execute(
                text("""insert into muniment.source_version (tenant_id, source_no, version, space_id, media_type, bytes,
                                                             records, live_from_commit)
                        values (:t, :s, 1, :space, 'text/plain', 1, 1, 1)"""),
                {"t": self.tenant, "s": source_no, "space": self.space},
            )
            await scope.connection.execute(
                text("""insert into muniment.record_group (tenant_id, group_no, space_id, group_key, source_no)
                        values (:t, :g, :space, :key, :s)"""),
                {"t": self.tenant, "g": group_no, "space": self.space, "key": key, "s": source_no},
            )
        self._places[told.group] = (source_no, group_no, source_id)
        self._positions[told.group] = 0

    async def _record(self, scope: Scope, told: Told, number: int, record_id: Any, kind: str) -> NewEntry:
        source_no, group_no, source_id = self._places[told.group]
        position = self._positions[told.group]
        self._positions[told.group] += 1
        modality = "document" if told.document else "conversation"
        salt, locator = new_salt(), {"kind": "test"}
        committed = commitment(salt, told.text, {}, {})
        said = told.said_at if kind == "raw" else None
        await scope.connection.execute(
            text("""insert into muniment.record (tenant_id, record_no, space_id, record_id, kind, modality, source_no,
                      source_version, group_no, position, said_at, said_offset, locator, commitment)
                    values (:t, :n, :space, :id, :kind, :modality, :s, 1, :g, :position, :said, :offset,
                      cast(:locator as jsonb), :commitment)"""),
            {"t": self.tenant, "n": number, "space": self.space, "id": record_id, "kind": kind, "modality": modality,
             "s": source_no, "g": group_no, "position": position, "said": said, "offset": 0 if said else None,
             "locator": as_json(locator), "commitment": committed},
        )  # fmt: skip
        await scope.connection.execute(
            text("""insert into muniment.record_content (tenant_id, record_no, space_id, salt, text)
                    values (:t, :n, :space, :salt, :text)"""),
            {"t": self.tenant, "n": number, "space": self.space, "salt": salt, "text": told.text},
        )
        spine = Spine(
            record_id=record_id, kind=kind, modality=modality, project_id=self.namespace.project_id, user_id=None,
            agent_id=None, source_id=source_id, source_version=1, group_key=f"{told.group}-{source_no}",
            position=position, session_id=None, speaker=None, role=None, said_at=said, said_offset=0 if said else None,
            event_from=None, event_to=None, locator=locator, trust=1.0, commitment=committed,
        )  # fmt: skip
        return NewEntry(
            "record", self.space, record_no=number, record_id=record_id, spine_digest=spine.digest(),
            group_no=group_no, position=position,
        )  # fmt: skip

    async def _fact(self, scope: Scope, told: Told, number: int, basis: int | None) -> None:
        await scope.connection.execute(
            text("""insert into muniment.fact (tenant_id, record_no, space_id, subject, subject_type, relation, object,
                      object_type, negated, kind, confidence, event_from, event_to, said_at, extractor)
                    values (:t, :n, :space, :subject, :subject_type, :relation, :object, :object_type, :negated, :kind,
                      :confidence, :event_from, :event_to, :said_at, :extractor)"""),
            {"t": self.tenant, "n": number, "space": self.space, "subject": told.subject,
             "subject_type": told.subject_type, "relation": told.relation, "object": told.object,
             "object_type": told.object_type, "negated": told.negated, "kind": told.kind,
             "confidence": told.confidence, "event_from": told.event_from, "event_to": told.event_to,
             "said_at": told.said_at, "extractor": told.extractor},
        )  # fmt: skip
        if basis is not None:
            await scope.connection.execute(
                text("""insert into muniment.evidence (tenant_id, record_no, basis_no, space_id, span_start, span_end)
                        values (:t, :n, :b, :space, 0, :end)"""),
                {"t": self.tenant, "n": number, "b": basis, "space": self.space, "end": len(told.text)},
            )


@dataclass(slots=True)
class Store:
    """A memory, what it runs on, and a teller of its tenant."""

    memory: AsyncMuniment
    runtime: Runtime
    teller: Teller


def day(when: str) -> datetime:
    """A day, or a time with its zone, as an instant."""
    at = datetime.fromisoformat(when)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def reference(fact: Known) -> str:
    """The public id of a fact's record."""
    return public_id(RECORD, fact.record_id)
