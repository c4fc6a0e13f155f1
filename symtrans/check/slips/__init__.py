"""The slips that people make, one a file: a module with a `SLIP`."""
