"""The formats of a report on documents, one file each."""
