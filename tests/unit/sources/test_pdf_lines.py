"""Paragraphs out of the lines of a page."""

from muniment.sources.documents.pdf_lines import Line, group_lines


def lines(*placed: tuple[str, float, float], height: float = 10, width: float = 300) -> list[Line]:
    """Lines by text, left edge and bottom."""
    return [Line(text, (x, y, x + width, y + height)) for text, x, y in placed]


def texts(found: list[Line]) -> list[str]:
    return [group.text for group in group_lines(found)]


def test_a_wider_gap_begins_a_paragraph_and_the_usual_one_does_not() -> None:
    found = lines(
        ("a", 0, 700), ("b", 0, 688), ("c", 0, 676), ("d", 0, 664), ("e", 0, 646), ("f", 0, 634), ("g", 0, 622)
    )
    assert texts(found) == ["a b c d", "e f g"]


def test_double_spaced_text_is_no_row_of_paragraphs() -> None:
    assert texts(lines(*((f"l{n}", 0, 700 - 24 * n) for n in range(8)))) == [" ".join(f"l{n}" for n in range(8))]


def test_an_indent_of_the_first_line_begins_a_paragraph_but_a_block_moved_in_does_not_end_at_each_line() -> None:
    assert texts(lines(("a", 0, 700), ("b", 0, 688), ("c", 12, 676), ("d", 0, 664))) == ["a b", "c d"]


def test_a_jump_upwards_is_another_column() -> None:
    assert texts(lines(("a", 0, 700), ("b", 0, 688), ("c", 320, 700), ("d", 320, 688))) == ["a b", "c d"]


def test_larger_letters_are_a_paragraph_of_their_own() -> None:
    assert texts([*lines(("Title", 0, 700), height=16), *lines(("a", 0, 685), ("b", 0, 673))]) == ["Title", "a b"]


def test_a_word_that_a_line_parts_is_put_together_and_a_double_name_keeps_its_hyphen() -> None:
    assert texts(lines(("an exam\x02", 0, 700), ("ple of", 0, 688), ("Baden\ufffe", 0, 676), ("Baden", 0, 664))) == [
        "an example of Baden-Baden"
    ]


def test_items_stand_alone_though_their_gaps_are_usual() -> None:
    found = list(group_lines(lines(("• one", 0, 700), ("more", 8, 688), ("• two", 0, 676), ("3. three", 0, 664))))
    assert [(group.text, group.item) for group in found] == [("• one more", True), ("• two", True), ("3. three", True)]


def test_what_is_hidden_is_never_mixed_with_what_is_seen() -> None:
    seen, hidden = lines(("a", 0, 700), ("b", 0, 688))
    found = list(group_lines([seen, Line(hidden.text, hidden.box, "white")]))
    assert [(group.text, group.hidden) for group in found] == [("a", None), ("b", "white")]
