"""Dates in languages other than English: the names of months, and the words for the days around today.

Languages go by the names of PostgreSQL's text search configurations.
"""

from typing import Final

from muniment.extraction.time.spans import Grain

_NAMES: Final[dict[str, str]] = {
    "german": "januar,jänner februar,feber märz april mai juni juli august september oktober november dezember",
    "french": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "spanish": "enero febrero marzo abril mayo junio julio agosto septiembre,setiembre octubre noviembre diciembre",
    "italian": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "portuguese": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "dutch": "januari februari maart april mei juni juli augustus september oktober november december",
    "swedish": "januari februari mars april maj juni juli augusti september oktober november december",
    "danish": "januar februar marts april maj juni juli august september oktober november december",
    "norwegian": "januar februar mars april mai juni juli august september oktober november desember",
    "finnish": "tammikuu,tammikuuta,tammikuussa helmikuu,helmikuuta,helmikuussa maaliskuu,maaliskuuta,maaliskuussa "
    "huhtikuu,huhtikuuta,huhtikuussa toukokuu,toukokuuta,toukokuussa kesäkuu,kesäkuuta,kesäkuussa "
    "heinäkuu,heinäkuuta,heinäkuussa elokuu,elokuuta,elokuussa syyskuu,syyskuuta,syyskuussa "
    "lokakuu,lokakuuta,lokakuussa marraskuu,marraskuuta,marraskuussa joulukuu,joulukuuta,joulukuussa",
    "russian": "январь,января,январе февраль,февраля,феврале март,марта,марте апрель,апреля,апреле май,мая,мае "
    "июнь,июня,июне июль,июля,июле август,августа,августе сентябрь,сентября,сентябре октябрь,октября,октябре "
    "ноябрь,ноября,ноябре декабрь,декабря,декабре",
    "turkish": "ocak,ocakta şubat,şubatta mart,martta nisan,nisanda mayıs,mayısta haziran,haziranda temmuz,temmuzda "  # noqa: RUF001
    "ağustos,ağustosta eylül,eylülde ekim,ekimde kasım,kasımda aralık,aralıkta",  # noqa: RUF001
    "arabic": "يناير فبراير,شباط مارس,آذار أبريل,ابريل,إبريل,نيسان مايو,أيار يونيو,حزيران يوليو,تموز "
    "أغسطس,اغسطس,آب سبتمبر,أيلول أكتوبر,اكتوبر نوفمبر ديسمبر",
    "romanian": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
}
LOCAL_MONTHS: Final[dict[str, dict[str, int]]] = {
    language: {name: number for number, names in enumerate(text.split(), 1) for name in names.split(",")}
    for language, text in _NAMES.items()
}
# whole names beside a year are months in a text of any language
FOREIGN_MONTHS: Final[dict[str, int]] = {
    name: number for months in LOCAL_MONTHS.values() for name, number in months.items() if len(name) > 3
}
CONNECTIVES: Final = frozenset({"de", "del", "of"})
INTRODUCTIONS: Final[dict[str, frozenset[str]]] = {
    "german": frozenset({"im", "seit", "bis"}),
    "french": frozenset({"en", "depuis"}),
    "spanish": frozenset({"en", "desde"}),
    "italian": frozenset({"in", "a", "da"}),
    "portuguese": frozenset({"em", "desde"}),
    "dutch": frozenset({"in", "sinds"}),
}
LOCAL_DAYS: Final[dict[str, dict[str, int]]] = {
    "german": {"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2},
    "french": {"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1},
    "spanish": {"anteayer": -2, "ayer": -1, "hoy": 0, "mañana": 1},
    "italian": {"ieri": -1, "oggi": 0, "domani": 1},
    "portuguese": {"anteontem": -2, "ontem": -1, "hoje": 0, "amanhã": 1},
    "dutch": {"eergisteren": -2, "gisteren": -1, "vandaag": 0, "morgen": 1, "overmorgen": 2},
}
# "vor drei Tagen", "il y a 3 jours", "hace 3 días": the words before the number
AGO: Final[dict[str, tuple[str, ...]]] = {
    "german": ("vor",),
    "french": ("il", "y", "a"),
    "spanish": ("hace",),
}
LOCAL_UNITS: Final[dict[str, dict[str, Grain]]] = {
    "german": {
        "tag": "day", "tage": "day", "tagen": "day", "woche": "week", "wochen": "week",
        "monat": "month", "monate": "month", "monaten": "month",
        "jahr": "year", "jahre": "year", "jahren": "year",
        "jahres": "year", "monats": "month",
    },
    "french": {
        "jour": "day", "jours": "day", "semaine": "week", "semaines": "week", "mois": "month", "an": "year",
        "ans": "year", "année": "year", "années": "year",
    },
    "spanish": {
        "día": "day", "días": "day", "semana": "week", "semanas": "week", "mes": "month", "meses": "month",
        "año": "year", "años": "year",
    },
}  # fmt: skip
LOCAL_NUMBERS: Final[dict[str, dict[str, int]]] = {
    "german": {
        "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
        "neun": 9, "zehn": 10,
    },
    "french": {
        "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9,
        "dix": 10,
    },
    "spanish": {
        "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9,
        "diez": 10,
    },
}  # fmt: skip
# "letzte Woche", "la semaine dernière", "la semana pasada": the word beside the unit, on either side
LAST: Final[dict[str, frozenset[str]]] = {
    "german": frozenset(
        [
            "letzte",
            "letzten",
            "letztes",
            "letzter",
            "letztem",
            "vorige",
            "vorigen",
            "voriges",
            "vergangene",
            "vergangenes",
            "vergangenen",
        ]
    ),
    "french": frozenset(["dernier", "dernière", "derniers", "dernières", "passé", "passée"]),
    "spanish": frozenset(["pasado", "pasada", "pasados", "pasadas", "último", "última", "últimos", "últimas"]),
}
STEPS_OF: Final[dict[str, dict[str, int]]] = {
    language: dict.fromkeys(LAST[language], -1) | dict.fromkeys(this.split(), 0) | dict.fromkeys(coming.split(), 1)
    for language, this, coming in (
        ("german", "diese diesen dieses dieser diesem", "nächste nächsten nächstes nächster kommende kommenden"),
        ("french", "ce cet cette", "prochain prochaine"),
        ("spanish", "este esta", "próximo próxima"),
    )
}
LOCAL_WEEKDAYS: Final[dict[str, dict[str, int]]] = {
    language: {name: number for number, names in enumerate(text.split()) for name in names.split(",")}
    for language, text in (
        ("german", "montag dienstag mittwoch donnerstag freitag samstag,sonnabend sonntag"),
        ("french", "lundi mardi mercredi jeudi vendredi samedi dimanche"),
        ("spanish", "lunes martes miércoles jueves viernes sábado domingo"),
    )
}
LOCAL_SEASONS: Final[dict[str, dict[str, int]]] = {  # their first month
    "german": {"frühling": 3, "frühjahr": 3, "sommer": 6, "herbst": 9, "winter": 12},
    "french": {"printemps": 3, "été": 6, "automne": 9, "hiver": 12},
    "spanish": {"primavera": 3, "verano": 6, "otoño": 9, "invierno": 12},
}
# a season alone is one only behind one of these: "im Sommer", "au printemps", "en el verano"
SEASON_INTRODUCTIONS: Final[dict[str, frozenset[str]]] = {
    "german": frozenset({"im"}),
    "french": frozenset({"en", "au", "pendant"}),
    "spanish": frozenset({"en", "el", "la"}),
}
LOCAL_ORDINALS: Final[dict[str, dict[str, int]]] = {
    language: {name: number for number, names in enumerate(text.split(), 1) for name in names.split(",")}
    for language, text in (
        (
            "german",
            "erste,ersten,erstes,erster zweite,zweiten,zweites,zweiter dritte,dritten,drittes vierte,vierten,viertes",
        ),
        ("french", "premier,première deuxième,second,seconde troisième quatrième"),
        ("spanish", "primer,primera,primero segundo,segunda tercer,tercera,tercero cuarto,cuarta"),
    )
}
LOCAL_PARTS: Final[dict[str, dict[str, int]]] = {  # of a year, in months
    "german": {"quartal": 3, "halbjahr": 6, "hälfte": 6, "jahreshälfte": 6},
    "french": {"trimestre": 3, "semestre": 6, "moitié": 6},
    "spanish": {"trimestre": 3, "semestre": 6, "mitad": 6},
}
WEEK_WORDS: Final[dict[str, frozenset[str]]] = {
    "english": frozenset({"week"}),
    "german": frozenset({"woche", "kalenderwoche"}),
    "french": frozenset({"semaine"}),
    "spanish": frozenset({"semana"}),
}
LOCAL_BOUNDS: Final[dict[str, dict[str, str]]] = {
    "german": {"vor": "before", "bis": "before", "nach": "after", "seit": "since"},
    "french": {"avant": "before", "après": "after", "depuis": "since"},
    "spanish": {"antes": "before", "hasta": "before", "después": "after", "desde": "since"},
}
ARTICLES: Final[dict[str, frozenset[str]]] = {
    "german": frozenset({"dem", "den", "der", "die", "das", "im", "am", "jahr", "jahre", "jahres", "in", "zum"}),
    "french": frozenset({"le", "la", "les", "l", "de", "du", "des", "en", "année"}),
    "spanish": frozenset({"el", "la", "los", "las", "de", "del", "en", "año"}),
}
YEAR_WORDS: Final[dict[str, frozenset[str]]] = {
    "german": frozenset({"jahr", "jahre", "jahres", "in", "seit", "bis", "vor", "nach", "von", "und"}),
    "french": frozenset({"en", "année", "an", "depuis", "avant", "après", "de"}),
    "spanish": frozenset({"en", "año", "desde", "hasta", "de", "del"}),
}
# words that are in nearly every sentence of a language, and in few of another
COMMON: Final[dict[str, frozenset[str]]] = {
    "english": frozenset(
        [
            "the",
            "what",
            "who",
            "when",
            "where",
            "which",
            "did",
            "was",
            "is",
            "are",
            "of",
            "to",
            "and",
            "how",
            "why",
            "does",
            "do",
            "has",
            "have",
        ]
    ),
    "german": frozenset(
        [
            "wer",
            "was",
            "wann",
            "wo",
            "wie",
            "welche",
            "welcher",
            "welches",
            "der",
            "die",
            "das",
            "den",
            "dem",
            "ist",
            "war",
            "hat",
            "haben",
            "wurde",
            "im",
            "am",
            "und",
            "nicht",
            "wir",
            "ich",
            "mit",
            "von",
            "für",
            "ein",
            "eine",
        ]
    ),
    "french": frozenset(
        [
            "qui",
            "que",
            "quoi",
            "quand",
            "où",
            "quel",
            "quelle",
            "est",
            "était",
            "le",
            "la",
            "les",
            "des",
            "du",
            "une",
            "et",
            "dans",
            "pour",
            "avec",
            "nous",
            "je",
            "a",
            "j",
            "ai",
            "il",
            "elle",
            "au",
            "ce",
            "un",
            "mon",
            "pas",
        ]
    ),
    "spanish": frozenset(
        [
            "quién",
            "qué",
            "cuándo",
            "dónde",
            "cómo",
            "cuál",
            "es",
            "fue",
            "el",
            "la",
            "los",
            "las",
            "del",
            "una",
            "y",
            "en",
            "por",
            "con",
            "para",
            "se",
            "un",
            "mi",
            "al",
            "tengo",
            "está",
            "son",
            "nos",
        ]
    ),
}
