"""Models that others make: one interface for each kind, one small adapter for each way to reach it."""
