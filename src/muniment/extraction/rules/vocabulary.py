"""Closed lists of words that the rules ask for, as alternatives of a pattern."""

from typing import Final

_LETTERED: Final = (*range(0xC0, 0x590), *range(0x1E00, 0x2000))
UPPER: Final = "A-Z" + "".join(chr(code) for code in _LETTERED if chr(code).isupper())
"""Capital letters of Latin, Greek, Cyrillic and Armenian, as a class of a pattern holds them."""
LOWER: Final = "a-z" + "".join(chr(code) for code in _LETTERED if chr(code).islower())
_UNCASED: Final = (
    r"\u05D0-\u05EA\u0620-\u065F\u0670-\u06D3\u06FA-\u06FF\u0750-\u077F\u0900-\u0963\u0971-\u0DFF\u0E01-\u0E4E\u0E81-\u0EDD"
    r"\u0F40-\u0FBC\u1000-\u103F\u10D0-\u10FF\u1200-\u137F\u1780-\u17D3\u3005\u3041-\u30FA\u30FC\u3400-\u4DBF\u4E00-\u9FFF"
    r"\uAC00-\uD7A3\uF900-\uFAFF"
)
UNCASED: Final = rf"[{_UNCASED}]{{1,24}}(?:[\s·・-][{_UNCASED}]{{1,24}}){{0,3}}(?![{_UNCASED}A-Za-z])"
"""A name in a script that has no capitals, where it stands among English words: 大阪, القاهرة, תל אביב, 서울."""
OPENS_NAME: Final = rf"[{UPPER}{_UNCASED}]"
"""What the name of somebody or something may begin with."""
TITLES: Final = r"(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor)"
"""What may stand before the name of a person, with a full stop or without."""


def _any(words: str) -> str:
    return "|".join(word.replace("_", r"\s+") for word in words.split())


OCCUPATIONS: Final = _any(
    "accountant actor actress architect artist assistant astronomer attorney author baker barber barista bartender"
    " biologist bookkeeper bricklayer butcher carpenter cashier chef chemist cleaner clerk coach coder composer"
    " consultant cook counselor counsellor dancer dentist designer detective developer dietitian director doctor"
    " driver economist editor electrician engineer farmer filmmaker firefighter fisherman florist gardener geologist"
    " graphic_designer hairdresser historian illustrator instructor interpreter janitor jeweler journalist judge lawyer"
    " lecturer librarian manager mathematician mechanic midwife model musician nurse nutritionist optician painter"
    " paralegal paramedic pharmacist photographer physician physicist physiotherapist pilot plumber poet policeman"
    " politician principal producer professor programmer psychiatrist psychologist radiologist realtor"
    " receptionist researcher sailor salesperson scientist sculptor secretary singer sociologist"
    " software_engineer soldier statistician student surgeon tailor teacher technician therapist translator tutor vet"
    " veterinarian waiter waitress welder writer yoga_instructor"
)
ROLES: Final = (
    "lead", "leader", "head", "manager", "owner", "founder", "co-founder", "CEO", "CTO", "CFO", "director", "chair",
    "captain", "president", "vice president", "maintainer", "sponsor", "coordinator",
)  # fmt: skip
KIN: Final = (
    "brother", "sister", "wife", "husband", "mother", "father", "mom", "mum", "dad", "son", "daughter", "partner",
    "girlfriend", "boyfriend", "fiancé", "fiancée", "boss", "roommate", "cousin", "uncle", "aunt", "nephew", "niece",
    "grandmother", "grandfather", "grandma", "grandpa", "best friend",
)  # fmt: skip
ANIMALS: Final = _any(
    "dog puppy pup cat kitten parrot hamster rabbit horse pony goldfish fish turtle tortoise guinea_pig snake lizard"
    " ferret bird canary"
)
LANGUAGES: Final = _any(
    "Arabic Basque Bengali Bulgarian Cantonese Catalan Chinese Croatian Czech Danish Dutch English Estonian Finnish"
    " French German Greek Hebrew Hindi Hungarian Icelandic Indonesian Irish Italian Japanese Korean Latvian Lithuanian"
    " Mandarin Norwegian Persian Polish Portuguese Punjabi Romanian Russian Serbian Slovak Slovenian Spanish Swahili"
    " Swedish Tamil Thai Turkish Ukrainian Urdu Vietnamese Welsh"
)
_PEOPLES: Final = (
    "african american arab argentinian asian australian austrian belgian bolivian brazilian british"
    " bulgarian canadian chilean chinese colombian croatian cuban czech danish dutch egyptian english"
    " estonian ethiopian european filipino finnish french german ghanaian greek hungarian icelandic indian"
    " indonesian iranian iraqi irish israeli italian jamaican japanese kenyan korean latvian lebanese"
    " lithuanian malaysian mexican moroccan nigerian norwegian pakistani persian peruvian polish"
    " portuguese romanian russian scottish serbian slovak slovenian spanish swedish swiss syrian taiwanese"
    " thai tunisian turkish ukrainian venezuelan vietnamese welsh buddhist catholic christian hindu jewish"
    " muslim protestant sikh"
)
PEOPLES: Final = frozenset(_PEOPLES.split())
"""What somebody is by nation or faith, and not by name, though it is written with a capital."""
INSTRUMENTS: Final = _any(
    "piano guitar violin viola cello drums flute clarinet saxophone trumpet trombone harp ukulele banjo bass_guitar"
    " keyboard accordion harmonica"
)
SPORTS: Final = _any(
    "football soccer basketball baseball tennis badminton volleyball hockey rugby cricket golf squash table_tennis"
    " chess handball"
)
