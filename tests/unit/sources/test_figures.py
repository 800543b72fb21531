"""Images inside documents: those that say something become parts, what decorates is left out and counted."""

import io

import pytest
from PIL import Image

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.images.figures import Figures


def picture(number: int = 0, size: tuple[int, int] = (100, 80), form: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, (number % 256, number // 256, 7)).save(file, form)
    return file.getvalue()


def test_an_image_is_a_part_with_its_place_number_and_title() -> None:
    figures = Figures(Settings())
    figures.add("word/media/b.png", {"page": 4}, lambda: picture(1), title=" A\n plan ")
    figures.add("a.jpg", {"page": 5}, lambda: picture(2, form="JPEG"))
    first, second = figures.parts()
    assert (first.key, first.filename, first.media_type) == ("word/media/b.png", "b.png", "image/png")
    assert (first.title, first.place, second.place) == ("A plan", {"figure": 1, "page": 4}, {"figure": 2, "page": 5})
    assert first.data == picture(1) and second.media_type == "image/jpeg" and list(figures.notes()) == []


def test_what_is_small_or_on_many_pages_decorates() -> None:
    figures = Figures(Settings(figure_least_side=50, figure_repeats=3))
    for page in range(3):
        figures.add(f"logo-{page}", {"page": page}, lambda: picture(1))
    for page in (1, 1, 2):
        figures.add(f"twice-{page}", {"page": page}, lambda: picture(2))
    figures.add("dot", {"page": 1}, lambda: picture(3, (200, 49)))
    assert [part.key for part in figures.parts()] == ["twice-1"]
    assert list(figures.notes()) == ["Images left out: 1 on 3 pages or more, 1 shorter than 50 pixels on a side."]


def test_only_so_many_are_taken_and_the_note_names_the_setting() -> None:
    figures = Figures(Settings(max_figures=2))
    for number in range(5):
        figures.add(f"{number}.png", {}, lambda number=number: picture(number))  # type: ignore[misc]
    assert [part.key for part in figures.parts()] == ["0.png", "1.png"]
    (note,) = figures.notes()
    assert note.startswith("Images left out: 3 beyond MUNIMENT_MAX_FIGURES (2)")


def test_a_bomb_is_an_error_of_that_image_alone() -> None:
    figures = Figures(Settings(max_image_pixels=5000))
    figures.add("bomb.png", {"page": 1}, lambda: picture(1))
    figures.add("fine.png", {"page": 1}, lambda: picture(1, (70, 70)))
    bomb, fine = figures.parts()
    assert bomb.error is not None and bomb.error.code == "source.too_complex" and bomb.data == b""
    assert bomb.error.facts == {"limit": 5000, "setting": "MUNIMENT_MAX_IMAGE_PIXELS"} and fine.error is None


def test_what_cannot_be_taken_out_harms_no_other() -> None:
    def gone() -> bytes:
        raise MunimentError("input.too_large", "Unpacked it is too much.", limit=3)

    figures = Figures(Settings())
    figures.add("gone.png", {}, gone)
    figures.add("drawing.emf", {}, lambda: b"\1\0\0\0 no format that anybody reads")
    figures.add("fine.png", {}, lambda: picture(1))
    gone_part, fine = figures.parts()
    assert gone_part.error is not None and gone_part.error.code == "input.too_large" and fine.key == "fine.png"
    assert list(figures.notes()) == ["Images left out: 1 damaged, or of another format."]


@pytest.mark.parametrize("wanted", [True, False])
def test_images_of_documents_can_be_left_where_they_are(wanted: bool) -> None:
    figures = Figures(Settings(document_images=wanted))
    figures.add("a.png", {}, lambda: picture(1))
    assert len(figures.parts()) == wanted
