"""Explaining a stored query run: why a record was returned, or at which step it fell and by how much."""
