"""Facts, claims and summaries over REST."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from muniment.memory.asking import claim_asked
from muniment.memory.inputs import relation_change
from muniment.memory.interface.derived import Derived
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import as_query, dump, path_part, read_answer
from muniment.model.claims import ClaimDetail, ClaimPage, Relation, RelationList, UndoneDecision, admit_relation_name
from muniment.model.namespace import Namespace
from muniment.model.source import AskedMethod, ExtractionRequest
from muniment.model.summaries import SummaryPage


class RemoteDerived(Connected, Derived):
    """What the server derived."""

    async def extract(self, method: AskedMethod | None = None) -> ExtractionRequest:
        body = json.dumps({} if method is None else {"method": method}).encode()
        return read_answer(ExtractionRequest, await self._open().post("extraction", body, repeatable=True))

    async def claim(
        self, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None
    ) -> ClaimDetail:
        asked = claim_asked(known_at=known_at, asked_at=asked_at)
        asked["asked_at"] = None if asked["asked_at"] is None else asked["asked_at"].isoformat()
        return read_answer(ClaimDetail, await self._open().get(f"claims/{path_part(claim_id, 'claim')}", asked))

    async def undo_decision(self, decision_id: str) -> UndoneDecision:
        decision = path_part(decision_id, "decision", "claim.decision_not_found")
        return read_answer(UndoneDecision, await self._open().post(f"claims/decisions/{decision}/undo"))

    async def relations(self) -> list[Relation]:
        return read_answer(RelationList, await self._open().get("relations")).relations

    async def put_relation(
        self, name: str, *, single: bool, aliases: Sequence[str] = (), inverses: Sequence[str] = ()
    ) -> Relation:
        admit_relation_name(name)  # it must not become another path
        body = dump(relation_change(single, aliases, inverses).model_dump())
        return read_answer(Relation, await self._open().put(f"relations/{name}", body))

    async def _summaries(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> SummaryPage:
        given = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in asked.items()}
        query = given | {"limit": limit, "cursor": cursor} | as_query(namespace)
        return read_answer(SummaryPage, await self._open().get("summaries", query))

    async def _claims(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> ClaimPage:
        given = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in asked.items()}
        query = given | {"limit": limit, "cursor": cursor} | as_query(namespace)
        return read_answer(ClaimPage, await self._open().get("claims", query))
