"""Okapi BM25 with Lucene's IDF (Robertson and Zaragoza 2009; Lucene's BM25Similarity)."""

from math import log


def idf(documents: float, holding: float) -> float:
    """ln(1 + (N - df + 0.5) / (df + 0.5)) for N ``documents`` of which ``holding`` hold the term; never negative."""
    held = min(holding, documents)
    return log(1 + (documents - held + 0.5) / (held + 0.5))


def term_score(weight: float, count: float, length: float, mean_length: float, k1: float, b: float) -> float:
    """What one term adds to a document's score: weight * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / avgdl))."""
    if count <= 0:
        return 0.0
    norm = 1 - b + b * (length / mean_length if mean_length > 0 else 1.0)
    return weight * count * (k1 + 1) / (count + k1 * norm)
