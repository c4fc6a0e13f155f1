"""What turns tokens and their places into rows: lookups, scales, positional encodings."""
