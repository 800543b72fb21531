"""Answers from the evidence that a search has grounded."""
