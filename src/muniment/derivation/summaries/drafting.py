"""From what a group says to the summaries it should have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from muniment.database.pool import Database, Row
from muniment.derivation.cards.rules import card_of
from muniment.derivation.episodes.rules import episodes_of
from muniment.derivation.summaries.source import GroupSource
from muniment.derivation.summaries.versions import Draft
from muniment.derivation.summaries.writing import form_of, write_summary
from muniment.errors import MunimentError
from muniment.model.identifiers import new_id
from muniment.providers.chat import ChatModel
from muniment.providers.withholding import withholding

_OF = "of"


def drafts_by_rules(source: GroupSource) -> list[Draft]:
    """All summaries of a group in their deterministic form: the definition that stored ones are held against."""
    return [card_of(source), *episodes_of(source)]


@dataclass(frozen=True, slots=True)
class Drafted:
    """The summaries that a group should have. ``unanswered`` is why the model did not answer for some of them, which
    have the rules' form until it does."""

    drafts: list[Draft]
    unanswered: str | None = None


@dataclass(frozen=True, slots=True)
class Drafting:
    """Makes the summaries of a group: by rules, and in the words of ``chat`` where there is one."""

    database: Database
    chat: ChatModel | None = None

    async def drafts(
        self, tenant: int, source: GroupSource, current: Sequence[Row], unanswered: str | None = None
    ) -> Drafted:
        """The summaries that the group should have. A model is asked about those whose turns have changed, and no
        more once it does not answer, as ``unanswered`` tells of one that did not before."""
        told = Drafted([], unanswered)
        for base in drafts_by_rules(source):
            draft, unanswered = base, told.unanswered
            if self.chat is not None:
                draft, why = await self._written(tenant, source, base, current, self.chat, ask=unanswered is None)
                unanswered = unanswered or why
            told = Drafted([*told.drafts, draft], unanswered)
        return told

    async def _written(
        self, tenant: int, source: GroupSource, base: Draft, current: Sequence[Row], chat: ChatModel, *, ask: bool
    ) -> tuple[Draft, str | None]:
        """The summary in the model's words where it has them, and why it did not answer, where one may ``ask`` it."""
        turns = source.turns
        if base.kind == "episode":
            own = set(base.records)
            turns = [turn for turn in turns if turn.record_no in own]
        of = sha256(",".join(str(turn.record_no) for turn in turns).encode()).hexdigest()[:16]
        marked = replace(base, detail={**base.detail, _OF: of})
        form = form_of(chat)
        for row in current:
            same = (row["kind"], row["part"], row["form"]) == (base.kind, base.part, form)
            if same and row["detail"].get(_OF) == of:
                return replace(
                    base, title=row["title"], text=row["text"], phrasings=row["phrasings"], detail=row["detail"],
                    records=row["records"], form=row["form"],
                ), None  # fmt: skip
        if not ask:
            return base, None
        try:
            await self.database.quotas.require_model_tokens(tenant)
        except MunimentError as error:
            if error.code != "quota.model_tokens_exceeded":
                raise
            return base, None
        async with self.database.scope(tenant) as scope:
            screen = await withholding(scope)
        if screen is not None:
            texts = await screen.blotted(turn.text for turn in turns)
            turns = [replace(turn, text=text) for turn, text in zip(turns, texts, strict=True)]
        told = await write_summary(chat, marked, turns, self.database.settings.extraction_timeout)
        async with self.database.scope(tenant) as scope:
            await scope.execute(
                "summaries.insert_call", call_id=new_id(), space=source.space, kind=base.kind, form=form,
                requests=told.requests, refused=told.refused, reason=told.reason, prompt_tokens=told.prompt_tokens,
                completion_tokens=told.completion_tokens, estimated=told.estimated, duration_ms=told.duration_ms,
            )  # fmt: skip
        return told.draft or base, told.reason if told.unanswered else None
