# ruff: noqa: RUF001, E501
"""How often the encoding of a text is guessed right, by its length, and how long a guess takes.

    python tests/benchmarks/encodings.py [--rounds 20]

Sentences in eleven languages, in the order of chance, are written in the encodings that people used for them and cut to
so many bytes. Right is a guess that gives back the same characters. Beside what Muniment does, charset-normalizer is
measured where it is installed. A table in Markdown.
"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable

from muniment.errors import MunimentError
from muniment.sources.charset import decode_text

_LENGTHS = (40, 200, 1000, 5000)
_SAID: dict[str, tuple[tuple[str, ...], str]] = {
    "German": (("cp1252", "iso8859-15"), "Der Schlüssel hängt über der Tür.|Wir haben größere Bäume als früher gesägt."
               "|Bitte schließen Sie das Tor, bevor es dunkel wird.|Müller kommt am Dienstag später.|Er weiß es längst."),
    "French": (("cp1252",), "Où est la clé de la grange ?|Elle a été oubliée à l'école.|Nous l'avons cherchée après dîner."
               "|Ça ne fait rien, répondit-elle.|Le maître d'hôtel préfère le café."),
    "Spanish": (("cp1252",), "¿Dónde está la llave del establo?|La dejó mañana y tarde en el jardín.|El niño pequeño soñó."
                "|¡Qué lástima!|La reunión empezó más tarde de lo que pensábamos."),
    "Polish": (("cp1250", "iso8859-2"), "Klucz wisi nad drzwiami, gdzie zawsze był.|Łódź stoi przy brzegu, żagle są mokre."
               "|Proszę zamknąć bramę, zanim się ściemni.|Śnieg spadł późną jesienią.|Żółta łąka ciągnie się daleko."),
    "Czech": (("cp1250",), "Klíč visí nad dveřmi, kde vždycky byl.|Žebřík stojí za domem u zdi.|Přišel pozdě a byl promočený."
              "|Děti šly ke škole přes řeku.|Učitel mluví příliš rychle."),
    "Russian": (("cp1251", "koi8-r"), "Ключ висит над дверью, где и всегда.|Лестница стоит за домом у стены."
                "|Закройте ворота, пока не стемнело.|Вчера шёл сильный дождь.|Учитель говорит слишком быстро."),
    "Greek": (("cp1253",), "Το κλειδί κρέμεται πάνω από την πόρτα.|Η σκάλα είναι πίσω από το σπίτι.|Χθες έβρεξε πολύ."
              "|Κλείστε την πύλη πριν νυχτώσει.|Ο δάσκαλος μιλά πολύ γρήγορα."),
    "Turkish": (("cp1254",), "Anahtar kapının üstünde asılı duruyor.|Merdiven evin arkasında, duvarın yanında."
                "|Lütfen hava kararmadan kapıyı kapatın.|Dün çok yağmur yağdı.|Öğretmen çok hızlı konuşuyor."),
    "Japanese": (("shift_jis", "euc_jp"), "鍵はドアの上に掛かっています。|梯子は家の裏の壁のそばにあります。|昨日は雨がたくさん降りました。"
                 "|暗くなる前に門を閉めてください。|先生は話すのが速すぎます。"),
    "Chinese": (("gb18030", "big5"), "鑰匙掛在門上面。|梯子在房子後面的牆邊。|昨天下了很大的雨。|請在天黑之前把門關上。|老師說得太快了。"),
    "Korean": (("euc_kr",), "열쇠는 문 위에 걸려 있습니다.|사다리는 집 뒤 벽 옆에 있습니다.|어제는 비가 많이 왔습니다."
               "|어두워지기 전에 문을 닫아 주세요.|선생님은 말이 너무 빠릅니다."),
}  # fmt: skip


def texts(language: str, encoding: str, length: int, rounds: int) -> list[str]:
    """Texts that have about so many bytes in the encoding."""
    sentences = _SAID[language][1].split("|")
    made = []
    for number in range(rounds):
        chosen = random.Random(f"{language}{number}")
        text = ""
        while len(text.encode(encoding)) < length:
            text += chosen.choice(sentences) + (" " if chosen.random() < 0.8 else "\n")
        made.append(text[: max(8, len(text) * length // len(text.encode(encoding)))])
    return made


def by_muniment(data: bytes) -> str:
    try:
        return decode_text(data)[0]
    except MunimentError:
        return ""


def by_charset_normalizer(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    return "" if best is None else str(best)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rounds", type=int, default=20)
    rounds = options.parse_args().rounds
    ways: dict[str, Callable[[bytes], str]] = {"muniment": by_muniment}
    try:
        import charset_normalizer  # noqa: F401

        ways["charset-normalizer"] = by_charset_normalizer
    except ImportError:
        pass
    heads = [f"{way}, {length} bytes" for way in ways for length in _LENGTHS]
    print(f"| language | encoding | {' | '.join(heads)} |\n|---|---{'|---:' * len(heads)}|")
    right: dict[tuple[str, int], list[bool]] = defaultdict(list)
    seconds: dict[tuple[str, int], float] = defaultdict(float)
    for language, (encodings, _) in _SAID.items():
        for encoding in encodings:
            cells = []
            for way, decoded in ways.items():
                for length in _LENGTHS:
                    written = [(text, text.encode(encoding)) for text in texts(language, encoding, length, rounds)]
                    started = time.process_time()
                    found = [decoded(data) == text for text, data in written]
                    seconds[way, length] += time.process_time() - started
                    right[way, length] += found
                    cells.append(f"{sum(found) / len(found):.0%}")
            print(f"| {language} | {encoding} | {' | '.join(cells)} |", flush=True)
    totals = [f"{sum(right[way, length]) / len(right[way, length]):.1%}" for way in ways for length in _LENGTHS]
    print(f"| **all** | | {' | '.join(totals)} |")
    costs = [f"{1000 * seconds[way, length] / len(right[way, length]):.2f}" for way in ways for length in _LENGTHS]
    print(f"| ms a guess | | {' | '.join(costs)} |")


if __name__ == "__main__":
    main()
