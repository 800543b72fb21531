"""The memory interface over a store in this process."""
