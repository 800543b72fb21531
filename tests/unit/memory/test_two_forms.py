"""The plain form has the methods of the asyncio form, with the same parameters."""

import inspect

from muniment.memory import AsyncMuniment, Muniment


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
