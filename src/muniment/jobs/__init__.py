"""Background work: the handlers, and the runner that claims jobs in this process."""
