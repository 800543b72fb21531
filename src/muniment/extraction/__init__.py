"""Names and facts out of texts."""
