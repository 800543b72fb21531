"""Rankings: how the candidates are put in order. A new one is a module here and a line in ``registry``."""
