"""A worked example: its specification, its blocks and the tape of steps they make."""
