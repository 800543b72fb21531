"""What is wrong with a value that a caller gave, in words of ours: where it stands, and what is allowed there.

pydantic finds the faults; its sentences speak of its own types, and are never shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from muniment.errors import MunimentError

_MOST_CHARACTERS = 64
_KEY = "[key]"
_UNKNOWN = "extra_forbidden"
TIME = "must be a date and time with its zone, as 2026-11-29T12:00:00Z"
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "missing": "is missing",
        "string_type": "must be a text",
        "string_sub_type": "must be a text",
        "string_unicode": "must be a text of whole characters",
        "int_type": "must be a whole number",
        "int_parsing": "must be a whole number",
        "int_parsing_size": "must be a smaller number",
        "int_from_float": "must be a whole number",
        "float_type": "must be a number",
        "float_parsing": "must be a number",
        "finite_number": "must be a finite number",
        "bool_type": "must be true or false",
        "bool_parsing": "must be true or false",
        "list_type": "must be a list",
        "tuple_type": "must be a list",
        "dict_type": "must be an object of names and values",
        "mapping_type": "must be an object of names and values",
        "model_type": "must be an object",
        "model_attributes_type": "must be an object",
        "dataclass_type": "must be an object",
        "path_type": "must be a path",
        "none_required": "must be left out",
    }
)
_BOUNDS: Mapping[str, str] = MappingProxyType(
    {
        "string_too_short": "must have at least {min_length} characters",
        "string_too_long": "must have no more than {max_length} characters",
        "too_short": "must have at least {min_length} items",
        "too_long": "must have no more than {max_length} items",
        "greater_than": "must be more than {gt}",
        "greater_than_equal": "must be at least {ge}",
        "less_than": "must be less than {lt}",
        "less_than_equal": "must be at most {le}",
        "literal_error": "must be {expected}",
        "enum": "must be {expected}",
        "string_pattern_mismatch": "must hold no control characters",
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One fault: the stable ``code`` for it, ``at`` which place (dotted, empty for the whole), and what is allowed."""

    code: str
    at: str
    problem: str

    def __str__(self) -> str:
        return f"{self.at}: {self.problem}" if self.at else self.problem


class Closed(BaseModel):
    """A shape that has no fields but its own: another one is refused, and the known ones are named."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown(cls, given: Any) -> Any:
        if isinstance(given, dict) and not given.keys() <= cls.model_fields.keys():
            known = ", ".join(cls.model_fields)
            unknown = PydanticCustomError(_UNKNOWN, "is not known; known are {known}", {"known": known})
            places = [str(name) for name in given if name not in cls.model_fields]
            raise ValidationError.from_exception_data(
                cls.__name__, [InitErrorDetails(type=unknown, loc=(place,), input=None) for place in places]
            )
        return given


def allowed(words: str) -> WrapValidator:
    """For a choice between types: all that is said of a value that is none of them is ``words``."""

    def check(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError:
            raise PydanticCustomError("not_allowed", words) from None

    return WrapValidator(check)


def one_or_several(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    """For a list that may be given as its only item: what is wrong with that is said of the value as it was given, and
    of one that is no text, that a list may be given too."""
    if not isinstance(value, str | int | float | Mapping):
        return handler(value)
    several = "" if isinstance(value, str) else ", or a list of these"
    try:
        return handler([value])
    except ValidationError as error:
        raise ValidationError.from_exception_data(
            error.title,
            [
                InitErrorDetails(
                    type=PydanticCustomError("not_allowed", in_words(each) + several),
                    loc=each["loc"][1:],
                    input=None,
                )
                for each in error.errors(include_url=False, include_input=False)
            ],
        ) from None


def in_words(complaint: Mapping[str, Any]) -> str:
    """What is allowed where pydantic complains; ``complaint`` is one of ``ValidationError.errors()``."""
    kind, context = str(complaint["type"]), complaint.get("ctx") or {}
    if kind == "value_error":  # raised by our own checks, in our words
        return str(context.get("error", complaint["msg"]))
    if kind == "not_allowed" or (kind == _UNKNOWN and context):
        return str(complaint["msg"])
    if kind == _UNKNOWN:
        return "is not known"
    if kind.startswith(("datetime", "timezone", "date_")):
        return TIME
    if kind in _BOUNDS:
        words = _BOUNDS[kind].format_map(context)
        if kind == "literal_error":
            words = words.replace("must be ", "must be one of " if " or " in words else "must be ").replace("'", "")
        return words.replace(" 1 characters", " 1 character").replace(" 1 items", " 1 item")
    return _WORDS.get(kind, "is not valid")


def refusals(error: ValidationError | Sequence[Mapping[str, Any]], above: str = "") -> list[Refusal]:
    """Each fault of a validation, in order. ``above`` is the path of what was validated."""
    complaints = (
        error.errors(include_url=False, include_input=False) if isinstance(error, ValidationError) else list(error)
    )
    return [_refusal(complaint, above) for complaint in complaints]


def refused(
    error: ValidationError | Sequence[Mapping[str, Any]], *, code: str | None = None, above: str = "", **facts: Any
) -> MunimentError:
    """The first fault as an error with the ``field`` among its facts; ``code`` stands for the one that fits it."""
    first = refusals(error, above)[0]
    return MunimentError(code or first.code, str(first), field=first.at, **facts)


def _refusal(complaint: Mapping[str, Any], above: str) -> Refusal:
    path = [_shown(part) for part in complaint["loc"]]
    problem = in_words(complaint)
    kind = str(complaint["type"])
    if path and path[-1] == _KEY and kind.startswith("string_"):
        path, problem = path[:-1], f"this name {problem}"
    return Refusal(_code(kind, path), ".".join([above, *path] if above else path), problem)


def _shown(part: object) -> str:
    text = str(part)[:_MOST_CHARACTERS]
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _code(kind: str, path: Sequence[str]) -> str:
    if "namespace" in path:
        return "input.namespace_invalid"
    if kind.startswith(("datetime", "timezone", "date_")):
        return "input.time_invalid"
    if "messages" in path:
        return "input.message_invalid"
    if "metadata" in path:
        return "input.metadata_invalid"
    return "input.invalid"
