"""What a notebook shows of an object in place of its repr, one file for each class."""
