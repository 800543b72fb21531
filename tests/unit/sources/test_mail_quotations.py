# ruff: noqa: RUF001 — words of many languages
"""What a mail quotes is told from what its sender says, and whose it is and when it was written."""

from datetime import datetime
from time import process_time
from typing import Any

import pytest

from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.conversations.mail_alternatives import html_only
from muniment.sources.conversations.mail_body import html_text, passages
from muniment.sources.conversations.mail_dates import written_time

HEAD = "From: {0} <{0}@x.org>\n{1}: {2}\nTo: Someone\nSubject: Roof\n\n"


def mail(body: str, number: int = 9, refers: str = "", **limits: Any) -> Parsed:
    return read(f"{headers(number, refers)}{body}", "m.eml", **limits)


def headers(number: int, refers: str = "", sender: str = "Anna") -> str:
    return (
        f"Message-ID: <{number}@x>\nMIME-Version: 1.0\n{refers}From: {sender} <{sender}@x.org>\n"
        f"Date: Sat, 31 Jan 2026 09:{number:02}:00 +0100\nContent-Type: text/plain; charset=utf-8\n\n"
    )


def read(text: str, filename: str, **limits: Any) -> Parsed:
    return read_source(
        text.encode(), kind="file", filename=filename, media_type=None, source_key=f"k/{filename}",
        settings=Settings(**limits),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("On Fri, Jan 30, 2026 at 8:00\u202fPM Ben Ito <b@x> wrote:", "2026-01-30T20:00:00"),
        ("Friday, January 30, 2026 8:00 PM", "2026-01-30T20:00:00"),
        ("Fri, 30 Jan 2026 20:00:00 +0530", "2026-01-30T20:00:00+05:30"),
        ("Am Fr., 30. Jan. 2026 um 20:00 Uhr schrieb Ben Ito <b@x>:", "2026-01-30T20:00:00"),
        ("Am 30.01.26 um 20:00 schrieb Ben:", "2026-01-30T20:00:00"),
        ("Le mar. 3 févr. 2026 à 20:00, Ben a écrit :", "2026-02-03T20:00:00"),
        ("viernes, 30 de enero de 2026 20:00", "2026-01-30T20:00:00"),
        ("martes, 3 de marzo de 2026 9:05 p. m.", "2026-03-03T21:05:00"),
        ("пт, 30 янв. 2026 г. в 20:00, Ben <b@x>:", "2026-01-30T20:00:00"),
        ("2026年1月30日(金) 20:00 Ben <b@x>:", "2026-01-30T20:00:00"),
        ("1/30/2026 8:00 PM", "2026-01-30T20:00:00"),
        ("3/4/2026 8:00 PM", None),
        ("On Friday Ben wrote:", None),
        ("Jan 32, 2026 8:00 PM", None),
    ],
)
def test_the_dates_above_quotations_are_read_where_they_are_plain(words: str, expected: str | None) -> None:
    assert written_time(words) == (None if expected is None else datetime.fromisoformat(expected))


@pytest.mark.parametrize(
    ("above", "who"),
    [
        ("On Fri, Jan 30, 2026 at 8:00 PM Ben Ito <b@x.org> wrote:", "Ben Ito"),
        ('On Fri, Jan 30, 2026 at 8:00 PM "Ito, Ben" <b@x.org> wrote:', "Ito, Ben"),
        ("On 30/01/2026 20:00, b@x.org <b@x.org> wrote:", "b@x.org"),
        ("Den fre 30 jan. 2026 kl 20:00 skrev Ben Ito <b@x.org>:", "Ben Ito"),
        ("30 января 2026, 20:00, Ben Ito пишет:", "Ben Ito"),
        ("пт, 30 янв. 2026 г. в 20:00, Ben Ito <b@x.org>:", "Ben Ito"),
        ("pt., 30 sty 2026 o 20:00 Ben Ito <b@x.org> napisał(a):", "Ben Ito"),
        ("El vie, 30 ene 2026 a las 20:00, Ben Ito (<b@x.org>) escribió:", "Ben Ito"),
        ("2026年1月30日(金) 20:00 Ben Ito <b@x.org>:", "Ben Ito"),
        ("Ben Ito <b@x.org> 于2026年1月30日周五 20:00写道：", "Ben Ito"),
    ],
)
def test_who_is_quoted_is_known_in_many_languages(above: str, who: str) -> None:
    own, quoted, *more = passages(f"Yes.\n\n{above}\n> I bought the ladder.\n\nSee you.\n")
    assert (own.quoted, quoted.quoted, quoted.said, [each.quoted for each in more]) == (False, True, who, [False])


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("Sent", "From"), ("Gesendet", "Von"), ("Envoyé", "De"), ("Enviado", "De"), ("Inviato", "Da"),
        ("Verzonden", "Van"), ("Skickat", "Från"), ("Отправлено", "От"), ("发送时间", "发件人"), ("送信日時", "差出人"),
    ],
)  # fmt: skip
def test_heads_of_outlook_in_many_languages_end_what_the_sender_says(sent: str, said: str) -> None:
    body = f"Done.\n\n{said}: Ben Ito <b@x.org>\n{sent}: 30.01.2026 20:00\nTo: A\n\nI moved to Porto.\n"
    own, quoted = mail(body).chunks
    assert (own.text, own.speaker, own.role) == ("Done.", "Anna", "user")
    assert (quoted.speaker, quoted.role, quoted.at) == ("Ben Ito", "quoted", None)
    assert quoted.metadata["local_time"] == "2026-01-30T20:00:00" and "I moved to Porto." in quoted.text


def test_each_who_is_quoted_in_a_quotation_is_quoted_alone() -> None:
    marked = (
        "Yes.\n\nOn Fri, Jan 30, 2026 at 8:00 PM Ben <b@x.org> wrote:\n> I moved to Lisbon.\n>\n"
        "> On Thu, Jan 29, 2026 at 8:00 PM Anna <a@x.org> wrote:\n> > I sold my car.\n> Well done.\n\nThanks.\n"
    )
    heads = "Yes.\n\n" + "".join(
        HEAD.format(who, "Sent", f"Friday, January {day}, 2026 8:00 PM") + f"{words}\n\n"
        for who, day, words in (("Ben", 30, "I moved to Lisbon."), ("Carla", 29, "I work at Siemens."))
    )
    told = [(chunk.speaker, chunk.role, chunk.metadata.get("local_time")) for chunk in mail(marked).chunks]
    assert told == [
        ("Anna", "user", None), ("Ben", "quoted", "2026-01-30T20:00:00"), ("Anna", "quoted", "2026-01-29T20:00:00"),
        ("Ben", "quoted", "2026-01-30T20:00:00"), ("Anna", "user", None),
    ]  # fmt: skip
    assert [(chunk.speaker, chunk.role) for chunk in mail(heads).chunks] == [
        ("Anna", "user"), ("Ben", "quoted"), ("Carla", "quoted"),
    ]  # fmt: skip


def test_what_stands_directly_above_an_attribution_is_the_senders() -> None:
    for above in (
        "On Fri, Jan 30, 2026 at 8:00 PM Ben <b@x.org> wrote:",
        "On Fri, Jan 30, 2026 at 8:00 PM\nBen wrote:",
    ):
        for mark in ("", "> "):
            own, quoted = mail(f"Use tiles.\n400 pieces.\n{above}\n{mark}I moved to Lisbon.\n").chunks
            assert (own.text, own.role, quoted.speaker) == ("Use tiles.\n400 pieces.", "user", "Ben")


def test_what_follows_an_attribution_with_a_date_is_quoted_though_no_line_is_marked() -> None:
    parsed = mail("Yes.\n\nOn Fri, Jan 30, 2026 at 8:00 PM Ben <b@x.org> wrote:\n\nI moved to Lisbon.\n\nBen\n")
    assert [(chunk.speaker, chunk.role) for chunk in parsed.chunks] == [("Anna", "user"), ("Ben", "quoted")]


@pytest.mark.parametrize(
    "body",
    [
        "The book that he wrote:\n\nIt is fine.\n", "From: Berlin\nTo: Lisbon\nDate: 30 January 2026\n\nI booked it.\n",
        "Note:\nI work at Siemens.\n", "______________________\nAnna, roofs and ladders\n",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_quotation_is_the_senders(body: str) -> None:
    assert [(chunk.speaker, chunk.role) for chunk in mail(body).chunks] == [("Anna", "user")]


def test_a_zone_that_is_stated_or_set_makes_the_time_of_a_quotation() -> None:
    body = (
        "Yes.\n\n-----Original Message-----\n" + HEAD.format("Ben", "Date", "Fri, 30 Jan 2026 20:00:00 +0000") + "Hm.\n"
    )
    assert mail(body).chunks[1].at == datetime.fromisoformat("2026-01-30T20:00:00+00:00")
    body = "Yes.\n\nOn Fri, Jan 30, 2026 at 8:00 PM Ben <b@x.org> wrote:\n> Hm.\n"
    assert mail(body, local_time_zone="Europe/Berlin").chunks[1].at == datetime.fromisoformat("2026-01-30T19:00:00Z")


def test_a_mailbox_says_once_what_its_mails_quote_of_each_other() -> None:
    line = "From a@b Sat Jan 31 09:30:00 2026\n"
    quoted = "On Fri, Jan 30, 2026 at 8:00 PM Ben <Ben@x.org> wrote:\n> I moved to Lisbon\n> in spring.\n"
    box = (
        line + headers(1, "", "Ben") + "I moved to Lisbon in\nspring.\n\n"
        + line + headers(2, "In-Reply-To: <1@x>\n") + f"Good.\n\n{quoted}\n"
        + line + headers(3, "In-Reply-To: <1@x>\n") + f"Hm.\n\n{quoted}> I sold my car.\n\n"
    )  # fmt: skip
    parsed = read(box, "in.mbox")
    assert [(chunk.role, chunk.speaker) for chunk in parsed.chunks] == [
        ("user", "Ben"), ("user", "Anna"), ("user", "Anna"), ("quoted", "Ben"),
    ]  # fmt: skip
    assert "1 quotations of mails that stand here too are left out." in parsed.notes


def box(*mails: tuple[str, str]) -> Parsed:
    """A mailbox of one thread: the senders and bodies of its mails, one a minute."""
    line = "From a@b Sat Jan 31 09:30:00 2026\n"
    refers = ["", *["In-Reply-To: <1@x>\n"] * len(mails)]
    each = [headers(at, refers[at - 1], sender) + f"{body}\n\n" for at, (sender, body) in enumerate(mails, 1)]
    return read("".join(line + mail for mail in each), "in.mbox")


def quotes(parsed: Parsed) -> list[str | None]:
    return [chunk.speaker for chunk in parsed.chunks if chunk.role == "quoted"]


LONG = "We agreed to mend the roof before the winter comes."
THEN = "On Saturday, 31 January 2026 at 8:00"


@pytest.mark.parametrize(
    ("sender", "own", "above", "kept"),
    [
        ("Cy", "Agreed.", f"{THEN} Ben <ben@x.org> wrote:", ["Ben"]),  # somebody else said the same
        ("Cy", LONG, f"{THEN} Ben <ben@x.org> wrote:", ["Ben"]),
        ("Ben", "Agreed.", "On Monday, 5 January 2026 at 8:00 Ben <ben@x.org> wrote:", ["Ben"]),  # another time
        ("Ben", "Agreed.", f"{THEN} Ben <ben@x.org> wrote:", []),
        ("Ben", "Agreed.", "Ben wrote:", []),
        ("Ben", LONG, "On Saturday Ben wrote:", []),
        ("Ben", "Agreed.", f"{THEN} <Ben@x.org> wrote:", []),  # the same by address
        ("Ben Ito", "Agreed.", f'{THEN} "Ito, Ben" <b@x.org> wrote:', []),
        ("Ben Ito", "Agreed.", "Ben wrote:", ["Ben"]),  # perhaps another Ben
        ("Ben Ito", LONG, "Ben wrote:", []),
        ("Ben Ito", LONG, "Ben Lund wrote:", ["Ben Lund"]),
        ("Cy", "Agreed.", "", [None]),  # nobody is told
        ("Cy", LONG, "", []),
    ],
)
def test_what_is_quoted_is_left_out_only_where_a_mail_of_whom_it_quotes_says_it(
    sender: str, own: str, above: str, kept: list[str | None]
) -> None:
    parsed = box((sender, own), ("Ann", f"Good, then all agree.\n\n{above}\n> {own}"))
    assert quotes(parsed) == kept
    assert any("stand here too" in note for note in parsed.notes) is not bool(kept)


def test_a_quotation_is_not_left_out_for_what_its_own_sender_says() -> None:
    assert quotes(mail("Agreed.\n\nBen wrote:\n> Agreed.\n")) == ["Ben"]


def test_what_only_the_html_says_is_its_senders_and_what_only_it_quotes_is_counted() -> None:
    plain = "Hello, see here <https://x.example>.\n\nOn Fri, 30 Jan 2026 08:00 Ben <b@x.org> wrote:\n> Rain?\n"
    marked = "<p>Hello, see <a>here</a>.</p><p>Use tiles.</p><div>On Fri, 30 Jan 2026 08:00 Ben wrote:</div>"
    marked += "<blockquote>Rain?<br>Much.</blockquote>"
    text = (
        "Message-ID: <1@x>\nMIME-Version: 1.0\nFrom: Anna <a@x.org>\nDate: Sat, 31 Jan 2026 09:30:00 +0100\n"
        f"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n{plain}\n--b\n"
        f"Content-Type: text/html\n\n{marked}\n--b--\n"
    )
    parsed = read(text, "m.eml")
    told = [(chunk.text, chunk.speaker, chunk.role, chunk.locator["part"]) for chunk in parsed.chunks]
    assert told[0] == ("Hello, see here <https://x.example>.", "Anna", "user", "1")
    assert told[2] == ("Use tiles.", "Anna", "user", "2") and len(told) == 3
    assert parsed.chunks[2].metadata["only"] == "html" and parsed.chunks[2].at == parsed.chunks[0].at
    assert "1 lines that only the HTML of mails quotes are left out." in parsed.notes


def test_what_only_the_html_says_is_found_in_linear_time() -> None:
    def seconds(share: int) -> float:
        lines = [f"<br>x{number}" for number in range(100_000 // share)]
        plain = "\n".join(f"The roof number {number} is tight." for number in range(6_000 // share))
        marked = html_text("<p>The roof number 7 is tight.</p>" + "".join(lines))
        began = process_time()
        own, quoted = html_only(plain, marked)
        took = process_time() - began
        assert own.split("\n")[-1] == f"x{len(lines) - 1}" and own.count("\n") == len(lines) - 1 and quoted == 0
        return took

    assert seconds(1) < 9 * seconds(4)  # of four times as much; a search of all the text for each line takes 16 times


def test_lines_that_only_are_broken_elsewhere_are_told_by_both() -> None:
    words = [f"word{number}" for number in range(20_000)]
    plain, marked = (
        "\n".join(" ".join(words[at : at + width]) for at in range(0, len(words), width)) for width in (9, 13)
    )
    assert html_only(plain, marked) == ("", 0)
    assert html_only(plain, "\n".join(reversed(marked.split("\n")[:20]))) == ("", 0)
    assert html_only("roof tight", "tight roof\ntight\nroof") == ("tight roof", 0)
