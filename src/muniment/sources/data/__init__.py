"""Data: formats of records with paths."""

from muniment.sources.data.json_documents import read_json, read_json_lines
from muniment.sources.format import Format
from muniment.sources.plain_text import locate_text

JSON = Format(
    "json",
    ("application/json", "application/ld+json", "application/geo+json", "text/json"),
    (".json", ".jsonc", ".json5", ".jsonld", ".geojson", ".har", ".webmanifest"),
    read_json,
    locate_text,
    isolated=True,
)
JSON_LINES = Format(
    "json lines",
    ("application/jsonl", "application/x-ndjson", "application/json-lines", "application/x-jsonlines"),
    (".jsonl", ".ndjson", ".jsonlines"),
    read_json_lines,
    locate_text,
    isolated=True,
)

FORMATS: tuple[Format, ...] = (JSON, JSON_LINES)
