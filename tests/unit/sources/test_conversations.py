"""What the readers of conversations know of a turn: who said it, when, in which thread, and as what."""

import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.conversations.mail_body import passages
from muniment.sources.conversations.mail_headers import decoded, person
from muniment.sources.registry import choose_format

ARABIC = "\u200f\u0663\u0661\u200f/\u0661\u200f/\u0662\u0660\u0662\u0666\u060c \u0669:\u0663\u0660 \u0645"


def read(text: str | bytes, filename: str, **limits: Any) -> Parsed:
    data = text.encode() if isinstance(text, str) else text
    return read_source(
        data, kind="file", filename=filename, media_type=None, source_key=f"k/{filename}", settings=Settings(**limits)
    )


def local_times(parsed: Parsed) -> list[str]:
    return [str(chunk.metadata["local_time"]) for chunk in parsed.chunks]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("31/01/2026, 09:30 - Anna: x", "2026-01-31T09:30:00"),
        ("1/31/26, 9:30 PM - Anna: x", "2026-01-31T21:30:00"),
        ("1/31/26, 12:05\u202fAM - Anna: x", "2026-01-31T00:05:00"),
        ("31/1/2026 9:30 p. m. - Anna: x", "2026-01-31T21:30:00"),
        ("[31.01.26, 09:30:15] Anna: x", "2026-01-31T09:30:15"),
        ("\u200e[2026/01/31, 9:30:15\u202fPM] Anna: x", "2026-01-31T21:30:15"),
        ("2026-01-31 09:30 - Anna: x", "2026-01-31T09:30:00"),
        ("31.1.2026 klo 9.30 - Anna: x", "2026-01-31T09:30:00"),
        ("2026/1/31 下午9:30 - 安娜: x", "2026-01-31T21:30:00"),
        ("2026년 1월 31일 오전 12:30, 민지 : x", "2026-01-31T00:30:00"),
        ("31/01/2026 à 21:30 - Anna: x", "2026-01-31T21:30:00"),
        ("[31/01/2026 à 21:30:15] Anna: x", "2026-01-31T21:30:15"),
        ("31.01.2026 \u0433., 21:30 ч. - Anna: x", "2026-01-31T21:30:00"),
        (f"{ARABIC} - Anna: x", "2026-01-31T21:30:00"),
        ("31/1/2569 21:30 - Anna: x", "2026-01-31T21:30:00"),
        ("31.1.2026 kl. 21.30 - Anna: x", "2026-01-31T21:30:00"),
        ("31/1/2026, 9:30 μ.μ. - Anna: x", "2026-01-31T21:30:00"),
        ("31.01.2026 ÖS 9:30 - Anna: x", "2026-01-31T21:30:00"),
        ("31/01/2026, 9:30 CH - Anna: x", "2026-01-31T21:30:00"),
        ("31/01/2026, 12:30 SA - Anna: x", "2026-01-31T00:30:00"),
        ("31/1/2026, 9:30 अपराह्न - Anna: x", "2026-01-31T21:30:00"),
        ("2026. 01. 31. du. 9:30 - Anna: x", "2026-01-31T21:30:00"),
        ("31.1.2026, 9:30 \u05d0\u05d7\u05d4\u05f4\u05e6 - Anna: x", "2026-01-31T21:30:00"),
        ("31/1/2026, 9:30 PTG - Anna: x", "2026-01-31T21:30:00"),
        ("2026/1/31 中午12:30 - Anna: x", "2026-01-31T12:30:00"),
    ],
)
def test_whatsapp_dates_of_many_phones_are_read(line: str, expected: str) -> None:
    parsed = read(line + "\n", "chat.txt")
    assert local_times(parsed) == [expected]
    assert parsed.chunks[0].text == "x" and parsed.chunks[0].speaker in ("Anna", "安娜", "민지")


def test_whatsapp_dates_that_could_be_both_are_told_by_their_order() -> None:
    american = "1/2/26, 09:30 - A: x\n2/1/26, 09:30 - A: y\n3/1/26, 09:30 - A: z\n"
    assert local_times(read(american, "chat.txt"))[1] == "2026-02-01T09:30:00"
    british = "11/2/26, 09:30 - A: x\n12/2/26, 09:30 - A: y\n1/3/26, 09:30 - A: z\n"
    assert local_times(read(british, "chat.txt"))[2] == "2026-03-01T09:30:00"
    unclear = read("3/4/26, 09:30 - A: x\n", "chat.txt")
    assert any("day or the month" in note for note in unclear.notes)


def test_a_pasted_line_neither_decides_the_order_of_dates_nor_begins_a_message() -> None:
    lines = [f"{month}/{day}/26, 09:30 - A: m{month}" for month, day in ((1, 2), (2, 15), (3, 20), (4, 5))]
    american = "\n".join([*lines[:2], "31/12/25, 10:00 - B: pasted", *lines[2:]])
    assert local_times(read(american, "chat.txt"))[:2] == ["2026-01-02T09:30:00", "2026-02-15T09:30:00"]
    assert read(american, "chat.txt").chunks[1].text == "m2\n31/12/25, 10:00 - B: pasted"
    german = "".join(f"{day}.02.26, 09:30 - A: t{day}\n" for day in range(1, 28))
    pasted = german + "28.02.26, 09:30 - A: he wrote\n[2025/12/31, 10:00:01] B: pasted\n"
    chunks = read(pasted, "chat.txt").chunks
    assert len(chunks) == 28 and chunks[-1].text == "he wrote\n[2025/12/31, 10:00:01] B: pasted"
    assert {chunk.speaker for chunk in chunks} == {"A"}


@pytest.mark.parametrize(
    "line",
    ["[2026-01-31 09:30:15] local.ERROR: Call failed", "2026-01-31 09:30 - WARN: low", "[31/01/2026 09:30:15] INFO: x"],
)
def test_logs_are_no_chats(line: str) -> None:
    chosen, _ = choose_format(f"{line}\n#0 trace\n{line}\n".encode(), None, "laravel.txt")
    assert chosen is not None and chosen.name == "plain text"


def test_chats_whose_files_have_the_same_name_stay_apart() -> None:
    def key(first: str, name: str = "_chat.txt", around: str = "") -> str:
        parsed = read_source(
            f"[05.03.26, 14:02:11] {first}: x\n[06.03.26, 14:02:11] {first}: y\n".encode(), kind="file",
            filename=name, media_type=None, source_key=around + name, settings=Settings(),
        )  # fmt: skip
        return parsed.conversations[0].key

    other = read("[05.03.26, 14:02:12] Ann: x\n", "_chat.txt")
    assert key("Ann", around="k/") == key("Ben", around="k/") != other.conversations[0].key
    assert (
        key("Ann", around="WhatsApp Chat - Roof.zip!/") == key("Ann", "WhatsApp Chat with Roof.txt") == "whatsapp:Roof"
    )
    assert key("Ann", around="a/WhatsApp Chat - Boat.zip!/") == "whatsapp:Boat"


def test_what_whatsapp_says_itself_is_said_by_nobody() -> None:
    parsed = read('01/02/2026, 00:05 - Ben changed the subject from "a: b" to "c"\n01/02/2026, 00:06 - A: x\n', "c.txt")
    assert [(chunk.role, chunk.speaker) for chunk in parsed.chunks] == [("system", None), (None, "A")]


def test_plain_text_with_a_date_in_it_stays_plain_text() -> None:
    chosen, _ = choose_format(b"Minutes\n\n31/01/2026, 09:30 - Anna: opened the meeting\n", None, "minutes.txt")
    assert chosen is not None and chosen.name == "plain text"


def test_telegram_tells_its_zone_by_both_its_times() -> None:
    message = {"id": 1, "type": "message", "date": "2026-01-31T10:00:00", "date_unixtime": "1769850000", "from": "A"}
    chat = {"name": "R", "type": "personal_chat", "id": 1, "messages": [message | {"text": "x"}]}
    at = read(json.dumps(chat), "result.json").chunks[0].at
    assert at == datetime.fromisoformat("2026-01-31T10:00:00+01:00") and str(at.utcoffset()) == "1:00:00"


def test_of_a_chatgpt_tree_only_the_current_branch_is_read() -> None:
    def node(name: str, parent: str | None, role: str) -> dict[str, Any]:
        content = {"content_type": "text", "parts": [f"says {name}"]}
        return {"message": {"id": name, "author": {"role": role}, "content": content}, "parent": parent}

    mapping = {"q": node("q", None, "user"), "old": node("old", "q", "assistant"), "new": node("new", "q", "assistant")}
    parsed = read(
        json.dumps([{"title": "T", "mapping": mapping, "current_node": "new", "id": "c"}]), "conversations.json"
    )
    assert [chunk.text for chunk in parsed.chunks] == ["says q", "says new"]
    assert any(note.startswith("1 messages stand in branches") for note in parsed.notes)


def test_a_long_answer_is_cut_at_paragraphs_and_its_pieces_have_ids_of_their_own() -> None:
    said = "\n\n".join(f"Paragraph {number} " + "word " * 30 for number in range(20))
    message = {"uuid": "m", "sender": "assistant", "text": said, "created_at": "2026-01-31T09:30:00Z"}
    parsed = read(json.dumps([{"uuid": "c", "name": "N", "chat_messages": [message]}]), "conversations.json")
    ids = [chunk.locator["message_id"] for chunk in parsed.chunks]
    assert ids[:2] == ["m", "m#2"] and len(ids) == len(set(ids)) > 2
    assert all(len(chunk.text) <= 1200 for chunk in parsed.chunks)


def test_a_transcript_joins_the_cues_of_one_speaker() -> None:
    cues = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>one\n\n00:02.000 --> 00:03.000\n<v A>two\n\n"
    cues += "00:04.000 --> 00:05.000\n<v B>three\n"
    parsed = read(cues, "t.vtt")
    assert [(chunk.speaker, chunk.text) for chunk in parsed.chunks] == [("A", "one\ntwo"), ("B", "three")]
    assert (parsed.chunks[0].locator["start"], parsed.chunks[0].locator["end"]) == ("00:01.000", "00:03.000")


def test_mails_of_one_thread_are_one_conversation_whatever_their_subject() -> None:
    def mail(number: int, refers: str, subject: str) -> str:
        return (
            f"From a@b Sat Jan 31 09:30:00 2026\nMessage-ID: <{number}@x>\n{refers}From: A <a@b>\nSubject: {subject}\n"
            f"Date: Sat, 31 Jan 2026 09:{number:02}:00 +0100\n\nmail {number}\n\n"
        )

    box = mail(1, "", "Roof") + mail(2, "", "Roof") + mail(3, "In-Reply-To: <1@x>\n", "Renamed")
    parsed = read(box + mail(4, "References: <1@x> <3@x>\n", "Renamed"), "in.mbox")
    assert parsed.conversations is not None
    talks = {each.key: [chunk.text for chunk in parsed.chunks[slice(*each.turns)]] for each in parsed.conversations}
    assert talks == {"mail:1@x": ["mail 1", "mail 3", "mail 4"], "mail:2@x": ["mail 2"]}


@pytest.mark.parametrize(
    "introduced",
    [
        "On Fri, Jan 30, 2026 at 8:00 PM Ben Ito <b@x> wrote:", "On Fri, 30 Jan 2026, Ben Ito wrote:",
        "Am Fr., 30. Jan. 2026 um 20:00 Uhr schrieb Ben Ito <b@x>:",
        "Le ven. 30 janv. 2026 à 20:00, Ben Ito <b@x> a écrit :",
        "On Fri, Jan 30, 2026 at 8:00 PM Ben Ito\n<b@x> wrote:",
    ],
)  # fmt: skip
def test_who_is_quoted_is_told_by_the_line_before(introduced: str) -> None:
    quoted = list(passages(f"Yes.\n\n{introduced}\n\n> I bought the ladder.\n"))[1]
    assert (quoted.quoted, quoted.said) == (True, "Ben Ito")


def test_what_a_mail_quotes_is_not_said_by_its_sender() -> None:
    mail = (
        "Message-ID: <1@x>\nMIME-Version: 1.0\nFrom: Anna <a@b>\nDate: Sat, 31 Jan 2026 09:30:00 +0100\n\n"
        "I sold it.\n\n"
        "On Fri, Jan 30, 2026 at 8:00 PM Ben Ito <b@x> wrote:\n> I bought the ladder.\n"
    )
    own, quoted = read(mail, "m.eml").chunks
    assert (own.text, own.speaker, own.role) == ("I sold it.", "Anna", "user") and own.at is not None
    assert (quoted.speaker, quoted.role, quoted.at) == ("Ben Ito", "quoted", None)
    assert quoted.metadata["quoted_by"] == "Anna"


def test_attachments_are_parts_with_names_that_lead_nowhere() -> None:
    mail = (
        b"Message-ID: <1@x>\nMIME-Version: 1.0\nFrom: a@b\n"
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n"
        b'Content-Type: text/csv\nContent-Disposition: attachment; filename="../../etc/pass\\wd.csv"\n\na,b\n--b--\n'
    )
    part = read(mail, "m.eml").parts[0]
    assert (part.filename, part.data, part.media_type) == ("wd.csv", b"a,b", "text/csv")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
@settings(deadline=None, max_examples=100)
def test_passages_cover_any_body_in_order(body: str) -> None:
    assert "".join(body[slice(*each.span)] for each in passages(body)) == body


@given(
    st.lists(
        st.sampled_from(["> x\n", "On Friday Ben wrote:\n", "\n", "own\n", "From: A\n", "Sent: B\n", "--\n"]),
        max_size=12,
    )
)
@settings(deadline=None, max_examples=200)
def test_passages_cover_bodies_of_quotations(lines: list[str]) -> None:
    body = "".join(lines)
    assert "".join(body[slice(*each.span)] for each in passages(body)) == body


def test_headers_are_decoded_across_words_of_half_a_character() -> None:
    assert decoded("=?utf-8?b?4oI=?= =?utf-8?b?rA==?= =?x-none?q?caf=E9?=") == "€café"
    assert person('"Ito, Ben" <b@x>') == "Ito, Ben"
    assert person("b@x (Ben)") == "Ben"
    assert person("<b@x>") == "b@x"


def test_a_mail_that_nests_too_deep_says_which_limit_it_passed() -> None:
    opened = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(12))
    with pytest.raises(Exception, match="nest too deep"):
        read("Message-ID: <1@x>\nFrom: a@b\n" + opened + "Content-Type: text/plain\n\nx\n", "m.eml")


def test_what_graphiti_exports_is_kept_with_its_times_and_what_it_rests_on() -> None:
    at = "2026-03-01T10:00:00Z"
    fact = {"uuid": "f1", "group_id": "g", "name": "LIVES_IN", "fact": "Maya lives in Lisbon.", "created_at": at}
    export = {
        "episodes": [{"uuid": "e1", "group_id": "g", "content": "I live in Lisbon.", "created_at": at}],
        "edges": [
            fact | {"episodes": ["e1"], "valid_at": at, "invalid_at": None, "source_node_uuid": "n1"},
            fact | {"uuid": "f2", "fact": "Maya likes tea.", "episodes": []},
        ],
        "nodes": [{"uuid": "n1", "group_id": "g", "name": "Maya", "summary": "Maya, who lives in Lisbon."}],
    }
    for shape in (export, [export]):
        parsed = read(json.dumps(shape), "graph.json")
        told = {str(chunk.locator["message_id"]): chunk for chunk in parsed.chunks}
        assert set(told) == {"e1", "f1", "f2", "n1"} and len(parsed.conversations) == 1
        assert told["f1"].text == "Maya lives in Lisbon." and told["f1"].metadata["episodes"] == "e1"
        assert told["f1"].metadata["valid_at"] == at and told["f1"].metadata["source_node_uuid"] == "n1"
        assert told["f1"].at is not None and told["n1"].text.startswith("Maya, who")
