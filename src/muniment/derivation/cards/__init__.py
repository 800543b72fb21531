"""Cards: one summary a group, which leads to its records."""
