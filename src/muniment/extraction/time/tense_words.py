"""The words by which a sentence tells whether what it dates lies ahead or behind."""

from typing import Final


def words_of(text: str) -> frozenset[str]:
    """The words of a text, parted by blanks."""
    return frozenset(text.split())


_IRREGULAR: Final = """
went came got made took saw said told gave found thought knew became left felt brought began kept held wrote stood heard
met ran paid sat spoke grew lost fell sent built understood drew broke spent rose drove bought wore chose ate flew rode
sang swam taught caught fought won threw slept woke drank forgot hid led lent lit shot sold shook stole struck swore
tore dealt dug fed bent blew bit clung crept fled froze hung knelt laid meant rang sank sought shone slid sprang stuck
stung swept swung wept wove withdrew overcame gone done seen taken given known written spoken grown fallen drawn broken
risen driven worn chosen eaten flown ridden sung swum thrown woken drunk forgotten hidden shaken stolen sworn torn blown
bitten frozen rung sunk woven withdrawn been become gotten proven shown
"""
IRREGULAR_PAST: Final = frozenset(_IRREGULAR.split())
PAST_HELPERS: Final = frozenset(["was", "were", "did", "had", "wasn't", "weren't", "didn't", "hadn't", "couldn't"])
# words in "ed" that are no past, or say how somebody feels about something
NOT_PAST: Final = words_of(
    "need feed seed speed breed indeed hundred bed red shed sled wed weed deed exceed proceed succeed bleed heed greed"
    " united limited sacred naked wicked kindred beloved excited interested tired thrilled pleased delighted worried"
    " scared amazed embed ted fred ned jed reed"
)
ADJECTIVES_AHEAD: Final = frozenset(["due", "scheduled", "planned", "expected", "supposed", "slated"])
HELPERS_AHEAD: Final = words_of(
    "will shall won't gonna can must should might cannot can't shouldn't needn't upcoming soon"
)
WISHES: Final = words_of(
    "plan plans planning hope hopes hoping want wants intend intends aim aims expect expects need needs"
)
PRESENT_BE: Final = frozenset(["am", "is", "are", "isn't", "aren't", "i'm", "we're", "you're", "they're", "ain't"])
PRESENT_HAVE: Final = frozenset(["have", "has", "haven't", "hasn't"])
BEFORE_IS: Final = frozenset(
    ["it", "he", "she", "that", "there", "what", "where", "when", "who", "here", "how", "this"]
)
AFTER_IS: Final = frozenset(["on", "in", "at", "due", "by", "not", "going"])
# verbs that in the present tense set the time of something, as they stand with a plural and with a singular
_SETTING: Final = """
take open start begin end close meet arrive leave depart run return come go happen occur fall expire launch ship land
premiere air kick finish play continue resume move graduate retire marry turn fly travel visit stay host celebrate
perform present speak teach work resit sit take-off head drive sail hold release reopen ride race
"""
SETTING: Final = frozenset(_SETTING.split())
_SINGULAR: Final = {verb: verb + ("es" if verb.endswith(("o", "s", "x", "ch", "sh")) else "s") for verb in SETTING}
SETTING_SINGULAR: Final = frozenset({*_SINGULAR.values(), "flies", "marries"})
NOT_BEFORE_SETTING: Final = words_of(
    "to the a an my our your his her its their this that these those some any no of in at on for from by with every"
    " each next last first was were been"
)
IMPERATIVES: Final = words_of(
    "submit send bring call join come meet finish complete register book reserve pay apply check sign reply respond"
    " rsvp hand deliver remind save mark note pick visit arrive prepare schedule cancel file renew contact email let"
    " remember please don't see be"
)
NOUNS_AHEAD: Final = words_of("deadline appointment reservation ticket tickets reminder rsvp todo due-date")
KEPT_FROM: Final = words_of(  # "the photo from 3 July"
    "photo photos picture pictures pic pics shot image video email mail letter message note notes minutes report post"
    " clip screenshot review results article invoice receipt transcript memory memories"
)
DETERMINERS: Final = words_of("the a an my our your his her its their this that these those some")
UP_TO: Final[dict[str, frozenset[str]]] = {  # directly before a time that is yet to come, where no verb says otherwise
    "english": frozenset(["by", "until", "till", "for"]),
    "german": frozenset(["bis", "ab"]),
    "french": frozenset(["jusqu'au", "jusqu'en", "jusqu'à", "d'ici", "avant"]),
    "spanish": frozenset(["hasta", "para"]),
}
SINCE: Final = frozenset(["since", "seit", "depuis", "desde"])
BREAKS: Final[dict[str, frozenset[str]]] = {
    "english": words_of("and but or because so when while that which who if as though although where"),
    "german": words_of("und aber oder weil denn als wenn dass wo während obwohl"),
    "french": words_of("et mais ou parce car quand que qui si puisque où"),
    "spanish": words_of("y pero o porque cuando que si donde aunque"),
}
GERMAN_BACK: Final = words_of(
    "war waren warst hatte hatten wurde wurden worden gewesen ging gingen kam kamen sah sahen fand fanden fuhr fuhren"
    " flog flogen gab blieb blieben schrieb nahm nahmen traf trafen aß tranken las lasen lief liefen hielt hielten"
    " begann zog zogen stand saß lag ließ half starb verlor gewann"
    " sprach geschah geschahen trug rief schlief brachte dachte wusste wollte"
    " wollten konnte konnten musste mussten"
)
GERMAN_AHEAD: Final = words_of(
    "wird werden werde wirst werdet will wollen willst kann können muss müssen soll sollen sollte möchte möchten findet"
    " finden beginnt beginnen startet starten endet enden öffnet öffnen eröffnet schließt kommt kommen komme fährt"
    " fahren fahre fliegt fliegen fliege geht gehen gehe reist reisen reise zieht ziehen ziehe trifft treffen treffe"
    " heiratet heiraten heirate spielt läuft feiert feiern bitte fällig geplant abgabe frist bleibt bleibe bleiben"
    " erscheint tritt besucht besuchen besuche passiert geschieht sehen"
)
GERMAN_BE: Final = words_of("ist sind bin bist seid")
GERMAN_HAVE: Final = words_of("hat haben habe hast habt")
GERMAN_STATES: Final = words_of(  # participles that say how something is, not what was done
    "geschlossen geöffnet geplant gebucht vorgesehen angesetzt eingeladen gedacht vereinbart"
)
GERMAN_NO_PARTICIPLES: Final = words_of(
    "gehen geben gegen gelten gewinnen genießen gehören gestalten gefallen genug gerne gestern gesamten geplant"
    " gemeinsamen gesten"
)
GERMAN_NO_PAST: Final = words_of(
    "heute bitte möchte möchten könnte könnten sollte sollten müsste müssten würde würden leute karte erste ersten"
    " letzte letzten nächste nächsten beste besten gute guten alte alten zweite zweiten dritte dritten vierte vierten"
    " rote roten weite warten starten arbeiten halten bieten bitten raten mitte hätte hätten unten hinten dritte seite"
    " seiten zeiten heiraten bereiten leisten bleibten"
)
FRENCH_BACK: Final = words_of("était étaient étais avait avaient avais fut furent eut eurent fit firent")
FRENCH_AHEAD: Final = words_of(
    "est sont suis sommes êtes va vais vas vont allons allez commence commencent débute débutent ouvre ouvrent finit"
    " finissent termine terminent ferme tient part pars partons partent arrive arrivent arrivons vient viennent doit"
    " dois devons doivent faut peut peux pouvons veut veux voulons déménage déménageons reprend vole voyage voyons"
    " s'ouvre prévu prévue joue rendez-vous veuillez prière date voit rendez merci échéance visite"
)
FRENCH_HAVE: Final = words_of("ai as a avons avez ont")
FRENCH_BE: Final = words_of("est sont suis sommes êtes es")
FRENCH_MOVED: Final = words_of(  # the verbs whose past is built with "être"
    "all parti venu arriv né mort sorti entr rest tomb mont descendu devenu rentr retourn pass revenu"
)
FRENCH_NO_PARTICIPLES: Final = words_of(
    "lieu du au jeu peu eau lui ici aussi qui si ni samedi midi lundi mardi jeudi vendredi cours plus dans sous puis"
    " mais très"
)
SPANISH_BACK: Final = words_of(
    "fue fueron fui fuimos era eran estaba estaban estuvo estuve había habían hubo hizo hice hicimos hicieron tuvo tuve"
    " vi vio vimos di dio dije dijo vine vino puse puso pude pudo quise quiso supe iba iban tenía miré tiré retiré giré"
    " preparé comparé separé paré esperé operé generé compré entré"
)
SPANISH_NO_PAST: Final = words_of("aquí así ahí allí café qué sé mí sí está esté té porqué bebé solo sólo pero")
SPANISH_AHEAD: Final = words_of(
    "es son está están soy estoy estamos empieza empiezan comienza comienzan abre abren cierra cierran termina terminan"
    " acaba llega llegan llego llegamos sale salen salgo viene vienen vuelo viajo viaja viajamos voy vas va vamos van"
    " tiene tenemos tengo celebra vence vemos quedamos debe debo debemos hay puede puedo podemos quiero queremos mudo"
    " muda mudamos casa casamos vuelve toca favor plazo cita entrega lugar"
)
SPANISH_HAVE: Final = words_of("ha han he has hemos")
