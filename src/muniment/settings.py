"""Every knob, in one place. Each field is read from the environment as ``MUNIMENT_<NAME>``."""

from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from muniment.errors import MunimentError
from muniment.model.refusals import refusals


class Settings(BaseSettings):
    """The settings of one process. Sizes are in bytes, times in seconds, unless the name says otherwise."""

    model_config = SettingsConfigDict(env_prefix="MUNIMENT_", extra="ignore")

    # where the store lives
    data_dir: Path = Field(Path(".muniment"), description="embedded database, signing key, exported checkpoints")
    database_url: SecretStr | None = Field(None, description="another PostgreSQL 18 instead of the embedded one")
    pool_size: int = Field(8, ge=1, le=200)
    pool_overflow: int = Field(4, ge=0, le=200)
    statement_timeout: float = Field(30.0, gt=0, description="for one statement of a search or a lookup")
    write_timeout: float = Field(600.0, gt=0, description="for one statement of an ingest or a rebuild")
    searches_at_once: int = Field(0, ge=0, le=1000, description="of one process; 0: as many as the machine has cores")
    writes_at_once: int = Field(0, ge=0, le=1000, description="of one process; 0: twice as many as searches by default")
    write_patience: float = Field(0.25, ge=0, le=10, description="for which a write lets searches pass")
    replica_url: SecretStr | None = Field(
        None, description="a streaming replica of the database, which serves searches"
    )
    replica_max_lag: float = Field(5.0, gt=0, description="how far behind the replica may be; else the primary serves")
    replica_poll: float = Field(0.25, gt=0, le=60, description="between two looks at how far behind the replica is")
    pgbouncer: bool = Field(False, description="the URL is PgBouncer in transaction mode: prepare nothing")
    signing_key_file: Path | None = Field(None, description="Ed25519 key of checkpoints; default in data_dir")

    # the server
    host: str = "127.0.0.1"
    port: int = Field(8765, ge=0, le=65535)
    server_url: str | None = Field(None, description="where the command line finds a running server")
    api_key: SecretStr | None = Field(None, description="the key the command line and client send")

    # credentials and the authorization server
    public_url: str | None = Field(
        None, description="https://… under which clients reach the server; without it there is no OAuth"
    )
    access_token_seconds: int = Field(600, ge=30, le=86_400)
    refresh_token_days: float = Field(30.0, gt=0, le=400, description="that a refresh token waits to be used")
    device_code_seconds: int = Field(600, ge=60, le=3600)
    sign_in_hours: float = Field(12.0, gt=0, le=24 * 30, description="until a browser has to sign in again")
    signing_key_days: float = Field(30.0, gt=0, description="after which access tokens are signed by a new key")
    external_issuers: Literal["off", "public", "any"] = Field(
        "off", description="whether tenants may bring OIDC providers; any: also in the server's own network, by http"
    )
    operator_interface: bool = Field(
        False, description="whether credentials of the store's own tenant administer all tenants over REST"
    )
    client_registration: bool = Field(False, description="whether clients may register themselves, with a credential")
    key_grace: float = Field(
        86_400.0, ge=0, le=90 * 86_400, description="that a key's last secret works after a rotation, at most"
    )

    # limits, named in the errors they cause
    max_text_bytes: int = Field(25 * 1024 * 1024, ge=1)
    max_file_bytes: int = Field(512 * 1024 * 1024, ge=1, description="of a file that is no plain text, by path")
    max_source_depth: int = Field(8, ge=0, le=100, description="of sources inside sources, and of nesting in a source")
    max_source_items: int = Field(100_000, ge=1, description="in one source: members, sheets, records, parts")
    max_expanded_bytes: int = Field(2 * 1024**3, ge=1, description="of what is packed inside a source, unpacked")
    max_image_pixels: int = Field(100_000_000, ge=1, description="of one image, whatever its file says of its size")
    max_expansion_ratio: int = Field(500, ge=2, description="of what is packed, unpacked, once that is over 32 MiB")
    max_request_bytes: int = Field(64 * 1024 * 1024, ge=1, description="of a body with sources, messages, corrections")
    max_command_bytes: int = Field(1024 * 1024, ge=1, description="of any other body, where that is less")
    receive_timeout: float = Field(
        30.0, gt=0, description="seconds for a request's head, and between bytes of its body"
    )
    max_sources_per_request: int = Field(100, ge=1)
    max_messages_per_request: int = Field(100_000, ge=1)
    max_message_bytes: int = Field(1024 * 1024, ge=1)
    max_question_bytes: int = Field(64 * 1024, ge=1)
    max_metadata_keys: int = Field(64, ge=0)
    max_metadata_bytes: int = Field(16 * 1024, ge=0)
    max_metadata_value_bytes: int = Field(1024, ge=0, le=1024, description="what an index row has room for")
    max_top_k: int = Field(100, ge=1, le=1000)
    max_reason_characters: int = Field(500, ge=1, description="of why something was corrected, forgotten or erased")
    max_clock_skew: float = Field(86_400.0, ge=0, description="how far in the future a message may be dated")

    # quotas of a tenant, where none of its own was set; 0: as much as it likes
    quota_records: int = Field(0, ge=0, description="in the store, facts too")
    quota_bytes: int = Field(0, ge=0, description="in the store: of texts, and of the originals of sources")
    quota_requests_per_minute: int = Field(60_000, ge=0, le=1_000_000)
    quota_concurrent_searches: int = Field(100, ge=0, le=1_000_000, description="under way and waiting for a turn")
    quota_model_tokens_per_day: int = Field(0, ge=0, description="of answers, facts and summaries, by days in UTC")
    search_lease: float = Field(15.0, ge=0.1, description="after which a dead process's searches count no more")
    usage_period: float = Field(5.0, gt=0, description="between two notes of what was counted")
    prompt_token_price: float = Field(0.0, ge=0, description="for a million tokens sent to models, in usage")
    completion_token_price: float = Field(0.0, ge=0, description="for a million tokens that models wrote, in usage")

    # writes
    idempotency_lease: float = Field(60.0, ge=1, description="until a request whose process died can be made again")
    index_wait_timeout: float = Field(600.0, ge=0, description="how long wait=indexed waits for vectors")

    # erasures
    erase_rewrite_limit: int = Field(
        2 * 1024**3,
        ge=0,
        description="bytes up to which the database is rewritten after an erasure by itself",
    )
    backup_retention_days: float = Field(30.0, ge=0, description="after which no backup of before is kept")

    # reading: each file in a process of its own, which ends when it takes more
    parse_memory: int = Field(2 * 1024**3, ge=128 * 1024**2, description="for reading one source")
    parse_cpu_seconds: int = Field(120, ge=1, le=86_400, description="for reading one source")
    parse_seconds: float = Field(300.0, gt=0, le=86_400, description="by the clock, for reading one source")
    parses_at_once: int = Field(0, ge=0, le=256, description="sources read at once; 0: one less than cores, but one")

    # images inside documents
    document_images: bool = Field(True, description="whether images inside documents are sources of their own")
    max_figures: int = Field(500, ge=0, description="images taken out of one document; more are left out, with a note")
    figure_least_side: int = Field(64, ge=1, description="pixels; an image of a document with a shorter side decorates")
    figure_repeats: int = Field(3, ge=2, description="an image on so many pages of a document, or more, decorates")

    # chunks
    chunk_characters: int = Field(1200, ge=200, le=20_000)

    # web pages
    web_access: Literal["off", "public"] = Field("public", description="whether sources are fetched by URL")
    web_private_hosts: str = Field(
        "", description="host or host:port, after commas: fetched though their addresses are not public"
    )
    web_timeout: float = Field(30.0, gt=0, le=600, description="for one URL, with its redirects and robots.txt")
    web_max_bytes: int = Field(50 * 1024 * 1024, ge=1, description="of one answer, unpacked")
    web_robots: bool = Field(True, description="whether robots.txt is obeyed")

    local_time_zone: str | None = Field(None, description="of times without one, as in chat exports: Europe/Berlin")

    # embedding
    embedding_provider: Literal["onnx", "sentence-transformers", "openai", "none"] = "onnx"
    embedding_model: str = "all-MiniLM-L6-v2"
    embedding_dimensions: int = Field(384, ge=1, le=4000)
    embedding_url: str | None = None
    embedding_api_key: SecretStr | None = None
    embedding_threads: int = Field(0, ge=0, description="0: one per core")
    embedding_timeout: float = Field(30.0, gt=0, description="of an endpoint, for one request")
    embedding_retries: int = Field(2, ge=0, le=10, description="of an endpoint's failed request")
    embedding_batch: int = Field(64, ge=1, le=2048, description="texts in one request to an endpoint")
    embedding_max_characters: int = Field(8000, ge=1, description="how much of a text an endpoint is sent")
    embed_inline_limit: int = Field(64, ge=0, description="chunks embedded before the transaction; more go to jobs")

    # answers by a language model; without answer_model they are quoted from the records
    answer_model: str | None = None
    answer_url: str | None = Field(None, description="of an OpenAI-compatible endpoint, e.g. http://127.0.0.1:8000/v1")
    answer_api_key: SecretStr | None = None
    answer_timeout: float = Field(60.0, gt=0, description="for one answer, with all that is asked again")
    answer_retries: int = Field(2, ge=0, le=10, description="of an endpoint's failed request")
    answer_max_tokens: int = Field(1000, ge=16, description="how much the model may write")

    # facts: by rules, by a model, by both or not at all
    extraction: Literal["off", "rules", "model", "both"] = "rules"
    extraction_model: str | None = Field(None, description="default: answer_model")
    extraction_url: str | None = Field(None, description="of an OpenAI-compatible endpoint; default: answer_url")
    extraction_api_key: SecretStr | None = Field(None, description="default: answer_api_key")
    extraction_timeout: float = Field(120.0, gt=0, description="for one window of turns, with all that is asked again")
    extraction_max_tokens: int = Field(4000, ge=16, description="how much the model may write about one window")
    extraction_budget: int = Field(
        5_000_000, ge=0, description="tokens that a tenant's extraction may take in 24 hours; 0: as many as it likes"
    )
    extraction_attempts: int = Field(20, ge=1, le=1000, description="for a window that the endpoint does not answer")
    extraction_delay: float = Field(10.0, ge=0, description="before a model reads new turns, so that more may come")

    # images: what they show, in the words of a model that sees
    vision: Literal["off", "model"] = "off"
    vision_model: str | None = Field(None, description="a model that takes images, on an OpenAI-compatible endpoint")
    vision_url: str | None = Field(None, description="default: answer_url")
    vision_api_key: SecretStr | None = Field(None, description="default: answer_api_key, where the address is the same")
    vision_timeout: float = Field(120.0, gt=0, description="for one image, with all that is asked again")
    vision_max_tokens: int = Field(2000, ge=16, description="how much the model may write about one image")
    vision_budget: int = Field(
        2_000_000, ge=0, description="tokens that a tenant's images may take in 24 hours; 0: as many as they like"
    )
    vision_attempts: int = Field(20, ge=1, le=1000, description="for an image that the endpoint does not answer")
    vision_longest_side: int = Field(
        1568, ge=64, le=16_384, description="pixels; a longer image is made smaller before it is sent"
    )

    # summaries of groups, which lead to records: by rules, in the words of extraction_model, or none
    summaries: Literal["off", "rules", "model"] = "rules"
    summaries_delay: float = Field(2.0, ge=0, description="before summaries follow a write, so that more may come")

    # jobs
    job_concurrency: int = Field(2, ge=1, le=64)
    job_lease: float = Field(120.0, gt=0)
    job_poll: float = Field(2.0, gt=0)
    job_max_attempts: int = Field(5, ge=1, le=100)
    job_retry_delay: float = Field(1.0, gt=0, description="before the second attempt; doubles from there")
    job_stop_grace: float = Field(5.0, ge=0, description="what runs at a stop may end; then it goes back in the queue")
    stop_grace: int = Field(
        10, ge=0, description="seconds that requests under way may still take at a stop of the server"
    )
    job_retention_days: float = Field(30.0, ge=0, description="that ended jobs are kept, but dead ones; 0: for ever")
    query_run_retention_days: float = Field(
        90.0, ge=0, description="that searches and questions can be looked up and replayed; 0: for ever"
    )
    served_retention_days: float = Field(
        30.0, ge=0, description="that what was served is known again when it comes back; 0: it is not noted"
    )
    expiry_period: float = Field(21_600.0, ge=1, description="between two looks for what is kept too long")
    run_jobs_here: bool | None = Field(
        None, description="whether a server or local store runs jobs itself; default: unless redis_url is set"
    )
    redis_url: SecretStr | None = Field(
        None, description="a Valkey or Redis through which `muniment worker` processes get jobs"
    )
    redis_timeout: float = Field(5.0, gt=0, description="for a connection to Redis")
    redis_poll: float = Field(0.02, gt=0, le=60, description="between two looks of a worker into Redis")
    job_window: int = Field(64, ge=1, le=10_000, description="ids in Redis that no worker has taken yet, at most")
    job_redispatch: float = Field(60.0, gt=0, description="after which an id that no worker took is sent again")
    close_drain: float = Field(5.0, ge=0, description="how long closing a local store works off its waiting jobs")
    tail_documents: int = Field(2_000, ge=1, description="documents in a space's lexical tail that start a merge")
    tail_writes: int = Field(100, ge=1, description="writes in a space's lexical tail that start a merge")

    # SQL logins
    sql_login_statement_limit: float = Field(60.0, gt=0, description="for one statement of an SQL login, or its idling")
    sql_login_transaction_limit: float = Field(300.0, gt=0, description="for one transaction of an SQL login")
    sql_login_period: float = Field(5.0, ge=0, description="between two looks at what SQL logins do; 0: nobody looks")

    # dashboards across tenants
    ops_period: float = Field(3600.0, ge=1, description="between two computations of the operators' dashboards")

    # retrieval
    vector_index_memory: int = Field(
        2 * 1024**3, ge=64 * 1024**2, description="most memory that building an HNSW index may take"
    )
    vector_exact_limit: int = Field(5_000, ge=0, description="visible records up to which vectors are scanned")

    # what a process tells of itself
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = Field("console", description="json: one object a line, and each request")
    metrics_port: int | None = Field(
        None, ge=0, le=65535, description="on which a server or worker shows metrics of all tenants; unset: on none"
    )
    metrics_host: str = Field("127.0.0.1", description="the address of the metrics; for Prometheus, not for tenants")
    metrics_period: float = Field(5.0, gt=0, description="between two looks at the queue for the metrics")
    telemetry_endpoint: str | None = Field(None, description="OTLP over HTTP for traces, e.g. http://127.0.0.1:4318")
    telemetry_sample: float = Field(1.0, ge=0, le=1, description="the share of traces that are kept")

    @property
    def runs_jobs(self) -> bool:
        """Whether a server, or a local store, runs jobs in its own process."""
        return self.redis_url is None if self.run_jobs_here is None else self.run_jobs_here

    @property
    def extraction_methods(self) -> tuple[Literal["rules", "model"], ...]:
        """The methods by which facts are extracted from what is brought in."""
        both: tuple[Literal["rules", "model"], ...] = ("rules", "model")
        return both if self.extraction == "both" else tuple(each for each in both if each == self.extraction)

    @cached_property
    def store_dir(self) -> Path:
        return self.data_dir.expanduser().resolve()


def settings_of_environment() -> Settings:
    """The settings that the environment gives; raises ``input.invalid`` with the name of a variable that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        fault = refusals(error)[0]
        name = "MUNIMENT_" + fault.at.replace(".", "_").upper()
        raise MunimentError("input.invalid", f"{name} {fault.problem}", setting=name) from None
