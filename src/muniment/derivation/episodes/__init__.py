"""Episodes: what belongs together inside a long conversation."""
