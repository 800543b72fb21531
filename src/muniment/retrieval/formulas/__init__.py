"""The formulas of retrieval as pure functions: numbers in, numbers out. Their constants come from the profile."""
