"""The formats of weight files, one file each."""
