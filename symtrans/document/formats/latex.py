"""LaTeX."""

import re

from symtrans.document.format import Format
from symtrans.document.tex import events

FORMAT = Format(
    name="latex",
    endings=("tex", "latex", "ltx"),
    sniff=lambda text: 90 if re.search(r"\\(?:documentclass|begin\{document\})", text) else 0,
    read=events,
)
