"""What an answer owes to the question before it: the words and the meaning that it leaves out.

"What did you paint?" - "A sunset, for my sister." The reply alone neither says paint nor is near it in meaning. Short
replies inherit most: a long one stands for itself.
"""

import numpy as np
from numpy.typing import NDArray

from muniment.retrieval.formulas.coverage import CoverageWeights, Flags, Floats, Places

Integers = NDArray[np.int64]


def replies(asks: Flags, places: Places) -> tuple[Integers, Integers]:
    """The candidates that ask, and for each the candidate that stands next after it in its group, as indexes."""
    order = np.lexsort((places.position, places.group))
    before, after = order[:-1], order[1:]
    next_to = (places.group[before] == places.group[after]) & (places.position[after] - places.position[before] == 1)
    answered = next_to & asks[before]
    return before[answered], after[answered]


def inherit_words(counts: Floats, asks: Flags, places: Places, weights: CoverageWeights) -> tuple[Floats, Floats]:
    """What replies (i) get of the counts (n, m) and of the length (n) of the question (j) before them:

    reply * min(1, long / len_i) * min(1, long / len_j) * tf(t, j), and reply * min(1, long / len_i) * min(len_j, long).
    """
    more = np.zeros(counts.shape)
    longer = np.zeros(len(places.length))
    question, reply = replies(asks, places)
    own = weights.reply * _damped(places.length[reply], weights.long)
    more[reply] = (own * _damped(places.length[question], weights.long))[:, None] * counts[question]
    longer[reply] = own * np.minimum(places.length[question], weights.long)
    return more, longer


def inherit_meaning(cosines: Floats, asks: Flags, places: Places, weights: CoverageWeights) -> Floats:
    """The cosines (n), a reply's lifted towards that of the question before it where that is nearer:

    cos_i + reply_cosine * min(1, long / len_i) * max(0, cos_j - cos_i).
    """
    lifted = cosines.copy()
    question, reply = replies(asks, places)
    share = weights.reply_cosine * _damped(places.length[reply], weights.long)
    lifted[reply] += share * np.maximum(0.0, cosines[question] - cosines[reply])
    return lifted


def _damped(lengths: Floats, long: float) -> Floats:
    return np.minimum(1.0, long / np.maximum(lengths, 1.0))
