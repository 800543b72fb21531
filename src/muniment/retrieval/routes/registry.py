"""All routes, in the order in which results name them. A new route is one module and one line here."""

from muniment.retrieval.routes import bridge, graph, lexical, semantic, temporal
from muniment.retrieval.routes.route import Route

ROUTES: tuple[Route, ...] = (lexical.ROUTE, semantic.ROUTE, bridge.ROUTE, temporal.ROUTE, graph.ROUTE)
