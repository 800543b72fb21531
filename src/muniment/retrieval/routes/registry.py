"""All routes, in the order in which results name them. A new route is one module and one line here.

Routes over claims, cards and profiles are routing routes, with a ``support``. They belong before the graph route, which
then walks on from the log records that they lead to, as the modality routes score these.
"""

from muniment.retrieval.routes import bridge, claims, graph, lexical, modality, semantic, summaries, temporal
from muniment.retrieval.routes.route import Route

ROUTES: tuple[Route, ...] = (
    lexical.ROUTE,
    semantic.ROUTE,
    bridge.ROUTE,
    claims.ROUTE,
    summaries.CARDS,
    summaries.EPISODES,
    summaries.PROFILES,
    temporal.ROUTE,
    graph.ROUTE,
    *modality.ROUTES,
)
