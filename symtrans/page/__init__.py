"""How to tell a derivation or a report: the story, and one writer a format."""
