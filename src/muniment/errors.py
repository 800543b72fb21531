"""The catalogue of errors: every stable code, with its HTTP status and process exit code, in one place.

Codes are part of the public interface. They never change meaning; a retired code is not used again.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """What a code means to the two kinds of caller: an HTTP client and a shell."""

    title: str
    status: int
    exit_code: int


EXIT_OK = 0
EXIT_FOUND_WRONG = 1
EXIT_USAGE = 2
EXIT_INPUT = 3
EXIT_NOT_FOUND = 4
EXIT_DENIED = 5
EXIT_CONFLICT = 6
EXIT_LIMIT = 7
EXIT_UNAVAILABLE = 8
EXIT_INTERNAL = 70

CATALOGUE: dict[str, ErrorKind] = {
    # input
    "input.invalid": ErrorKind("The request is not valid", 400, EXIT_INPUT),
    "usage.invalid": ErrorKind("The command cannot be used like this", 400, EXIT_USAGE),
    "input.json_invalid": ErrorKind("The input is not valid JSON", 400, EXIT_INPUT),
    "input.media_type_unsupported": ErrorKind("The body is of a type that is not taken here", 415, EXIT_INPUT),
    "input.empty_text": ErrorKind("The text is empty or only white space", 422, EXIT_INPUT),
    "input.encoding_invalid": ErrorKind("The bytes are not valid UTF-8 text", 422, EXIT_INPUT),
    "input.nul_byte": ErrorKind("The text holds a NUL byte", 422, EXIT_INPUT),
    "input.too_large": ErrorKind("The input is larger than the limit", 413, EXIT_LIMIT),
    "input.too_many": ErrorKind("The request has more items than the limit", 413, EXIT_LIMIT),
    "input.namespace_unknown_key": ErrorKind("The namespace has an unknown key", 400, EXIT_INPUT),
    "input.namespace_invalid": ErrorKind("A namespace value is not valid", 400, EXIT_INPUT),
    "input.time_without_zone": ErrorKind("The time has no zone", 422, EXIT_INPUT),
    "input.time_invalid": ErrorKind("The time cannot be read", 422, EXIT_INPUT),
    "input.time_in_future": ErrorKind("The time lies in the future", 422, EXIT_INPUT),
    "input.message_invalid": ErrorKind("A message is not valid", 422, EXIT_INPUT),
    "input.metadata_invalid": ErrorKind("The metadata are not valid", 422, EXIT_INPUT),
    "input.question_too_long": ErrorKind("The question is longer than the limit", 413, EXIT_LIMIT),
    "input.filter_unknown": ErrorKind("The filter is unknown", 400, EXIT_INPUT),
    # sources
    "source.kind_unsupported": ErrorKind("This kind of source cannot be read yet", 422, EXIT_INPUT),
    "source.format_unsupported": ErrorKind("This format cannot be read yet", 422, EXIT_INPUT),
    "source.unreadable": ErrorKind("The source cannot be read", 422, EXIT_INPUT),
    "source.damaged": ErrorKind("The source is damaged or not of its format", 422, EXIT_INPUT),
    "source.encrypted": ErrorKind("The source is encrypted and cannot be read", 422, EXIT_INPUT),
    "source.too_complex": ErrorKind("The source is nested or branched beyond the limit", 422, EXIT_LIMIT),
    "source.too_large_in_memory": ErrorKind("Reading the source takes more memory than it may", 422, EXIT_LIMIT),
    "source.too_slow": ErrorKind("Reading the source takes longer than it may", 422, EXIT_LIMIT),
    "source.parser_crashed": ErrorKind("Reading the source ended the process that read it", 422, EXIT_INPUT),
    "source.no_original": ErrorKind("The original of the source is not kept", 410, EXIT_NOT_FOUND),
    "source.url_refused": ErrorKind("The URL may not be fetched", 422, EXIT_DENIED),
    "source.fetch_failed": ErrorKind("The URL could not be fetched", 422, EXIT_UNAVAILABLE),
    "source.key_taken": ErrorKind("The source key belongs to another kind of source", 409, EXIT_CONFLICT),
    "source.retry_impossible": ErrorKind("There is nothing to retry", 409, EXIT_CONFLICT),
    # lookup
    "record.not_found": ErrorKind("There is no such record", 404, EXIT_NOT_FOUND),
    "record.not_live": ErrorKind("The record no longer counts", 409, EXIT_CONFLICT),
    "commit.not_found": ErrorKind("There is no such commit", 404, EXIT_NOT_FOUND),
    "commit.not_undoable": ErrorKind("The commit cannot be undone", 409, EXIT_CONFLICT),
    "erasure.not_found": ErrorKind("There is no such erasure", 404, EXIT_NOT_FOUND),
    "source.not_found": ErrorKind("There is no such source", 404, EXIT_NOT_FOUND),
    "profile.not_found": ErrorKind("There is no such retrieval profile", 404, EXIT_NOT_FOUND),
    "profile.unusable": ErrorKind("The retrieval profile cannot be used any more", 409, EXIT_CONFLICT),
    "claim.not_found": ErrorKind("There is no such claim", 404, EXIT_NOT_FOUND),
    "claim.decision_not_found": ErrorKind("There is no such decision", 404, EXIT_NOT_FOUND),
    "claim.decision_not_undone": ErrorKind("This decision cannot be taken back", 409, EXIT_CONFLICT),
    "relation.not_found": ErrorKind("There is no such relation", 404, EXIT_NOT_FOUND),
    "run.not_found": ErrorKind("There is no such run", 404, EXIT_NOT_FOUND),
    "run.erased": ErrorKind("The words of the run were erased", 410, EXIT_NOT_FOUND),
    "run.failed": ErrorKind("The run failed", 409, EXIT_CONFLICT),
    "run.stage_not_found": ErrorKind("The run has no such step", 404, EXIT_NOT_FOUND),
    "job.not_found": ErrorKind("There is no such job", 404, EXIT_NOT_FOUND),
    "request.timeout": ErrorKind("The request did not come on in time", 408, EXIT_UNAVAILABLE),
    "request.abandoned": ErrorKind("The client hung up before the request was whole", 499, EXIT_UNAVAILABLE),
    "route.not_found": ErrorKind("There is no such resource", 404, EXIT_NOT_FOUND),
    "route.method_not_allowed": ErrorKind("The resource does not know this method", 405, EXIT_USAGE),
    # credentials
    "auth.missing": ErrorKind("A bearer credential is needed", 401, EXIT_DENIED),
    "auth.invalid": ErrorKind("The credential is not valid", 401, EXIT_DENIED),
    "auth.scope_missing": ErrorKind("The credential lacks the scope", 403, EXIT_DENIED),
    "auth.namespace_denied": ErrorKind("The credential is pinned to another namespace", 403, EXIT_DENIED),
    "auth.key_not_found": ErrorKind("There is no such API key", 404, EXIT_NOT_FOUND),
    "auth.key_ended": ErrorKind("The API key is revoked or has expired", 409, EXIT_CONFLICT),
    "auth.client_not_found": ErrorKind("There is no such client", 404, EXIT_NOT_FOUND),
    "auth.member_not_found": ErrorKind("There is no such member", 404, EXIT_NOT_FOUND),
    "auth.member_exists": ErrorKind("The tenant has a member with this address", 409, EXIT_CONFLICT),
    "auth.issuer_not_found": ErrorKind("There is no such issuer", 404, EXIT_NOT_FOUND),
    "auth.issuer_exists": ErrorKind("The tenant has this issuer already", 409, EXIT_CONFLICT),
    "auth.issuer_unfit": ErrorKind("The issuer cannot be used", 422, EXIT_INPUT),
    "tenant.not_found": ErrorKind("There is no such tenant", 404, EXIT_NOT_FOUND),
    "tenant.kept": ErrorKind("The tenant cannot be suspended or deleted", 409, EXIT_CONFLICT),
    "tenant.not_suspended": ErrorKind("The tenant is not suspended", 409, EXIT_CONFLICT),
    "tenant.changed": ErrorKind("The tenant is not as in this export", 409, EXIT_CONFLICT),
    "tenant.deletion_not_found": ErrorKind("The tenant is not deleted", 404, EXIT_NOT_FOUND),
    "auth.operator_only": ErrorKind("This is for who operates the server", 403, EXIT_DENIED),
    "auth.oauth_off": ErrorKind("The authorization server is not set up", 404, EXIT_NOT_FOUND),
    "sql_login.not_found": ErrorKind("There is no such SQL login", 404, EXIT_NOT_FOUND),
    "sql_login.too_many": ErrorKind("The tenant has as many SQL logins as it may", 409, EXIT_LIMIT),
    "sql_login.unavailable": ErrorKind("SQL logins cannot be made or dropped here", 503, EXIT_UNAVAILABLE),
    # concurrency
    "idempotency.in_progress": ErrorKind("A request with this Idempotency-Key is still running", 409, EXIT_CONFLICT),
    "idempotency.mismatch": ErrorKind("This Idempotency-Key was used for another request", 422, EXIT_CONFLICT),
    "idempotency.key_invalid": ErrorKind("The Idempotency-Key is not valid", 400, EXIT_INPUT),
    "policy.refused": ErrorKind("The policy refuses sensitive content", 422, EXIT_INPUT),
    "policy.detector_missing": ErrorKind("What finds sensitive content is not installed", 503, EXIT_UNAVAILABLE),
    # quotas: 429 where waiting helps, 403 where only erasing or a higher limit does
    "quota.requests_exceeded": ErrorKind("Too many requests in a minute", 429, EXIT_LIMIT),
    "quota.searches_exceeded": ErrorKind("Too many searches at once", 429, EXIT_LIMIT),
    "quota.model_tokens_exceeded": ErrorKind("Language models took what they may today", 429, EXIT_LIMIT),
    "quota.records_exceeded": ErrorKind("The tenant's store holds as many records as it may", 403, EXIT_LIMIT),
    "quota.bytes_exceeded": ErrorKind("The tenant's store holds as many bytes as it may", 403, EXIT_LIMIT),
    # jobs
    "job.ended": ErrorKind("The job has ended", 409, EXIT_CONFLICT),
    "job.not_dead": ErrorKind("The job is no dead letter", 409, EXIT_CONFLICT),
    # benchmarks
    "bench.data_invalid": ErrorKind("The files of the benchmark cannot be used", 422, EXIT_USAGE),
    # proofs
    "checkpoint.invalid": ErrorKind("The checkpoint cannot be trusted", 422, EXIT_FOUND_WRONG),
    "checkpoint.file_unusable": ErrorKind("The file of exported checkpoints cannot be used", 500, EXIT_UNAVAILABLE),
    "proof.invalid": ErrorKind("The proof does not hold", 422, EXIT_FOUND_WRONG),
    "log.invalid": ErrorKind("The log does not validate", 500, EXIT_FOUND_WRONG),
    "signing.key_unusable": ErrorKind("The signing key cannot be used", 500, EXIT_UNAVAILABLE),
    # archives
    "archive.invalid": ErrorKind("The archive is damaged or does not hold", 422, EXIT_FOUND_WRONG),
    "archive.version_unsupported": ErrorKind("The archive is of a version that cannot be read", 422, EXIT_INPUT),
    "archive.tenant_exists": ErrorKind("The tenant of the archive is here already", 409, EXIT_CONFLICT),
    "archive.tenant_deleted": ErrorKind("The tenant of the archive was deleted here", 409, EXIT_CONFLICT),
    "archive.file_unusable": ErrorKind("The file of the archive cannot be written", 500, EXIT_UNAVAILABLE),
    # backups
    "backup.exists": ErrorKind("There is such a file or directory already", 409, EXIT_CONFLICT),
    "backup.failed": ErrorKind("The backup could not be made or opened", 500, EXIT_UNAVAILABLE),
    "backup.invalid": ErrorKind("The backup is damaged or is none", 422, EXIT_FOUND_WRONG),
    # the machine
    "store.unavailable": ErrorKind("The database cannot be reached", 503, EXIT_UNAVAILABLE),
    "store.full": ErrorKind("The database has no space left", 507, EXIT_UNAVAILABLE),
    "store.busy": ErrorKind("The database did not answer in time", 503, EXIT_UNAVAILABLE),
    "store.unsafe_role": ErrorKind("The service must not run with this database role", 500, EXIT_UNAVAILABLE),
    "store.not_permitted": ErrorKind("The database role may not set the database up", 500, EXIT_UNAVAILABLE),
    "store.too_old": ErrorKind("The database is too old", 500, EXIT_UNAVAILABLE),
    "store.schema_mismatch": ErrorKind("The database schema does not fit this version", 500, EXIT_UNAVAILABLE),
    "store.exists": ErrorKind("There is a store already", 409, EXIT_CONFLICT),
    "store.locked": ErrorKind("Another process holds the store", 503, EXIT_UNAVAILABLE),
    "store.start_failed": ErrorKind("The embedded PostgreSQL did not start", 500, EXIT_UNAVAILABLE),
    "store.ledger_unusable": ErrorKind("The ledger of erasures cannot be used", 500, EXIT_UNAVAILABLE),
    "server.unreachable": ErrorKind("The server cannot be reached", 503, EXIT_UNAVAILABLE),
    "server.unsafe_address": ErrorKind("The address is refused without API keys", 500, EXIT_DENIED),
    "telemetry.missing": ErrorKind("What exports traces is not installed", 500, EXIT_USAGE),
    "server.stopping": ErrorKind("The server stops", 503, EXIT_UNAVAILABLE),
    "server.port_in_use": ErrorKind("The address is in use", 500, EXIT_UNAVAILABLE),
    "queue.invalid": ErrorKind("The queue in Redis is not configured rightly", 500, EXIT_USAGE),
    "provider.unavailable": ErrorKind("The model provider cannot be used", 503, EXIT_UNAVAILABLE),
    "provider.refused": ErrorKind("The model provider refuses the request", 502, EXIT_UNAVAILABLE),
    "provider.invalid": ErrorKind("The model provider is not configured rightly", 500, EXIT_USAGE),
    "memory.closed": ErrorKind("The memory has been closed", 500, EXIT_INTERNAL),
    "feed.full": ErrorKind("Too many listen to the live feed", 503, EXIT_UNAVAILABLE),
    "internal": ErrorKind("Something went wrong inside", 500, EXIT_INTERNAL),
}


class MunimentError(Exception):
    """An error with a stable code of the catalogue, a sentence for people, and facts for programs.

    ``detail`` is safe to show to the caller: it never holds another tenant's data, SQL or a secret.
    ``facts`` are JSON values that name limits and positions, e.g. ``{"limit": 26214400, "setting": ...}``.
    """

    def __init__(self, code: str, detail: str, **facts: Any) -> None:
        super().__init__(detail)
        self.kind = CATALOGUE[code]
        self.code = code
        self.detail = detail
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.code, self.detail, self.facts)


def _rebuild(code: str, detail: str, facts: dict[str, Any]) -> MunimentError:
    return MunimentError(code, detail, **facts)
