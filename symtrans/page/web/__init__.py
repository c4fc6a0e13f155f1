"""The web page: one file that opens from disk: MathML, a style sheet, a small script and the data that it shows."""
