"""What is drawn from the evidence: facts, claims, relations, cards, episodes and profiles."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from muniment.memory.asking import claims_asked, summaries_asked
from muniment.memory.interface.part import Part
from muniment.model.claims import ClaimDetail, ClaimPage, ClaimStatus, Relation, UndoneDecision
from muniment.model.namespace import Namespace
from muniment.model.source import AskedMethod, ExtractionRequest
from muniment.model.summaries import SummaryKind, SummaryPage


class Derived(Part):
    """Reading what was derived, and saying what the derivation goes by."""

    @abstractmethod
    async def extract(self, method: AskedMethod | None = None) -> ExtractionRequest:
        """Has jobs read for facts what the method has not read yet, failed to read, or read by another version of it.

        Without a method by those that ``MUNIMENT_EXTRACTION`` names where the store is; ``vision`` has images
        described. Raises ``input.invalid`` where a model is to and none is set up.
        """

    async def summaries(
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
        """Cards of groups, episodes of conversations, or profiles of entities, in the order of their making.

        They lead to records and are context, never evidence. ``group_id`` keeps to one group, ``entity`` to the
        profile of a name. ``known_at`` is the commit as of which the log is read; ``asked_at`` takes the place of the
        clock, against which their age is told. ``next`` of a page is the ``cursor`` of the one after.
        """
        asked = summaries_asked(kind=kind, group_id=group_id, entity=entity, known_at=known_at, asked_at=asked_at)
        return await self._summaries(namespace or self.namespace, asked, limit, cursor)

    async def claims(
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
        """What the live facts say together: at most ``limit`` claims in the order in which their first facts came.

        ``subject`` and ``relation`` go by any of their names. Listed is what holds now, or at ``as_of``; with
        ``status`` SUPERSEDED and no ``as_of`` whatever held ever. ``known_at`` is the commit as of which the log is
        read, ``asked_at`` takes the place of the clock. ``next`` of a page is the ``cursor`` of the one after.
        """
        asked = claims_asked(
            subject=subject, relation=relation, status=status, as_of=as_of, known_at=known_at, asked_at=asked_at
        )
        return await self._claims(namespace or self.namespace, asked, limit, cursor)

    @abstractmethod
    async def claim(
        self, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None
    ) -> ClaimDetail:
        """One claim with its evidence down to raw records, its decisions and versions; raises ``claim.not_found``."""

    @abstractmethod
    async def undo_decision(self, decision_id: str) -> UndoneDecision:
        """Takes back that one value ended another, or that a name means an entity.

        Raises ``claim.decision_not_found`` and ``claim.decision_not_undone``.
        """

    @abstractmethod
    async def relations(self) -> list[Relation]:
        """What is known of relations, by name; others have many values."""

    @abstractmethod
    async def put_relation(
        self, name: str, *, single: bool, aliases: Sequence[str] = (), inverses: Sequence[str] = ()
    ) -> Relation:
        """Says from now on whether a subject has one value of a relation at a time, and what else it is called.

        ``inverses`` are names under which subject and object stand the other way round. Raises ``input.invalid``.
        """

    @abstractmethod
    async def _summaries(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> SummaryPage: ...

    @abstractmethod
    async def _claims(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> ClaimPage: ...
