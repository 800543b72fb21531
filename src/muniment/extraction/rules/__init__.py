"""Facts by rules, without a model."""
