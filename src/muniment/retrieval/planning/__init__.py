"""Planners: what a question asks for and where to look. A new one is a module here and a line in ``registry``."""
