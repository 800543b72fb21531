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
    "german": {"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2},
    "french": {"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1},
    "spanish": {"anteayer": -2, "ayer": -1, "hoy": 0},
    "italian": {"ieri": -1, "oggi": 0, "domani": 1},
    "portuguese": {"anteontem": -2, "ontem": -1, "hoje": 0, "amanhã": 1},
    "dutch": {"eergisteren": -2, "gisteren": -1, "vandaag": 0, "overmorgen": 2},
}
# "vor drei Tagen", "il y a 3 jours", "hace 3 días": the words before the number
AGO: Final[dict[str, tuple[str, ...]]] = {
    "german": ("vor",),
    "french": ("il", "y", "a"),
    "spanish": ("hace",),
}
LOCAL_UNITS: Final[dict[str, dict[str, Grain]]] = {
    "german": {
        "tag": "day", "tagen": "day", "woche": "week", "wochen": "week", "monat": "month", "monaten": "month",
        "jahr": "year", "jahren": "year",
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
    "german": frozenset({"letzte", "letzten", "letztes", "letzter", "vorige", "vorigen", "voriges"}),
    "french": frozenset({"dernier", "dernière"}),
    "spanish": frozenset({"pasado", "pasada"}),
}
