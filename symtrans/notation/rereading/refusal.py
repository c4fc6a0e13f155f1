"""Why the second reader cannot be asked about a side."""


class CannotReread(Exception):
    """The second reader cannot express this; its text says what, without a full stop."""
