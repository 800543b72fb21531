"""The read path: a question through several routes, fused, ranked, grounded in log records, and answered from them."""
