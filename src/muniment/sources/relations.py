"""The relations between the parts of an office package."""

from collections.abc import Mapping

from muniment.sources.package import Package, resolve
from muniment.sources.xml_stream import parse_xml


def read_relations(package: Package, part: str) -> dict[str, str]:
    """The members that a part of a package refers to, by the id of the relation and by the last word of its type."""
    found: dict[str, str] = {}
    for kind, identity, target in related(package, part):
        found.setdefault(kind, target)
        found[identity] = target
    return found


def related(package: Package, part: str) -> list[tuple[str, str, str]]:
    """The relations of a part in order, but for those that lead out: the last word of its type, its id, the member."""
    directory, _, name = part.rpartition("/")
    found: list[tuple[str, str, str]] = []

    def start(element: str, attributes: Mapping[str, str]) -> None:
        if element == "Relationship" and attributes.get("TargetMode") != "External" and "Target" in attributes:
            target = resolve(part, attributes["Target"])
            found.append((attributes.get("Type", "").rpartition("/")[2], attributes.get("Id", ""), target))

    member = f"{directory}/_rels/{name}.rels" if directory else f"_rels/{name}.rels"
    parse_xml(package.pieces(member), start=start, end=lambda _: None)
    return found
