"""Web pages by URL: fetched from public addresses alone, within limits, and read as what the answer says it is."""

from muniment.sources.web.fetching import Fetched, ask, fetch

__all__ = ["Fetched", "ask", "fetch"]
