"""Where text stands: from a file's bytes to an ordered list of mathematical blocks with exact positions."""
