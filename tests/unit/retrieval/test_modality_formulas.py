"""Golden values of the modality routes' score and of the support score, each worked out by hand."""

import pytest

from muniment.retrieval.formulas.modality import fields_score, modality_score
from muniment.retrieval.formulas.supporting import SupportWeights, support_score
from muniment.retrieval.parameters import FIELD_WEIGHTS, ModalityParameters
from muniment.retrieval.profile import DEFAULT, REFERENCE


def test_a_field_counts_the_share_of_the_question_that_it_holds() -> None:
    held = {"symbol": 2, "path": 1, "author": 4}  # a field without a weight counts nothing
    assert fields_score(FIELD_WEIGHTS["code"], held, 4) == pytest.approx(1.0 * 2 / 4 + 0.8 * 1 / 4)
    assert fields_score(FIELD_WEIGHTS["table"], {"headers": 1, "row": 3}, 6) == pytest.approx(1 / 6 + 0.5 * 3 / 6)


def test_a_question_without_terms_stands_in_no_field() -> None:
    assert fields_score(FIELD_WEIGHTS["document"], {}, 0) == 0


def test_the_modality_score_is_the_reference_formula() -> None:
    plain = modality_score(ModalityParameters(), cosine=0.5, bm25=3.0, fields=0.7, named=False)
    assert plain == pytest.approx(0.56 * 0.5 + 0.30 * 0.75 + 0.14 * 0.7)
    named = modality_score(ModalityParameters(), cosine=0.5, bm25=3.0, fields=0.7, named=True)
    assert named - plain == pytest.approx(0.12)


def test_support_weighs_cosine_and_overlap() -> None:
    assert support_score(SupportWeights(), cosine=0.5, overlap=0.25) == pytest.approx(0.36 + 0.07)


def test_every_field_has_the_specifications_weight() -> None:
    assert {modality: dict(weights) for modality, weights in FIELD_WEIGHTS.items()} == {
        "code": {"symbol": 1.0, "path": 0.8, "imports": 0.6, "language": 0.5},
        "table": {"headers": 1.0, "sheet": 0.8, "row": 0.5, "path": 0.4},
        "image": {"visible_text": 1.0, "description": 0.8, "filename": 0.4},
        "document": {"section": 1.0, "title": 0.8, "page": 0.7, "path": 0.5},
        "conversation": {"speaker": 1.0, "message": 0.8},
    }


def test_the_reference_profile_uses_the_routes_and_the_default_does_not() -> None:
    assert (REFERENCE.modality.active, DEFAULT.modality.active) == (True, False)
