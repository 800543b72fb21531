"""Data: formats of records with paths."""

from muniment.sources.charset import locate_decoded
from muniment.sources.data.json_documents import read_json, read_json_lines
from muniment.sources.data.toml_tables import read_toml
from muniment.sources.data.xml_elements import locate_xml, read_xml
from muniment.sources.data.yaml_documents import read_yaml
from muniment.sources.format import Format

JSON = Format(
    "json",
    ("application/json", "application/ld+json", "application/geo+json", "text/json"),
    (".json", ".jsonc", ".json5", ".jsonld", ".geojson", ".har", ".webmanifest"),
    read_json,
    locate_decoded,
    isolated=True,
)
JSON_LINES = Format(
    "json lines",
    ("application/jsonl", "application/x-ndjson", "application/json-lines", "application/x-jsonlines"),
    (".jsonl", ".ndjson", ".jsonlines"),
    read_json_lines,
    locate_decoded,
    isolated=True,
)
YAML = Format(
    "yaml",
    ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"),
    (".yaml", ".yml"),
    read_yaml,
    locate_decoded,
    isolated=True,
)
TOML = Format("toml", ("application/toml", "text/x-toml"), (".toml",), read_toml, locate_decoded, isolated=True)
XML = Format(
    "xml",
    ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "image/svg+xml"),
    (
        ".xml", ".xsd", ".xsl", ".xslt", ".rss", ".atom", ".svg", ".kml", ".gpx", ".plist", ".wsdl", ".xliff", ".xlf",
        ".resx", ".csproj", ".vcxproj", ".opml", ".tei", ".dbk",
    ),
    read_xml,
    locate_xml,
    isolated=True,
)  # fmt: skip

FORMATS: tuple[Format, ...] = (JSON, JSON_LINES, YAML, TOML, XML)
