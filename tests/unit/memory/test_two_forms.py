"""Every form has the same methods with the same parameters: a store, a server, and the plain form of either."""

import inspect
from collections.abc import Coroutine
from typing import Any

import pytest

from muniment.memory import AsyncMuniment, Muniment
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment


def _methods(cls: type) -> dict[str, inspect.Signature]:
    found = inspect.getmembers(cls, lambda member: inspect.isfunction(member) or inspect.ismethod(member))
    return {name: inspect.signature(member) for name, member in found if not name.startswith("_") and name != "start"}


def test_both_forms_have_the_same_methods_and_parameters() -> None:
    asynchronous, plain = _methods(AsyncMuniment), _methods(Muniment)
    assert set(asynchronous) == set(plain)
    for name, signature in asynchronous.items():
        assert list(signature.parameters.values()) == list(plain[name].parameters.values()), name
        if name not in ("open", "connect"):
            given = signature.return_annotation.replace("AsyncGenerator[QueryEvent,", "Generator[QueryEvent, None,")
            assert given == plain[name].return_annotation, name


@pytest.mark.parametrize("form", [LocalMuniment, RemoteMuniment])
def test_a_store_and_a_server_are_asked_alike(form: type[AsyncMuniment]) -> None:
    asked, answered = _methods(AsyncMuniment), _methods(form)
    assert not inspect.isabstract(form)
    assert {name: str(signature) for name, signature in asked.items()} == {
        name: str(signature) for name, signature in answered.items()
    }


class _Recorder:
    """Stands for the asyncio form, and keeps what it is called with."""

    def __init__(self) -> None:
        self.called: tuple[str, tuple[Any, ...], dict[str, Any]] | None = None

    def __getattr__(self, name: str) -> Any:
        async def record(*given: Any, **named: Any) -> str:
            self.called = (name, given, named)
            return "answer"

        return record


class _AtOnce:
    """Stands for the loop: what is called does not wait."""

    def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        with pytest.raises(StopIteration) as done:
            work.send(None)
        return done.value.value


@pytest.mark.parametrize("name", sorted(set(_methods(Muniment)) - {"open", "connect", "close", "query_stream"}))
def test_the_plain_form_hands_on_every_argument_and_the_answer(name: str) -> None:
    memory, recorder = Muniment.__new__(Muniment), _Recorder()
    vars(memory).update(_loop=_AtOnce(), _memory=recorder)
    signature = _methods(AsyncMuniment)[name]
    _, *parameters = signature.parameters.values()
    options = [each.name for each in parameters if each.kind is inspect.Parameter.VAR_KEYWORD]
    given = [object() for each in parameters if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    named = {each.name: object() for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY}
    named |= {f"one of the {option}": object() for option in options}
    answer = getattr(memory, name)(*given, **named)
    assert recorder.called is not None and recorder.called[0] == name
    asked = signature.bind(memory, *given, **named)
    assert signature.bind(memory, *recorder.called[1], **recorder.called[2]).arguments == asked.arguments
    assert answer == (None if signature.return_annotation == "None" else "answer")


def test_the_package_offers_what_a_program_needs() -> None:
    import muniment

    assert {name: getattr(muniment, name).__name__ for name in muniment.__all__ if name != "__version__"} == {
        "AsyncMuniment": "AsyncMuniment",
        "Message": "Message",
        "Muniment": "Muniment",
        "MunimentError": "MunimentError",
        "Namespace": "Namespace",
        "SourceInput": "SourceInput",
    }
