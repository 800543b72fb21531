"""The public shapes: what callers give and get, the same in Python, on the command line and over HTTP."""
