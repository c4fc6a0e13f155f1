"""Procedures that documents call by name, one a file: a module with a `CALL`."""
