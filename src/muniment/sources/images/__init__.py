"""Images: what can be read on them, or at least what they are; and the images inside documents."""

from muniment.sources.format import Format, lazy_locate, lazy_read, lazy_show

_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")


def looks_like_image(data: bytes) -> bool:
    """Whether the bytes begin as PNG, JPEG or WebP does."""
    return data.startswith(_SIGNATURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


FORMATS: tuple[Format, ...] = (
    Format(
        "image",
        ("image/png", "image/jpeg", "image/webp"),
        (".png", ".jpg", ".jpeg", ".webp"),
        lazy_read("muniment.sources.images.image", "read_image"),
        lazy_locate("muniment.sources.images.image", "locate_image"),
        isolated=True,
        sniff=looks_like_image,
        show=lazy_show("muniment.sources.images.picture", "show_image"),
    ),
)
