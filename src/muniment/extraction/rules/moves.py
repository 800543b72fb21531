# ruff: noqa: E501
"""Whether who moved to something went to live there: to Lisbon they did, to Slack, to Python and to Marketing they did not."""

import re
from typing import Final

from muniment.extraction.names import common_words
from muniment.extraction.places import folded, is_place
from muniment.extraction.rules.vocabulary import LOWER, UPPER

# names of departments and of products that nobody lives in, whichever place is called so too
_NO_HOMES: Final = frozenset(
    """marketing sales product products engineering finance legal design support operations ops research hr it security data infrastructure
    platform growth strategy accounting management consulting administration procurement logistics compliance communications
    slack python java javascript typescript kotlin rust go golang ruby swift scala julia perl php haskell elixir erlang zig cobol react
    angular vue svelte rails django flask spring kubernetes docker terraform ansible jenkins postgres postgresql mysql mongodb redis sqlite
    kafka spark airflow snowflake databricks tableau looker excel word powerpoint outlook gmail notion confluence jira linear asana trello
    airtable figma sketch canva miro discord teams zoom signal telegram whatsapp messenger wechat facebook instagram twitter x tiktok
    linkedin reddit mastodon bluesky youtube twitch spotify netflix github gitlab bitbucket git svn aws azure gcp heroku vercel netlify
    cloudflare linux ubuntu debian fedora windows macos android ios chrome firefox safari vim emacs vscode obsidian evernote todoist
    salesforce hubspot zendesk stripe paypal shopify wordpress chatgpt gemini copilot claude openai oracle sap workday minecraft
    zoho quickbooks xero miro loom clickup monday basecamp netlify supabase firebase datadog grafana prometheus sentry elasticsearch opensearch
    neo4j cassandra clickhouse bigquery redshift postman insomnia webpack vite deno bun node nodejs nextjs laravel symfony dotnet typescript
    google microsoft amazon apple meta tesla nvidia intel amd ibm cisco dell samsung sony siemens bosch bmw audi toyota shell bp unilever nestle
    deloitte kpmg pwc accenture mckinsey goldman barclays hsbc uber lyft airbnb doordash palantir anthropic deepmind adobe autodesk vmware
    acme hooli initech globex umbrella contoso northwind zeta""".split()  # noqa: SIM905
)
_PART_OF_TOWN: Final = re.compile(
    r"(?:East|West|North|South|Northern|Southern|Eastern|Western|Central|Greater|Upper|Lower|Inner|Outer|Old|Downtown|Metropolitan)\s+(?P<place>.+)"
)
# words that the names of places are made of
_LIKE_A_PLACE: Final = re.compile(
    r"(?:(?:Port|Lake|Mount|Mt\.?|Saint|St\.?|San|Santa|Los|Las|Fort|Bad|Puerto|Ciudad|Villa|Cape|Isle)\s+\w+"
    r"|.*\b(?:Bay|Lake|Valley|Hills?|Heights|Beach|Springs|Falls|City|Town|Village|County|Street|Road|Avenue|Islands?|Coast|Harbou?r|Peninsula|Province|District)"
    r"|.*\w(?:ville|burgh?|berg|bury|haven|mouth|shire|stad|grad|heim|dorf|hausen|kirchen|polis|abad|minster|borough|cester|fjord|furt|stadt))"
)
# what says of a move that it was one of people with their households
_WITH_HOUSEHOLD: Final = re.compile(
    r"(?:,\s+(?P<region>[A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*)?))?"  # noqa: RUF001
    r"(?P<behind>[^.;!?]*?\b(?:(?:with|to\s+be\s+(?:with|near|closer\s+to))\s+(?:my|his|her|our|their)\s+(?:\w+\s+)?(?:family|husband|wife|partner|kids|children|parents|girlfriend|boyfriend"
    r"|sister|brother|mother|father|mom|mum|dad|fianc[ée]e?)|for\s+(?:work|love|school|college|university|(?:my|a|the|his|her)\s+(?:new\s+)?(?:job|studies|degree|ph\.?d))"
    r"|to\s+study|apartment|flat|house|neighbou?rhood|suburbs?|village))?"
)
_FROM: Final = re.compile(r"\bfrom\s+(?P<place>[A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*){0,3})\s+to\s+$")  # noqa: RUF001
_PLAIN: Final = re.compile(rf"[{UPPER}][{LOWER}]+(?:-[{UPPER}][{LOWER}]+)*")
"""A single name as those of places are written: no acronym, nothing with figures."""
_LATIN: Final = re.compile(r"[A-Za-z]")
_RELOCATED: Final = re.compile(r"\brelocat")


def is_home(sentence: str, start: int, end: int) -> bool:
    """Whether somebody can live in what is named at [start, end): it is no product and no department."""
    name = folded(sentence[start:end])
    return name not in _NO_HOMES and name.split(" ")[0] not in ("team", "plan", "phase", "version", "chapter", "level")


def is_new_home(sentence: str, said: str, start: int, end: int, *, alone: bool) -> bool:
    """Whether who *moved to* what is named at [start, end) lives there now; ``said`` are the words before it.

    Where the name is of no known place, something else must tell that it is one: *relocated*, where they came from, a
    region behind it, whom or what they moved for, or what the name is made of. Of one person, ``alone``, a single name
    that is no word, product, department or firm does: firms move to tools, people to places.
    """
    name = sentence[start:end]
    if not is_home(sentence, start, end):
        return False
    if is_place(name) or not _LATIN.search(name) or _LIKE_A_PLACE.fullmatch(name) or _RELOCATED.search(said):
        return True
    if alone and _PLAIN.fullmatch(name) and common_words().get(name.casefold()) is None:
        return True
    part = _PART_OF_TOWN.fullmatch(name)
    if part is not None and is_place(part.group("place")):
        return True
    left = _FROM.search(sentence, 0, start)
    if left is not None and is_place(left.group("place")):
        return True
    behind = _WITH_HOUSEHOLD.match(sentence, end)
    if behind is None:
        return False
    region = behind.group("region")
    return behind.group("behind") is not None or (region is not None and is_place(region))
