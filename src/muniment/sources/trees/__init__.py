"""Trees: directories and git repositories, as their files and a list of all that is in them."""

from muniment.sources.trees.place import open_tree
from muniment.sources.trees.tree import Tree

__all__ = ["Tree", "open_tree"]
