# ruff: noqa: E501
"""The rules: what is said for sure in English, by which words."""

import re
from typing import Final

from muniment.extraction.rules.rule import ADVERBS, BE, Rule, habit, happened, is_, never, rule, state
from muniment.extraction.rules.vocabulary import ANIMALS, INSTRUMENTS, KIN, LANGUAGES, OCCUPATIONS, ROLES, SPORTS, UPPER
from muniment.extraction.statements import EntityType

_TO_LIVE: Final = state("live|reside", "lives|resides", "living|residing|based", "lived|resided")
_TO_WORK: Final = state("work", "works", "working|employed", "worked")
_LIKED: Final = (
    ("likes", "like", "likes"), ("loves", "love|adore", "loves|adores"), ("enjoys", "enjoy", "enjoys"),
    ("prefers", "prefer", "prefers"), ("dislikes", "hate|dislike|can['’]t stand", "hates|dislikes"),  # noqa: RUF001
)  # fmt: skip
_COUNT: Final = r"(?:an?|two|three|four|five|six|one|\d{1,2}|some|several|my)"
_PLAN: Final = (
    rf"(?:(?P<neg>\s+do(?:es)?n['’]t\s+plan)|\s+plans?|{BE}(?:\s+\w+ly)?(?P<neg2>\s+not|\s+no\s+longer)?\s+planning"  # noqa: RUF001
    rf"|{BE}(?:\s+\w+ly)?(?P<neg3>\s+not)?\s+going|\s+intends?)\s+to"
)
_FROM: Final = r"(?:\s+from\s+[A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*){0,3})?"  # noqa: RUF001
# what people join and do not work for
_NO_EMPLOYERS: Final = (
    r"(?:Facebook|Instagram|Twitter|X|Tik\s?Tok|Linked\s?In|Reddit|Mastodon|Bluesky|Threads|Discord|Slack|Teams|Zoom|WhatsApp|Telegram|Signal|Snapchat|Pinterest|Tinder"
    r"|Bumble|Hinge|YouTube|Twitch|Strava|Duolingo|Goodreads|GitHub|Stack\s+Overflow|Quora|Tumblr|Netflix\s+Premium|Costco|NATO|Greenpeace|Mensa|Rotary|Weight\s+Watchers"
    r"|Alcoholics\s+Anonymous|Team\s|Project\s|Operation\s|Planet\s+Fitness|PureGym|Class\s|Amnesty|UNICEF|WWF|Red\s+Cross|Toastmasters|Congress|Parliament|Dr\b|Mr\b|Mrs\b|Ms\b|Prof\b)"
)
_SOCIETIES: Final = (
    r"Club|Party|Union|Church|Society|Association|Army|Navy|Forces?|Marines|Guard|Corps|Gym|Fitness|Choir|Band|Orchestra|Ensemble|League|Network|Group|Community|Committee|Council"
    r"|Board|Team|Squad|Crew|Meetup|Circle|Class|Course|Program(?:me)?|Server|Channel|Chat|Prime|Premium|Plus|Pro|Anonymous|Scouts?|Fraternity|Sorority|Lodge|Order|Movement|Front|FC|Tour|Classroom|Meet|Workspace|Hangouts|Call|Webinar|International"
)
_A_JOB: Final = r"(?:a|the|my|his|her)(?:\s+new)?\s+(?:job|position|role)"
_HAPPENED_TO_THING: Final = (
    r"\s+(?:was|were|is|are|got|has\s+been|have\s+been|is\s+being|are\s+being)\s+(?P<object>failed|passed|launched|postponed|cancelled"
    r"|canceled|delayed|rescheduled|released|deployed|rolled\s+back|approved|rejected|merged|closed|reopened|announced|completed"
    r"|suspended|resumed|restored|shipped|broken)"
)
_HAPPENED: Final = (
    r"(?:\s+ha(?:s|ve))?\s+(?P<object>failed|passed|crashed|succeeded|launched|closed|reopened|resumed|shipped)"
    r"(?=\s*(?:[.,;!?)]|$)|\s+(?:again|yesterday|today|tonight|on|in|at|last|this|because|due|after|before|during|and|but|since|when|while"
    r"|early|earlier|late|ago|without|with|twice|one|two|three|four|five|six|\d|a\s+(?:few|couple|day|week|month|year))\b)"
    r"(?![^.,;!?]*?\s(?:was|were|is|are|has|have|had|caused|led|made)\b)"
)
_NEW: Final = r"(?=\s+(?:an?|the|my|our|this|these|two|three|four|five|another|[A-Z]))"
_DEEDS: Final[tuple[tuple[str, str, str, EntityType], ...]] = (
    ("won", "won", "won", "event"), ("started", "started", "started", "thing"), ("opened", "opened", "opened", "thing"),
    ("finished", r"finished|completed", "finished", "thing"), ("signed_up_for", r"signed\s+up\s+for", "signed up for", "event"),
    ("wrote", "wrote|published", "wrote", "thing"), ("painted", "painted", "painted", "thing"),
    ("built", "built", "built", "thing"), ("hosted", r"hosted|organi[sz]ed", "organized", "event"),
    ("took", r"took(?=\s+(?:an?|my|our)\s+(?:\w+\s+){0,2}(?:trip|class|course|test|exam|photo))", "took", "event"),
    ("ran", r"ran(?=\s+an?\s)", "ran", "event"), ("received", "received", "received", "thing"),
    ("volunteered_at", r"volunteered\s+(?:at|for)", "volunteered at", "organization"), ("sold", "sold", "sold", "thing"),
    ("lost", "lost", "lost", "thing"), ("passed", r"passed(?!\s+(?:away|out|on|by|over|up|down)\b)", "passed", "event"), ("hired", "hired", "hired", "person"),
    ("made", r"made(?!\s+(?:the|an?|my|our)\s+(?:\w+\s+)?(?:difference|progress|point|decision|mistake|friends?|day|choice|effort))",
     "made", "thing"),
    ("read", r"read|finished\s+reading", "read", "thing"), ("watched", "watched", "watched", "thing"),
    ("tried", r"tried(?:\s+out)?(?!\s+(?:my\s+(?:best|hand|hardest)))", "tried", "thing"),
    ("learned", "learned|learnt", "learned", "thing"), ("interviewed_for", r"interviewed\s+(?:for|at|with)", "interviewed for", "organization"),
    ("adopted", "adopted", "adopted", "thing"), ("moved_into", r"moved\s+into", "moved into", "place"),
    ("performed_at", r"performed\s+(?:at|in)", "performed at", "event"), ("participated_in", r"participated\s+in|took\s+part\s+in", "took part in", "event"),
    ("met_with", r"met\s+with", "met with", "person"), ("celebrated", "celebrated", "celebrated", "event"),
)  # fmt: skip

RULES: Final[tuple[Rule, ...]] = (
    rule("lives_in", rf"{_TO_LIVE}\s+in", "name", "{s} lives in {o}.", "{s} no longer lives in {o}.",
         object_type="place", listed=True),
    rule("lives_in", rf"{never('lived|resided')}\s+in", "name", "{s} has never lived in {o}.", timing="none", object_type="place",
         negated=True, listed=True),
    rule("lives_in", rf"{happened('moved|relocated')}(?:\s+back)?(?:\s+over)?{_FROM}\s+to", "name", "{s} moved to {o}.",
         timing="from", object_type="place", moves=True),
    rule("lives_in", rf"{happened('settled')}(?:\s+down)?\s+in", "name", "{s} settled in {o}.", timing="from", object_type="place", moves=True),
    rule("plans_to_move_to", rf"(?:{BE}{ADVERBS}\s+(?:moving|relocating)|(?:['’]ll|\s+will)\s+(?:be\s+moving|move))(?:\s+back)?{_FROM}\s+to", "name",  # noqa: RUF001
         "{s} plans to move to {o}.", kind="intention", timing="plan", object_type="place", moves=True),
    rule("lives_in", rf"{happened('moved away from|moved out of')}", "name", "{s} moved away from {o}.",
         timing="from", object_type="place", negated=True, moves=True),
    rule("born_in", r"\s+was\s+born(?:\s+and\s+raised)?\s+in", "name", "{s} was born in {o}.", object_type="place",
         timing="none"),
    rule("born_on", r"\s+was\s+born(?:\s+on|\s+in)?", "time", "{s} was born {o}.", kind="event", timing="event",
         object_type="time"),
    rule("comes_from", rf"(?:{is_()}\s+(?:originally\s+)?from|\s+comes?\s+from|\s+grew\s+up\s+in)", "name",
         "{s} comes from {o}.", "{s} does not come from {o}.", timing="none", object_type="place"),
    rule("works_at", rf"{_TO_WORK}\s+(?:at|for|by)", "name", "{s} works at {o}.", "{s} no longer works at {o}.",
         object_type="organization", listed=True),
    rule("works_at", rf"{never('worked|been employed')}\s+(?:at|for|by)", "name", "{s} has never worked at {o}.", timing="none",
         object_type="organization", negated=True, listed=True),
    rule("works_at", happened(rf"(?:started|began)\s+(?:working|work)\s+(?:at|for|with)|started(?:\s+{_A_JOB})?\s+(?:at|with)|(?:got|took|accepted|landed)"
                              rf"\s+(?:{_A_JOB}|an?\s+offer)\s+(?:at|with|from)|(?:was|got|have\s+been|has\s+been)\s+hired\s+(?:by|at)|(?:switched|changed)\s+jobs\s+(?:and\s+(?:joined|went)\s+)?to"),
         "name", "{s} started at {o}.", timing="from", object_type="organization"),
    rule("works_at", happened(r"(?:quit|left|lost)\s+(?:my|his|her)\s+(?:\w+\s+)?(?:job|position)\s+(?:at|with)|(?:was|got|been)\s+(?:laid\s+off|fired|let\s+go|made\s+redundant|dismissed)"
                              r"\s+(?:from|by)|resigned\s+from|retired\s+from|stopped\s+working\s+(?:at|for)|quit\s+working\s+(?:at|for)"),
         "name", "{s} left {o}.", timing="from", object_type="organization", negated=True),
    rule("works_at", rf"{is_()}\s+(?:an?|the)\s+(?:[\w-]+\s+){{0,3}}?(?!student)(?:{OCCUPATIONS})\s+(?:at|with)", "name", "{s} works at {o}.",
         "{s} no longer works at {o}.", object_type="organization"),
    rule("works_at", rf"{happened('joined')}(?=\s+[A-Z][\w&.-]*(?:\s+[A-Z][\w&.-]*){{0,3}}\s+as\s+(?:an?|the|their)\s)", "name", "{s} joined {o}.",
         timing="from", object_type="organization"),
    rule("works_at", rf"{happened('joined')}(?=\s+(?!{_NO_EMPLOYERS})[{UPPER}])(?!\s+[\w&.'’-]+(?:\s+[\w&.'’-]+){{0,4}}?\s+(?:{_SOCIETIES})\b)", "name", "{s} joined {o}.",  # noqa: RUF001
         timing="from", object_type="organization", confidence=0.85, hires=True),
    rule("works_as", rf"{_TO_WORK}\s+as(?:\s+an?|\s+the)?\s+(?P<object>(?:[\w-]+\s+){{0,3}}?(?:{OCCUPATIONS}))", "group",
         "{s} works as {o}.", "{s} no longer works as {o}.", object_type="thing"),
    rule("works_as", rf"(?:{is_()}\s+an?|\s+became\s+an?|\s+(?:got|was)\s+promoted\s+to(?:\s+an?)?)\s+(?P<object>(?:[\w-]+\s+){{0,2}}?(?:{OCCUPATIONS}))(?!\s+(?:who|at\s+heart|\w+ing\b))",
         "group", "{s} is a {o}.", "{s} is not a {o}.", object_type="thing"),
    *(rule(f"{role.lower().replace(' ', '_').replace('-', '_')}_of", rf"(?:{is_(was=True)}|\s+became)\s+(?:the\s+|a\s+)?(?:new\s+|current\s+)?{role}\s+(?:of|for|at)",
           "name", "{s} is " + role + " of {o}.", "{s} is no longer " + role + " of {o}.", object_type="organization",
           timing="state") for role in ROLES),
    rule("lead_of", rf"(?:{state('lead', 'leads', 'leading', 'led')})", "name", "{s} leads {o}.", "{s} no longer leads {o}."),
    *(rule(f"{kin.replace('-', '_').replace(' ', '_')}_of", rf"{is_()}\s+(?P<whose>my|[A-Z][\w-]+['’]s)\s+(?:\w+\s+)?{kin}(?=\W|$)(?P<object>)", "group",  # noqa: RUF001
           "{s} is " + kin + " of {o}.", "{s} is not " + kin + " of {o}.", object_type="person", timing="none")
      for kin in KIN),
    rule("married_to", rf"{is_(was=True)}\s+married\s+to", "name", "{s} is married to {o}.", "{s} is not married to {o}.",
         object_type="person"),
    rule("married_to", rf"{never('been')}\s+married\s+to", "name", "{s} has never been married to {o}.", timing="none",
         object_type="person", negated=True),
    rule("married_to", r"\s+used\s+to\s+be\s+married\s+to", "name", "{s} is no longer married to {o}.", timing="none", object_type="person",
         negated=True),
    rule("works_as", rf"\s+used\s+to\s+be\s+an?\s+(?P<object>(?:[\w-]+\s+){{0,2}}?(?:{OCCUPATIONS}))", "group", "{s} is no longer a {o}.",
         timing="none", object_type="thing", negated=True),
    rule("married_to", happened(r"married|got\s+married\s+to"), "name", "{s} married {o}.", timing="from",
         object_type="person"),
    rule("married_to", rf"(?:(?:{is_()}|\s+got)\s+divorced\s+from|{happened('divorced')})", "name", "{s} is divorced from {o}.", timing="from",
         object_type="person", negated=True),
    *(rule("likes" if name in ("loves", "enjoys") else name, habit(base, third), "joined", "{s} " + name + " {o}.",
           "{s} does not like {o}." if name != "dislikes" else "", timing="none", object_type="thing")
      for name, base, third in _LIKED),
    rule("likes", rf"{is_()}\s+(?:(?:quite|absolutely|totally|really|completely)\s+)?(?:crazy\s+about|obsessed\s+with|mad\s+about|fond\s+of|a\s+(?:big|huge|massive|great)\s+fan\s+of)",
         "joined", "{s} likes {o}.", "{s} does not like {o}.", timing="none", object_type="thing"),
    rule("friend_of", rf"{is_()}\s+(?:(?:good|close|best|old|great)\s+)?friends\s+with", "name", "{s} is a friend of {o}.",
         "{s} is not a friend of {o}.", timing="none", object_type="person"),
    rule("engaged_to", rf"(?:{is_()}|\s+got)\s+engaged\s+to", "name", "{s} is engaged to {o}.", "{s} is not engaged to {o}.",
         object_type="person"),
    rule("partner_of", rf"{state('date', 'dates', 'dating|seeing')}", "name", "{s} is dating {o}.", "{s} no longer dates {o}.",
         object_type="person"),
    rule("partner_of", happened(r"broke\s+up\s+with|split\s+up\s+with", r"broken\s+up\s+with|split\s+up\s+with"), "name", "{s} no longer dates {o}.",
         timing="from", object_type="person", negated=True),
    rule("reports_to", state("report", "reports", "reporting", "reported") + r"\s+to", "name", "{s} reports to {o}.",
         "{s} no longer reports to {o}.", object_type="person"),
    rule("drives", r"(?:(?P<neg>\s+no\s+longer\s+drives?)|\s+(?:now\s+)?drives?)(?=\s+an?\s+(?:\w+\s+)?[A-Z])", "phrase", "{s} drives {o}.",
         "{s} no longer drives {o}.", object_type="thing"),
    rule("has_pet", rf"\s+(?:have|has|got|adopted|own|owns)\s+{_COUNT}\s+(?:[\w-]+\s+){{0,2}}?(?:{ANIMALS})s?\s*,?\s+(?:named|called)", "name",
         "{s} has a pet called {o}.", timing="none", object_type="thing"),
    rule("owns", r"\s+(?:owns?|have\s+bought)(?=\s+(?:an?|two|three|my)\s)", "phrase", "{s} owns {o}.", timing="none", object_type="thing"),
    rule("bought", rf"{happened('bought|purchased')}(?=\s+(?:an?|some|two|three|new|my\s+first|[A-Z]))", "phrase",
         "{s} bought {o}.", kind="event", timing="event", object_type="thing"),
    rule("visited", happened(r"visited|travell?ed\s+to|flew\s+to|went\s+to", r"visited|travell?ed\s+to|been\s+to|flown\s+to"), "name",
         "{s} visited {o}.", kind="event", timing="event", object_type="place", listed=True),
    rule("visited", rf"{never('visited|been to|travelled to|traveled to')}", "name", "{s} has never been to {o}.", timing="none", object_type="place",
         negated=True, listed=True),
    rule("went_to", happened(r"went\s+to|attended") + r"(?=\s+(?:an?|the|my)\s)", "phrase", "{s} went to {o}.", kind="event",
         timing="event", object_type="event"),
    *(rule(relation, happened(past) + _NEW, "phrase", "{s} " + says + " {o}.", kind="event", timing="event",
           object_type=kind, confidence=0.85) for relation, past, says, kind in _DEEDS),
    rule("started", happened("started|began") + r"(?=\s+(?!being|getting|feeling|seeing|thinking|having|looking|going|doing|working\s+(?:at|for))\w+ing\s)", "phrase",
         "{s} started {o}.", kind="event", timing="event", object_type="event", confidence=0.85),
    rule("went", happened("went") + r"(?=\s+(?:hiking|camping|swimming|skiing|surfing|kayaking|fishing|running|shopping|dancing|biking|cycling"
         r"|climbing|sailing|bowling|skating|snowboarding|snorkeling|diving|sightseeing|backpacking)\b)", "phrase", "{s} went {o}.",
         kind="event", timing="event", object_type="event"),
    rule("joined", rf"{happened('joined')}(?=\s+(?:an?|the|[A-Z]))", "phrase", "{s} joined {o}.", kind="event", timing="event",
         object_type="organization"),
    rule("graduated_from", happened(r"graduated\s+from"), "name", "{s} graduated from {o}.", kind="event", timing="event",
         object_type="organization"),
    rule("studies", state("study", "studies", "studying", "studied") + r"(?!\s+(?:at|in|for|with|abroad|hard|together|from|under|there|here)\b)", "phrase", "{s} studies {o}.",
         "{s} does not study {o}.", object_type="thing", confidence=0.85),
    rule("studies_at", state("study", "studies", "studying", "studied") + rf"(?:\s+(?!(?:at|for|with|to|my|our|in)\b)[\w&-]+){{0,5}}?\s+at(?=\s+(?:the\s+)?[{UPPER}])", "name",
         "{s} studies at {o}.", "{s} no longer studies at {o}.", object_type="organization"),
    rule("studies_at", rf"{is_()}\s+(?:an?\s+)?(?:(?:\w+\s+){{0,2}}student|enrolled)(?:\s+(?:of|in)\s+[a-z]+(?:\s+[a-z]+)?)?\s+(?:at|in)(?=\s+(?:the\s+)?[{UPPER}])", "name", "{s} studies at {o}.",
         "{s} no longer studies at {o}.", object_type="organization"),
    rule("studies_at", rf"{happened(r'enrolled|matriculated')}\s+(?:at|in)(?=\s+(?:the\s+)?[{UPPER}])", "name", "{s} enrolled at {o}.", timing="from",
         object_type="organization"),
    rule("studies_at", happened(r"dropped\s+out\s+of|got\s+(?:expelled|kicked\s+out)\s+(?:from|of)|was\s+expelled\s+from|stopped\s+studying\s+at|graduated\s+from"), "name",
         "{s} no longer studies at {o}.", timing="from", object_type="organization", negated=True),
    rule("speaks", rf"(?:{habit('speak', 'speaks')}|\s+can(?P<neg3>\s+not|not|['’]t)?\s+speak|{BE}{ADVERBS}\s+fluent\s+in)(?:\s+(?:fluent|both))?"  # noqa: RUF001
         rf"\s+(?P<object>{LANGUAGES})", "group", "{s} speaks {o}.", "{s} does not speak {o}.", timing="none", object_type="thing",
         members=LANGUAGES),
    rule("plays", rf"{state('play', 'plays', 'playing')}\s+(?:both\s+)?(?:the\s+)?(?P<object>{INSTRUMENTS}|{SPORTS})", "group",
         "{s} plays {o}.", "{s} does not play {o}.", timing="none", object_type="thing", members=rf"{INSTRUMENTS}|{SPORTS}"),
    rule("allergic_to", rf"{is_()}\s+allergic\s+to", "joined", "{s} is allergic to {o}.", "{s} is not allergic to {o}.",
         timing="none", object_type="thing"),
    rule("diet", rf"{is_()}(?:\s+a)?\s+(?P<object>vegetarian|vegan|pescatarian)", "group", "{s} is {o}.", "{s} is not {o}.",
         timing="none", object_type="thing"),
    rule("diet", happened(r"became(?:\s+an?)?|went|turned", r"become(?:\s+an?)?|gone|turned") + r"\s+(?P<object>vegetarian|vegan|pescatarian)", "group",
         "{s} is {o}.", timing="from", object_type="thing"),
    rule("age", rf"{BE}\s+(?P<object>\d{{1,3}}\s+years\s+old)", "group", "{s} is {o}.", timing="none", object_type="quantity"),
    rule("age", rf"(?:{BE}(?:\s+now)?|\s+(?:just\s+)?turned)\s+(?P<object>[1-9]\d)(?=\s*(?:[.!,;]|$|now\b|today\b|yesterday\b|last\b|this\b|on\b|in\b))",
         "group", "{s} is {o}.", timing="none", object_type="quantity"),
    rule("age", rf"(?:{BE}(?:\s+(?:now|only|already))?|\s+(?:just\s+)?turned)\s+(?P<object>[1-9])(?=\s*(?:[.!,;]|$|now\b|today\b|yesterday\b))",
         "group", "{s} is {o}.", timing="none", object_type="quantity"),
    rule("has_children", r"\s+(?:have|has)\s+(?P<object>(?:two|three|four|five|\d)\s+(?:kids|children|sons|daughters))", "group",
         "{s} has {o}.", timing="none", object_type="quantity"),
    rule("plans_to", _PLAN, "phrase", "{s} plans to {o}.", "{s} does not plan to {o}.", kind="intention", timing="plan",
         object_type="event"),
    rule("plans_to", happened("decided") + r"\s+to", "phrase", "{s} decided to {o}.", kind="intention", timing="none",
         object_type="event", confidence=0.8),
    *(rule("status", pattern, "group", says, kind="event", timing="event", subject="thing", confidence=0.85)
      for pattern, says in ((_HAPPENED_TO_THING, "{s} was {o}."), (_HAPPENED, "{s} {o}."))),
    rule("scheduled_for", r"\s+(?:is|was|has\s+been|got)(?:\s+now)?\s+(?:scheduled\s+for|moved\s+to|rescheduled\s+(?:to|for)|postponed\s+to|set\s+for"
         r"|planned\s+for|on)(?:\s+on)?", "time", "{s} is scheduled for {o}.", subject="thing", timing="none", object_type="time", confidence=0.85),
    rule("uses", state("use", "uses", "using"), "name", "{s} uses {o}.", "{s} no longer uses {o}.", object_type="product", confidence=0.85, listed=True),
    rule("led_by", r"\s+(?:is|has\s+been)(?:\s+(?:now|currently))?(?P<neg>\s+no\s+longer|\s+not)?\s+(?:led|headed|run|managed)\s+by", "name",
         "{s} is led by {o}.", "{s} is no longer led by {o}.", subject="thing", object_type="person", confidence=0.85),
    rule("requires", r"\s+(?:(?P<neg>no\s+longer\s+requires?|does\s+not\s+require)|now\s+requires?|requires?)", "phrase",
         "{s} requires {o}.", "{s} no longer requires {o}.", subject="thing", timing="from", confidence=0.85),
)  # fmt: skip

NAMED: Final = re.compile(r"\b[Mm]y\s+(?:full\s+)?name\s+is\s+")
NICKNAMED: Final = re.compile(
    r"(?:\b[Mm]y\s+nickname\s+is|\b(?:[Ee]very(?:body|one)(?:\s+(?:else|here|at\s+\w+))?|[Pp]eople|[Mm]y\s+(?:\w+\s+)?(?:friends|family|colleagues|coworkers|mom|mum|dad|parents|teammates)"
    r"|[Ff]riends|[Ff]olks|[Tt]hey(?:\s+all)?|[Mm]ost\s+people)(?:\s+(?:just|usually|all|always|now))?\s+calls?\s+me|\bI\s+(?:also\s+|usually\s+)?go\s+by(?:\s+the\s+name(?:\s+of)?)?"
    rf"|\b(?:[Yy]ou\s+can|[Pp]lease|[Ff]eel\s+free\s+to|(?:^|(?<=[.!,]\s))[Jj]ust)\s+(?:just\s+)?call\s+me|^[Cc]all\s+me|\bI(?:['’]m|\s+am)\s+(?:also\s+|usually\s+|mostly\s+)?(?:known\s+as|called))\s+(?=[{UPPER}])"  # noqa: RUF001
)
FAVORITE: Final = re.compile(
    r"\b[Mm]y\s+(?:(?:all-time|absolute)\s+)?favou?rite\s+(?P<what>[a-z]+(?:\s[a-z]+)?)\s+is\s+(?:now\s+|currently\s+)?"
)
BIRTHDAY: Final = re.compile(r"\b[Mm]y\s+birthday\s+is\s+(?:on\s+)?")
MY_KIN: Final = re.compile(
    rf"\b[Mm]y\s+(?:(?!ex\b|former\b|late\b|future\b|old\b|previous\b|dead\b|deceased\b)\w+\s+)?(?P<kin>{'|'.join(KIN)})(?:,?\s+|(?P<is>(?:['’]s\s+name)?\s+is\s+(?:now\s+)?(?:(?:called|named)\s+)?))(?=[{UPPER}])"  # noqa: RUF001
)
MY_PET: Final = re.compile(rf"\b[Mm]y\s+(?:\w+\s+)?(?P<pet>{ANIMALS}),?\s+(?:is\s+(?:called|named)\s+)?(?=[A-Z])")
