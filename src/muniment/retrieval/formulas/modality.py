"""The score of the modality routes (the specification's section 5).

s(d) = 0.56 * cosine + 0.30 * bm25 / (1 + bm25) + 0.14 * fields(d) + 0.12 * [modality named in the question]
fields(d) = sum over fields of weight * |query terms in the field| / |query terms|
"""

from collections.abc import Mapping

from muniment.retrieval.parameters import ModalityParameters


def fields_score(weights: Mapping[str, float], held: Mapping[str, int], terms: int) -> float:
    """What a record's fields say; ``held`` of the question's ``terms`` stand in the field of that name."""
    if terms <= 0:
        return 0.0
    return sum(weight * held.get(name, 0) for name, weight in weights.items()) / terms


def modality_score(parameters: ModalityParameters, *, cosine: float, bm25: float, fields: float, named: bool) -> float:
    """The score of a record on its modality's route; ``bm25`` is 0 or more, ``fields`` that of ``fields_score``."""
    score = parameters.cosine * cosine + parameters.bm25 * bm25 / (1 + bm25) + parameters.fields_share * fields
    return score + (parameters.named if named else 0.0)
