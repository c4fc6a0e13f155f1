"""The groups of benchmarks: one file each, with a function `rows(quick)`."""
