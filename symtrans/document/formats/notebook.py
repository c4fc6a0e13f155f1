"""Jupyter notebooks."""

import re

from symtrans.document.format import Format
from symtrans.document.notebook import events

FORMAT = Format(
    name="notebook",
    endings=("ipynb",),
    sniff=lambda text: 95 if re.match(r"\s*\{", text) and re.search(r'"cell_type"\s*:', text) else 0,
    read=events,
)
