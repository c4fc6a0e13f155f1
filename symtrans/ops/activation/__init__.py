"""Functions of every entry by itself, between the layers."""
