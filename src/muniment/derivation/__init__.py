"""What is computed from the records and facts of the log: claims, and summaries of groups."""
