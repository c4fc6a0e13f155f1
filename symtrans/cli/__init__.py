"""The command line: it reads options, speaks and exits."""
