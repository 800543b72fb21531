"""A tenant's archive: everything of one tenant in one file, with its proofs, to be opened elsewhere."""
