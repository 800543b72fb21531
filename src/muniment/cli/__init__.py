"""The command line, thin over the memory facade."""
