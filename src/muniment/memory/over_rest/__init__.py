"""The memory interface over the REST API of a server."""
