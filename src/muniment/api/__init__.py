"""The REST interface: one module per resource, thin over the runtime."""
