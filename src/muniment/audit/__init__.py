"""The audit log: who administered what, and who erased, in a chain of hashes for each tenant."""
