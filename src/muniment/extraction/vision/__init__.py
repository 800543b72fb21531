"""What an image shows, in the words of a model that sees: asked for, and believed as far as it has the form."""
