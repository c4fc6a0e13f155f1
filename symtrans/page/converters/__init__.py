"""Formats that another program makes from what a writer wrote, one file each."""
