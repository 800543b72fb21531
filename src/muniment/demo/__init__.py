"""The main job once, end to end, on a small corpus of the project's own."""
