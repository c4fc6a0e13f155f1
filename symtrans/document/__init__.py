"""Where text stands: formats, formulas with their offsets, and the claims they make."""
