"""Arithmetic written in plain text: found by its content, and spelled so that the reader of LaTeX reads it."""
