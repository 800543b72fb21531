"""Every form has the same methods with the same parameters: a store, a server, and the plain form of either."""

import inspect

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
