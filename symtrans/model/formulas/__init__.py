"""The 25 formulas of the Transformer, as data."""
