"""Trees: directories and git repositories, as their files and a list of all that is in them."""

from muniment.sources.trees.tree import Tree, open_tree

__all__ = ["Tree", "open_tree"]
