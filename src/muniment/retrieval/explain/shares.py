"""What a record's score is made of: route by route, term by term, part by part."""

from muniment.model.query_runs import RouteShare, ScorePart, TermShare
from muniment.retrieval.again import Retold
from muniment.retrieval.explain.subject import Subject, bm25_terms
from muniment.retrieval.formulas.fusion import contribution
from muniment.retrieval.runs import StoredRun, StoredStage, weights_of

_NOTHING = 1e-9
_SEED_ROUTES = "the best of the routes before it"


def route_shares(run: StoredRun, retold: Retold, subject: Subject) -> list[RouteShare]:
    """What each route of the run said of the record; of one that did not list it, why, and by how much."""
    weights = weights_of(run) or {}
    constant = retold.search.profile.fusion.constant
    shares = []
    for stage in _route_stages(run):
        weight = weights.get(stage.name, 1.0)
        if subject.record_no in stage.records:
            rank = list(stage.records).index(subject.record_no) + 1
            shares.append(
                RouteShare(
                    route=stage.name,
                    rank=rank,
                    score=stage.scores[rank - 1],
                    weight=weight,
                    contribution=contribution(weight, rank, constant),
                )
            )
        else:
            shares.append(_missed(stage, weight, retold, subject))
    return shares


def _route_stages(run: StoredRun) -> list[StoredStage]:
    """The routes of the run in their order, also those that found nothing or were left out."""
    listed = dict(run.routes)
    for stage in run.stages:
        if stage.name == "routes":
            break
        if stage.name != "plan":
            listed.setdefault(stage.name, stage)
    return list(listed.values())


def _missed(stage: StoredStage, weight: float, retold: Retold, subject: Subject) -> RouteShare:
    """Why the route did not list the record."""
    share = RouteShare(route=stage.name, weight=weight)
    if not stage.in_force:
        share.because = f"the route was {stage.decision}: {stage.detail.get('because', 'no reason was kept')}"
        return share
    if not stage.records:
        share.because = "the route found nothing"
        return share
    full = len(stage.records) >= _limit(stage.name, retold)
    cutoff = stage.scores[-1] if stage.scores and full else None
    if stage.name == "lexical":
        score: float | None = sum(bm25_terms(retold.search, subject).values())
        lacking = "it holds none of the question's terms" if not score else None
    elif stage.name == "semantic":
        score = subject.cosine
        lacking = None if score is not None else "it had no vector"
    else:
        hops = retold.search.planned.hops or retold.search.profile.graph.hops
        score, lacking = None, f"it is not among the {len(stage.records)} records of this route"
        if stage.name == "graph":
            lacking = f"no edge leads to it within {hops} hops of {_SEED_ROUTES}"
    share.score, share.cutoff = score, cutoff
    if lacking is not None:
        share.because = lacking
    elif score is not None and cutoff is not None and score < cutoff:
        share.short_by = cutoff - score
        share.because = f"the last of {len(stage.records)} scored {cutoff:.4f}, this record {score:.4f}"
    elif cutoff is None:
        share.because = "the route did not reach it, though its list had room: it was not indexed then"
    else:
        share.because = "its score reaches the list's last: the index that found the list is approximate"
    return share


def _limit(route: str, retold: Retold) -> int:
    profile = retold.search.profile
    if route == "lexical":
        return profile.lexical.wanted(retold.search.top_k)
    return profile.semantic.wanted(retold.search.top_k) if route == "semantic" else 1


def term_shares(retold: Retold, subject: Subject) -> list[TermShare]:
    """The terms of the question, the most telling first, and what each adds to the record's scores."""
    place, shares = retold.place(subject.record_no), retold.shares
    bm25 = bm25_terms(retold.search, subject)
    columns = {} if retold.facts is None else {term.term: m for m, term in enumerate(retold.facts.terms)}
    found = []
    for term in retold.search.planned.terms[: retold.search.profile.lexical.most_terms]:
        share = TermShare(
            term=term.term,
            weight=term.weight,
            documents=term.documents,
            idf=term.idf,
            count=subject.counts.get(term.term, 0),
            bm25=bm25.get(term.term, 0.0),
        )
        m = columns.get(term.term)
        if place is not None and m is not None and shares is not None and shares.counts is not None:
            assert shares.dated is not None and shares.covered is not None
            share.with_neighbours = float(shares.counts[place, m])
            share.in_date = bool(shares.dated[place, m])
            share.coverage = float(shares.covered[place, m])
        found.append(share)
    return found


def score_parts(run: StoredRun, retold: Retold, subject: Subject) -> tuple[float | None, list[ScorePart]]:
    """The record's score, computed again, and its parts, which add up to it; none where it was no candidate."""
    if run.ranked is not None and (run.ranked.decision or "").startswith("fusion only"):
        return _fused_parts(run, retold, subject)
    place = retold.place(subject.record_no)
    if place is None or retold.ranked is None or retold.shares is None:
        return None, []
    score = float(retold.ranked.hit_scores[place])
    parts = [ScorePart(name=name, contribution=float(part[place])) for name, part in retold.shares.parts.items()]
    rest = score - sum(part.contribution for part in parts)
    if abs(rest) > _NOTHING:
        parts.append(ScorePart(name="bounds", contribution=rest))
    return score, parts


def _fused_parts(run: StoredRun, retold: Retold, subject: Subject) -> tuple[float | None, list[ScorePart]]:
    """Where the time did not suffice to weigh the candidates, the routes' contributions are the score."""
    assert run.ranked is not None
    if subject.record_no not in run.ranked.records:
        return None, []
    shares = [share for share in route_shares(run, retold, subject) if share.rank is not None]
    score = run.ranked.scores[list(run.ranked.records).index(subject.record_no)]
    whole = sum(share.contribution for share in shares) or 1.0
    return score, [ScorePart(name=share.route, contribution=score * share.contribution / whole) for share in shares]
