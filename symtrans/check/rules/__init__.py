"""The rules, one a file: a module with a `RULE`, whose docstring is its help page."""
