"""The relations between the parts of an office package."""

from collections.abc import Mapping

from muniment.sources.package import Package, resolve
from muniment.sources.xml_stream import parse_xml


def read_relations(package: Package, part: str) -> dict[str, str]:
    """The members that a part of a package refers to, by the id of the relation and by the last word of its type."""
    directory, _, name = part.rpartition("/")
    found: dict[str, str] = {}

    def start(element: str, attributes: Mapping[str, str]) -> None:
        if element == "Relationship" and attributes.get("TargetMode") != "External" and "Target" in attributes:
            target = resolve(part, attributes["Target"])
            found.setdefault(attributes.get("Type", "").rpartition("/")[2], target)
            found[attributes.get("Id", "")] = target

    member = f"{directory}/_rels/{name}.rels" if directory else f"_rels/{name}.rels"
    parse_xml(package.pieces(member), start=start, end=lambda _: None)
    return found
