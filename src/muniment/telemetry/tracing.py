"""Traces by OpenTelemetry, where the extra ``telemetry`` is installed and an endpoint set; otherwise nothing at all.

Spans carry names of ours and public ids. Neither content nor messages of exceptions, which may quote it, go into them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from muniment.errors import MunimentError
from muniment.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_tracer: Tracer | None = None


def configure_tracing(settings: Settings, service: str) -> Callable[[], None]:
    """Starts exporting spans to ``settings.telemetry_endpoint``; returns what sends the rest and ends it.

    ``service`` names the process's kind. Does nothing without an endpoint. Raises ``telemetry.missing``.
    """
    global _tracer
    if settings.telemetry_endpoint is None:
        return lambda: None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
    except ImportError as error:
        raise MunimentError("telemetry.missing", "traces need the extra: pip install 'muniment[telemetry]'") from error
    provider = TracerProvider(
        resource=Resource.create({"service.name": service, "service.version": version("muniment")}),
        sampler=ParentBased(TraceIdRatioBased(settings.telemetry_sample)),
        shutdown_on_exit=False,
    )
    exporter = OTLPSpanExporter(endpoint=settings.telemetry_endpoint.rstrip("/") + "/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = provider.get_tracer("muniment")

    def end() -> None:
        global _tracer
        _tracer = None
        provider.shutdown()

    return end


class Traced:
    """The span under way, or none."""

    def __init__(self, span: Span | None) -> None:
        self._span = span

    def tell(self, **attributes: str | int | float | None) -> None:
        """Adds attributes: names, numbers and public ids."""
        if self._span is not None:
            for name, value in attributes.items():
                if value is not None:
                    self._span.set_attribute(f"muniment.{name}", value)

    def name(self, name: str) -> None:
        """Calls the span otherwise, now that more is known."""
        if self._span is not None:
            self._span.update_name(name)

    def failed(self, code: str) -> None:
        """Marks the span as failed, with a code of ours or the name of a type."""
        if self._span is not None:
            from opentelemetry.trace import Status, StatusCode

            self._span.set_status(Status(StatusCode.ERROR, code))


_UNTRACED = Traced(None)


@contextmanager
def traced(name: str, *, carrier: Mapping[str, Any] | None = None, server: bool = False) -> Iterator[Traced]:
    """A span around the block. ``carrier`` are headers in which a caller may have sent its trace (``traceparent``)."""
    if _tracer is None:
        yield _UNTRACED
        return
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = None if carrier is None else TraceContextTextMapPropagator().extract(carrier)
    with _tracer.start_as_current_span(
        name,
        context=parent,
        kind=SpanKind.SERVER if server else SpanKind.INTERNAL,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        made = Traced(span)
        try:
            yield made
        except Exception as error:
            made.failed(getattr(error, "code", None) or type(error).__name__)
            raise
