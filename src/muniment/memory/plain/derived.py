"""What was derived, in the plain form."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from muniment.memory.plain.waiting import Waiting
from muniment.model.claims import ClaimDetail, ClaimPage, ClaimStatus, Relation, UndoneDecision
from muniment.model.namespace import Namespace
from muniment.model.source import AskedMethod, ExtractionRequest
from muniment.model.summaries import SummaryKind, SummaryPage


class PlainDerived(Waiting):
    """As ``Derived``, waiting."""

    def extract(self, method: AskedMethod | None = None) -> ExtractionRequest:
        """Has jobs read for facts what was not read yet; see ``AsyncMuniment.extract``."""
        return self._loop.call(self._memory.extract(method))

    def summaries(
        self,
        kind: SummaryKind = "card",
        *,
        group_id: str | None = None,
        entity: str | None = None,
        known_at: int | None = None,
        asked_at: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
        namespace: Namespace | None = None,
    ) -> SummaryPage:
        """Cards, episodes or profiles; see ``AsyncMuniment.summaries``."""
        return self._loop.call(
            self._memory.summaries(
                kind, group_id=group_id, entity=entity, known_at=known_at, asked_at=asked_at, limit=limit,
                cursor=cursor, namespace=namespace,
            )
        )  # fmt: skip

    def claims(
        self,
        *,
        subject: str | None = None,
        relation: str | None = None,
        status: Sequence[ClaimStatus] | None = None,
        as_of: datetime | None = None,
        known_at: int | None = None,
        asked_at: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
        namespace: Namespace | None = None,
    ) -> ClaimPage:
        """What the live facts say together; see ``AsyncMuniment.claims``."""
        return self._loop.call(
            self._memory.claims(
                subject=subject, relation=relation, status=status, as_of=as_of, known_at=known_at, asked_at=asked_at,
                limit=limit, cursor=cursor, namespace=namespace,
            )
        )  # fmt: skip

    def claim(self, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None) -> ClaimDetail:
        """One claim with all that it rests on."""
        return self._loop.call(self._memory.claim(claim_id, known_at=known_at, asked_at=asked_at))

    def undo_decision(self, decision_id: str) -> UndoneDecision:
        """Takes a decision back; see ``AsyncMuniment.undo_decision``."""
        return self._loop.call(self._memory.undo_decision(decision_id))

    def relations(self) -> list[Relation]:
        """What is known of relations."""
        return self._loop.call(self._memory.relations())

    def put_relation(
        self, name: str, *, single: bool, aliases: Sequence[str] = (), inverses: Sequence[str] = ()
    ) -> Relation:
        """Says from now on what a relation is; see ``AsyncMuniment.put_relation``."""
        return self._loop.call(self._memory.put_relation(name, single=single, aliases=aliases, inverses=inverses))
