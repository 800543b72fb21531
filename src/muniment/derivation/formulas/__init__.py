"""Formulas of what is derived: pure functions, with golden tests."""
