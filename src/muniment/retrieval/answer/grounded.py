"""An answer written by a language model, and given only where the evidence carries it.

What the model writes decides nothing but the text of the answer and which of the shown records it cites. No tool is
called, nothing is fetched and nothing is searched for on its word, so that instructions in the evidence have nothing to
act upon.
"""

import asyncio
import time
from typing import Any

from muniment.errors import MunimentError
from muniment.providers.chat import NoAnswerInTime
from muniment.retrieval.answer import extractive
from muniment.retrieval.answer.abstention import ABSTENTION, reason_to_abstain
from muniment.retrieval.answer.citations import citation
from muniment.retrieval.answer.consultation import Consultation
from muniment.retrieval.answer.excerpts import excerpts
from muniment.retrieval.answer.judgement import Judgement, judge
from muniment.retrieval.answer.prompt import labelled, messages_for
from muniment.retrieval.answer.verdict import Verdict
from muniment.retrieval.state import Search

_QUOTED_INSTEAD = "the answer is quoted from the records instead"
_MODEL_SHARE = 0.9
_GRACE_SECONDS = 0.25


async def ask_model(search: Search) -> tuple[str, dict[str, Any]]:
    """Lets the model answer. Leaves answer and abstention open where quoting must do instead; a note says why.

    Needs no database, and holds no connection while the model writes.
    """
    model = search.tools.chat
    if model is None:
        return "no model", {}
    reason = reason_to_abstain(search, search.evidence)
    if reason is not None:
        return f"not asked: {reason.because}", {"model": model.name} | reason.detail()
    parameters, budget = search.profile.answer, search.profile.budget
    shown = labelled(search.evidence, int(budget.tokens * budget.characters_per_token))
    policy, messages = messages_for(search.question, search.asked_at, search.planned.outlook.intent, shown)
    consultation = Consultation(
        model=model,
        messages=messages,
        labels=[each.label for each in shown],
        texts=[each.shown for each in shown],
        longest=parameters.written_characters,
        listener=search.listener,
    )
    start = time.perf_counter()
    try:
        verdict = await _verdict(consultation, _seconds(search))
    except NoAnswerInTime as error:
        search.cut_short(f"the language model did not answer in time: {_QUOTED_INSTEAD}")
        _retract(search, error.detail)
        return "out of time", {"policy": policy} | consultation.detail()
    except MunimentError as error:
        search.note(f"the language model could not be used ({error.code}: {error.detail}): {_QUOTED_INSTEAD}")
        _retract(search, error.detail)
        return f"failed: {error.code}", {"policy": policy} | consultation.detail()
    finally:
        if search.request.timeout is None:
            search.deadline.extend(time.perf_counter() - start)
    detail = {"policy": policy, "shown": len(shown)} | consultation.detail()
    if verdict is None:
        return _no_verdict(search, consultation), detail
    detail["verdict"] = verdict.model_dump()
    judged = judge(verdict, shown, search.question, search.asked_at, policy=policy)
    return _settle(search, judged), detail | judged.detail()


async def answer(search: Search) -> tuple[str, dict[str, Any]]:
    """Keeps the model's answer or abstention where there is one, and quotes the records where there is none."""
    if search.abstain is None:
        return await extractive.answer(search)
    if search.abstain:
        return "abstained: the language model did", {"policy": "grounded"}
    return f"written by the model from {len(search.citations)} records", {"policy": "grounded"}


async def _verdict(consultation: Consultation, seconds: float) -> Verdict | None:
    """The model's verdict; a model that does not keep to its seconds itself is not waited for much longer."""
    try:
        async with asyncio.timeout(seconds + _GRACE_SECONDS):
            return await consultation.verdict(seconds)
    except TimeoutError:
        raise NoAnswerInTime from None


def _seconds(search: Search) -> float:
    """A deadline of the caller's own bounds the model; otherwise the model's own limit comes on top of the search."""
    most = search.tools.settings.answer_timeout
    return most if search.request.timeout is None else min(most, search.deadline.remaining(_MODEL_SHARE))


def _no_verdict(search: Search, consultation: Consultation) -> str:
    if consultation.refused:
        _abstain(search, "model_refused", "the language model refused to answer")
        return "refused"
    search.note(f"what the language model wrote could not be read: {_QUOTED_INSTEAD}")
    return "unreadable"


def _settle(search: Search, judged: Judgement) -> str:
    """Gives the answer, abstains, or leaves the answer to quoting; returns the decision."""
    match judged.outcome:
        case "abstained":
            _abstain(search, "model_abstained", "not answered: the language model abstained")
        case "uncited":
            _abstain(search, "uncited", "the language model's answer cited none of the evidence and was dropped")
        case "linked":
            _withdraw(search, "it held a link that is in none of the records it cites")
        case "unsupported" if search.profile.answer.unsupported != "note":
            named = ", ".join(f"{each.text[:60]!r}" for each in judged.unsupported[:3])
            because = f"none of the records it cites says {named}"
            if search.profile.answer.unsupported == "abstain":
                _abstain(search, "unsupported", f"the language model's answer was dropped: {because}")
            else:
                _withdraw(search, because)
        case _:
            _give(search, judged)
    return judged.outcome


def _give(search: Search, judged: Judgement) -> None:
    records = [each.evidence for each in judged.cited]
    chosen = excerpts([record.text for record in records], judged.text, search.question)
    search.answer, search.abstain = judged.text, False
    search.citations = [citation(record, words) for record, words in zip(records, chosen, strict=True)]
    if judged.unsupported:
        named = ", ".join(f"{each.text[:60]!r}" for each in judged.unsupported[:3])
        search.note(f"the answer says what none of the records it cites says: {named}")


def _abstain(search: Search, rule: str, because: str) -> None:
    search.answer, search.abstain, search.reason = ABSTENTION, True, rule
    search.note(because)
    _retract(search, because)


def _withdraw(search: Search, because: str) -> None:
    search.note(f"the language model's answer was dropped ({because}): {_QUOTED_INSTEAD}")
    _retract(search, because)


def _retract(search: Search, because: str) -> None:
    if search.listener is not None:
        search.listener.withdrawn(because)
