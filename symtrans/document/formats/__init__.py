"""The formats of documents, one file each; a member is a module with a `FORMAT`."""
