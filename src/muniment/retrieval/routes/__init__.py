"""The routes: each finds candidates in its own index. A new one is a module here and a line in ``registry``."""
