"""The memory interface in its plain form, which waits."""
