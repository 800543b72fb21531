"""Conversations: exports of chats, transcripts and mail. A turn is a chunk."""

from muniment.sources.conversations.chatgpt import CHATGPT, looks_like_chatgpt
from muniment.sources.conversations.claude import CLAUDE, looks_like_claude
from muniment.sources.conversations.discord import DISCORD, looks_like_discord
from muniment.sources.conversations.mail import (
    locate_mail,
    locate_mailbox,
    looks_like_mail,
    looks_like_mailbox,
    read_mail,
    read_mailbox,
)
from muniment.sources.conversations.memories import MEM0, ZEP, looks_like_mem0, looks_like_zep
from muniment.sources.conversations.outlook import locate_outlook, looks_like_outlook, read_outlook
from muniment.sources.conversations.slack import (
    locate_slack,
    locate_slack_zip,
    looks_like_slack,
    looks_like_slack_zip,
    read_slack,
    read_slack_zip,
)
from muniment.sources.conversations.subtitles import locate_subtitles, looks_like_subtitles, read_subtitles
from muniment.sources.conversations.telegram import TELEGRAM, looks_like_telegram
from muniment.sources.conversations.trisynapse import locate_trisynapse, looks_like_trisynapse, read_trisynapse
from muniment.sources.conversations.whatsapp import locate_whatsapp, looks_like_whatsapp, read_whatsapp
from muniment.sources.format import Format, Locate, Read, Sniff

_JSON, _ZIP = "application/json", "application/zip"


def _format(
    name: str, media_types: tuple[str, ...], extensions: tuple[str, ...], read: Read, locate: Locate, sniff: Sniff
) -> Format:
    return Format(name, media_types, extensions, read, locate, isolated=True, sniff=sniff)


def _vendor(name: str, shared: str, extension: str, read: Read, locate: Locate, sniff: Sniff) -> Format:
    media_type = f"application/vnd.muniment.{name.replace(' ', '-')}"
    return _format(name, (media_type, shared), (extension,), read, locate, sniff)


FORMATS: tuple[Format, ...] = (
    _vendor("slack channel", _JSON, ".json", read_slack, locate_slack, looks_like_slack),
    _vendor("slack workspace", _ZIP, ".zip", read_slack_zip, locate_slack_zip, looks_like_slack_zip),
    _vendor("discord", _JSON, ".json", DISCORD.read, DISCORD.locate, looks_like_discord),
    _vendor("telegram", _JSON, ".json", TELEGRAM.read, TELEGRAM.locate, looks_like_telegram),
    _vendor("chatgpt", _JSON, ".json", CHATGPT.read, CHATGPT.locate, looks_like_chatgpt),
    _vendor("claude", _JSON, ".json", CLAUDE.read, CLAUDE.locate, looks_like_claude),
    _vendor("mem0", _JSON, ".json", MEM0.read, MEM0.locate, looks_like_mem0),
    _vendor("zep", _JSON, ".json", ZEP.read, ZEP.locate, looks_like_zep),
    Format(
        "trisynapse", ("application/vnd.sqlite3", "application/x-sqlite3"), (".sqlite3", ".sqlite", ".db"),
        read_trisynapse, locate_trisynapse, isolated=True, sniff=looks_like_trisynapse, exact=True,
    ),
    _vendor("whatsapp", "text/plain", ".txt", read_whatsapp, locate_whatsapp, looks_like_whatsapp),
    _format("webvtt", ("text/vtt",), (".vtt",), read_subtitles, locate_subtitles, looks_like_subtitles),
    _format("subrip", ("application/x-subrip",), (".srt",), read_subtitles, locate_subtitles, looks_like_subtitles),
    _format("mail", ("message/rfc822",), (".eml",), read_mail, locate_mail, looks_like_mail),
    _format("mailbox", ("application/mbox",), (".mbox", ".mbx"), read_mailbox, locate_mailbox, looks_like_mailbox),
    _format(
        "outlook mail", ("application/vnd.ms-outlook",), (".msg",), read_outlook, locate_outlook, looks_like_outlook
    ),
)  # fmt: skip
