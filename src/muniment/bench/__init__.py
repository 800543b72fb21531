"""The evaluation harness: benchmarks whose data the caller names by a path. Nothing of them ships with the product."""
