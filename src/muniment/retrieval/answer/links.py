"""Links and images in an answer: an address that the evidence does not hold could carry what it says elsewhere."""

import re

_SCHEME = r"[a-z][a-z0-9+.-]{1,20}:/{1,2}"
_LINK = re.compile(
    rf"""
      !?\[[^\]\n]{{0,300}}\]\([^)\n]*\)?      # a link or an image of Markdown, also one not closed yet
    | \[[^\]\n]{{1,300}}\]:\s*\S+                # the address that a Markdown reference leads to
    | </?[a-z][^<>\n]*>|<!--                    # markup
    | {_SCHEME}[^\s<>"']+                       # an address with its scheme
    | \b(?:javascript|data|mailto|vbscript):\S+
    | (?<![\w/:])//[\w-]+\.[^\s<>"']+           # an address that takes the scheme of the page
    | \bwww\.[^\s<>"']+
    | \b(?:[\w-]+\.)+[a-z]{{2,24}}(?::\d+)?[/?][^\s<>"']+     # a host with a path or a query
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AFTER = ".,;:!?'\"\u201d\u2019)]}*_"


def foreign_links(text: str, evidence: list[str]) -> list[str]:
    """The links, images and markup of the text that stand in none of the records, letter for letter, in order."""
    found: list[str] = []
    for match in _LINK.finditer(text):
        link = match.group()
        if not any(link in record or link.rstrip(_AFTER) in record for record in evidence):
            found.append(link)
    return found
