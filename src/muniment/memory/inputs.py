"""What callers give, made into the public shapes; what cannot be is an error with a code and a position."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, TypeVar

from pydantic import ValidationError

from muniment.errors import MunimentError
from muniment.model.access import NamespacePin
from muniment.model.claims import RelationChange
from muniment.model.context import ContextRequest
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.policy import PolicyChange, RetentionRule
from muniment.model.refusals import Closed, refused
from muniment.model.request import QueryRequest, RetrievalOptions, SearchRequest
from muniment.model.source import SourceInput

Pinned = NamespacePin | Mapping[str, Any]
"""The pin of a credential, or a mapping of its fields."""

_Request = TypeVar("_Request", bound=Closed)


def request_of(shape: type[_Request], **given: Any) -> _Request:
    """A request of what was given; raises ``input.*`` with the ``field`` that is wrong."""
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        raise refused(error) from None


def messages_from(messages: Sequence[Message | Mapping[str, Any]]) -> list[Message]:
    """Messages of messages and mappings; raises ``input.message_invalid`` with the ``index`` of the first bad one."""
    if isinstance(messages, Message | Mapping | str):
        raise MunimentError("input.message_invalid", "messages is a list, also where there is one")
    return [_message(index, message) for index, message in enumerate(messages)]


def search_request(query: str, namespace: Namespace, options: RetrievalOptions) -> SearchRequest:
    """The request of a search; raises ``input.*`` with the path of the ``field`` that is wrong, or not known."""
    try:
        return SearchRequest.model_validate({"query": query, "namespace": namespace, **options})
    except ValidationError as error:
        raise refused(error) from None


def context_request(
    question: str, namespace: Namespace, units: Sequence[str], tokens: int, options: RetrievalOptions
) -> ContextRequest:
    """The request of a context; raises as ``search_request``."""
    given = {"question": question, "namespace": namespace, "units": list(units), "tokens": tokens, **options}
    try:
        return ContextRequest.model_validate(given)
    except ValidationError as error:
        raise refused(error) from None


def query_request(question: str, namespace: Namespace, options: RetrievalOptions) -> QueryRequest:
    """The request of a question; raises as ``search_request``."""
    try:
        return QueryRequest.model_validate({"question": question, "namespace": namespace, **options})
    except ValidationError as error:
        raise refused(error) from None


def sources_from(
    sources: SourceInput | Mapping[str, Any] | Sequence[SourceInput | Mapping[str, Any]],
) -> list[SourceInput]:
    """Sources of sources and mappings, of one or several; raises ``input.invalid`` with the ``field`` that is wrong."""
    if isinstance(sources, str | bytes | PurePath) or not isinstance(sources, SourceInput | Mapping | Iterable):
        detail = "a source is a mapping of its fields, as {'kind': 'file', 'path': 'notes.md'}"
        raise MunimentError("input.invalid", f"{detail}; a directory is read by ingest_tree")
    several = [sources] if isinstance(sources, SourceInput | Mapping) else list(sources)
    return [_source(index, source) for index, source in enumerate(several)]


def _source(index: int, source: SourceInput | Mapping[str, Any]) -> SourceInput:
    try:
        return source if isinstance(source, SourceInput) else SourceInput.model_validate(source)
    except ValidationError as error:
        raise refused(error, above=f"sources.{index}", index=index) from None


def relation_change(single: bool, aliases: Sequence[str], inverses: Sequence[str]) -> RelationChange:
    """What is said of a relation; raises ``input.invalid``."""
    try:
        return RelationChange(single=single, aliases=list(aliases), inverses=list(inverses))
    except ValidationError as error:
        raise refused(error) from None


def _message(index: int, message: Message | Mapping[str, Any]) -> Message:
    if isinstance(message, Message):
        return message
    try:
        return Message.model_validate(message)
    except ValidationError as error:
        raise refused(error, code="input.message_invalid", above=f"messages.{index}", index=index) from None


def policy_change(
    classes: Mapping[str, Any], retention: Sequence[RetentionRule | Mapping[str, Any]], reason: str
) -> PolicyChange:
    """A policy to be; raises ``input.invalid`` with the ``field`` that is wrong."""
    try:
        return PolicyChange.model_validate({"classes": classes, "retention": list(retention), "reason": reason})
    except ValidationError as error:
        raise refused(error) from None
