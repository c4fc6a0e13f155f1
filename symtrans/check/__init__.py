"""Judgement: every claim of a document is given a verdict, one rule a file."""
