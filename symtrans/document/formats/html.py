"""HTML: MathML, KaTeX's and MathJax's sources, preformatted text, and mathematics in its text."""

import re

from symtrans.document.format import Format
from symtrans.document.webpage import events

FORMAT = Format(
    name="html",
    endings=("html", "htm", "xhtml"),
    sniff=lambda text: 90 if re.match(r"\s*(?:<!doctype html|<html|<math\b|<body)", text, re.IGNORECASE) else 0,
    read=events,
)
