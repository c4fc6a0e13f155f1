"""Linear maps: products, sums, transposes, blocks and slices."""
