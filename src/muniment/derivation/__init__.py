"""What is computed from the facts of the log: claims."""
