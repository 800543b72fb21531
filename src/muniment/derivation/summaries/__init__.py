"""Summaries of groups: read from the log, kept in versions, and compiled anew where the log makes them stale."""
