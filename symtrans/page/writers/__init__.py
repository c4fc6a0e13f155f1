"""The formats that a page can be written in, one file each."""
