"""Filters: which records a search may find at all. They are applied before anything is ranked."""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from muniment.errors import MunimentError
from muniment.model.namespace import Name
from muniment.model.refusals import allowed, one_or_several
from muniment.model.times import Moment

MODALITIES = ("document", "conversation", "code", "table", "image", "data")
Modality = Literal["document", "conversation", "code", "table", "image", "data"]
Kind = Literal["raw", "fact", "correction", "description"]
Text = Annotated[str, StringConstraints(max_length=1024, pattern=r"^[^\x00]*$")]
_A_TEXT = "a text of up to 1024 characters"
Bound = Annotated[
    int | float | Text,
    allowed(f"must be a number or {_A_TEXT}"),
    BeforeValidator(lambda value: _no_boolean(value)),
    BeforeValidator(lambda value: _of_64_bits(value)),
]
Scalar = Annotated[
    Text | bool | int | float,
    allowed(f"must be {_A_TEXT}, a number, or true or false"),
    BeforeValidator(lambda value: _of_64_bits(value)),
]


_LARGEST = 2**63  # whole numbers beyond are no metadata values, and no floats


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a bound is a number or a text")
    return value


def _of_64_bits(value: Any) -> Any:
    if isinstance(value, int) and abs(value) >= _LARGEST:
        raise ValueError("is over 64 bits")
    return value


def _refuse_unknown(what: str, known: set[str], given: Any) -> Any:
    unknown = sorted(str(key)[:64] for key in set(given) - known) if isinstance(given, dict) else []
    if unknown:
        raise MunimentError(
            "input.filter_unknown", f"{what} has no {unknown[0]!r}", unknown=unknown[:20], known=sorted(known)
        )
    return given


Names = Annotated[list[Name], WrapValidator(one_or_several), Field(min_length=1, max_length=1000)]


class TimeRange(BaseModel):
    """From ``since`` (inclusive) to ``until`` (exclusive); either may be left open. Times carry their zone."""

    model_config = ConfigDict(extra="forbid")

    since: Moment | None = None
    until: Moment | None = None

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        if not isinstance(given, dict | cls):
            raise ValueError("must be an object with since, until or both")
        return _refuse_unknown("a time range", set(cls.model_fields), given)

    @model_validator(mode="after")
    def _ordered(self) -> "TimeRange":
        if self.since is None and self.until is None:
            raise ValueError("a time range needs since or until")
        if self.since is not None and self.until is not None and self.since >= self.until:
            raise ValueError("since must lie before until")
        return self


class Condition(BaseModel):
    """What a metadata value must be: one of ``any``, or within bounds.

    Bounds compare numbers with numbers and texts with texts (by code point, so that ISO dates are in order); a value
    of another type does not fit.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    any: Annotated[list[Scalar], Field(min_length=1, max_length=1000)] | None = None
    gt: Bound | None = None
    gte: Bound | None = None
    lt: Bound | None = None
    lte: Bound | None = None

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        return _refuse_unknown("a metadata condition", set(cls.model_fields), given)

    @model_validator(mode="after")
    def _says_something(self) -> "Condition":
        if not self.model_fields_set or all(getattr(self, name) is None for name in self.model_fields_set):
            raise ValueError("a metadata condition needs any, gt, gte, lt or lte")
        return self

    @model_validator(mode="after")
    def _can_hold(self) -> "Condition":
        lower = [bound for bound in (self.gt, self.gte) if bound is not None]
        upper = [bound for bound in (self.lt, self.lte) if bound is not None]
        if len({isinstance(bound, str) for bound in lower + upper}) > 1:
            raise MunimentError("input.invalid", "the bounds of a metadata condition are numbers or texts, not both")
        for low in lower:
            for high in upper:
                if low > high or (low == high and (low == self.gt or high == self.lt)):  # type: ignore[operator]
                    raise MunimentError("input.invalid", f"no metadata value lies between {low!r:.64} and {high!r:.64}")
        return self


def _value_or_condition(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    return Condition.model_validate(value) if isinstance(value, dict) else handler(value)


Wanted = Annotated[
    Scalar | Condition,
    allowed(f"must be {_A_TEXT}, a number, true or false, or a condition: an object with any, gt, gte, lt or lte"),
    WrapValidator(_value_or_condition),
    BeforeValidator(_of_64_bits),
]


class Filters(BaseModel):
    """All conditions must hold; of several values for one of them, any may.

    ``source`` takes source keys or public ids. ``time`` is when a thing happened: a record fits where any of the times
    of which it tells ("last May", "on 3 June 2023") overlaps the range, and one that tells of none where it was said in
    the range. ``said`` is when it was said or written, whatever it tells of. A record whose time is not known fits no
    range. ``metadata`` maps a key to a value, or to a condition: 1 and 1.0 are the same number, "1" is a text.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    group: Names | None = None
    session: Names | None = None
    source: Names | None = None
    modality: Annotated[list[Modality], WrapValidator(one_or_several), Field(min_length=1)] | None = None
    kind: Annotated[list[Kind], WrapValidator(one_or_several), Field(min_length=1)] | None = None
    speaker: Names | None = None
    role: Names | None = None
    time: TimeRange | None = None
    said: TimeRange | None = None
    metadata: dict[Name, Wanted] = Field(default_factory=dict, max_length=32)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        if not isinstance(given, dict | cls):
            raise ValueError(f"must be an object with any of {', '.join(cls.model_fields)}")
        return _refuse_unknown("filters", set(cls.model_fields), given)
