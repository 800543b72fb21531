"""Archives, directories and repositories: a list of all that is in them, and each member as a source."""

from muniment.sources.archives.sniffing import is_compressed, is_compressed_tar, is_manifest, is_tar, is_zip
from muniment.sources.format import Format, lazy_locate, lazy_read, lazy_unpack

_ROOM = "muniment.sources.archives"

MANIFEST = Format(
    "manifest", ("application/vnd.muniment.manifest+json",), (), lazy_read(f"{_ROOM}.manifest", "read_manifest"),
    lazy_locate(f"{_ROOM}.manifest", "locate_entries"), sniff=is_manifest,
)  # fmt: skip

FORMATS: tuple[Format, ...] = (
    MANIFEST,
    Format(
        "zip", ("application/zip", "application/x-zip-compressed"), (".zip", ".jar", ".whl"),
        lazy_read(f"{_ROOM}.zip", "read_zip"), lazy_locate(f"{_ROOM}.zip", "locate_zip"), True, is_zip,
        lazy_unpack(f"{_ROOM}.zip", "unpack_zip"),
    ),
    Format(
        "tar", ("application/x-tar",), (".tar",), lazy_read(f"{_ROOM}.tar", "read_tar"),
        lazy_locate(f"{_ROOM}.tar", "locate_tar"), True, is_tar, lazy_unpack(f"{_ROOM}.tar", "unpack_tar"),
    ),
    Format(
        "compressed tar", ("application/x-gtar-compressed",), (".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz"),
        lazy_read(f"{_ROOM}.tar", "read_tar"), lazy_locate(f"{_ROOM}.tar", "locate_tar"), True, is_compressed_tar,
        lazy_unpack(f"{_ROOM}.tar", "unpack_tar"),
    ),
    Format(
        "compressed file", ("application/gzip", "application/x-bzip2", "application/x-xz"), (".gz", ".bz2", ".xz"),
        lazy_read(f"{_ROOM}.compressed", "read_compressed"), lazy_locate(f"{_ROOM}.compressed", "locate_compressed"),
        True, is_compressed, lazy_unpack(f"{_ROOM}.compressed", "unpack_compressed"),
    ),
)  # fmt: skip
