"""The kinds of entries that a rule is interpreted in: exact, enclosed, SymPy's, and written out."""
