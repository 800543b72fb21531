"""Facts, claims and summaries of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from muniment.derivation.claims import ClaimFilter, get_claim, list_claims
from muniment.derivation.decisions import undo_decision
from muniment.derivation.relations import list_relations, put_relation
from muniment.derivation.summaries.reading import SummaryFilter, list_summaries
from muniment.memory.asking import claim_asked
from muniment.memory.in_process.opened import Opened
from muniment.memory.inputs import relation_change
from muniment.memory.interface.derived import Derived
from muniment.model.claims import ClaimDetail, ClaimPage, Relation, UndoneDecision
from muniment.model.namespace import Namespace
from muniment.model.source import AskedMethod, ExtractionRequest
from muniment.model.summaries import SummaryPage


class LocalDerived(Opened, Derived):
    """What the store's jobs derived."""

    async def extract(self, method: AskedMethod | None = None) -> ExtractionRequest:
        runtime = await self._open()
        self._left_work = True
        return await runtime.extract(runtime.tenant.number, method)

    async def claim(
        self, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None
    ) -> ClaimDetail:
        asked = claim_asked(known_at=known_at, asked_at=asked_at)
        runtime = await self._open()
        return await get_claim(runtime.database, runtime.tenant.number, claim_id, **asked)

    async def undo_decision(self, decision_id: str) -> UndoneDecision:
        runtime = await self._open()
        self._left_work = True
        return await undo_decision(runtime.database, runtime.tenant.number, decision_id)

    async def relations(self) -> list[Relation]:
        runtime = await self._open()
        return await list_relations(runtime.database, runtime.tenant.number)

    async def put_relation(
        self, name: str, *, single: bool, aliases: Sequence[str] = (), inverses: Sequence[str] = ()
    ) -> Relation:
        change = relation_change(single, aliases, inverses)
        runtime = await self._open()
        self._left_work = True
        return await put_relation(runtime.database, runtime.tenant.number, name, change)

    async def _summaries(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> SummaryPage:
        runtime = await self._open()
        wanted = SummaryFilter(**asked)
        return await list_summaries(
            runtime.database, runtime.tenant.number, namespace, wanted, limit=limit, cursor=cursor
        )  # fmt: skip

    async def _claims(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> ClaimPage:
        runtime = await self._open()
        wanted = ClaimFilter(
            asked["subject"], asked["relation"], asked["status"], asked["as_of"], asked["known_at"], asked["asked_at"]
        )
        return await list_claims(
            runtime.database, runtime.tenant.number, namespace, wanted, limit=limit, cursor=cursor
        )  # fmt: skip
