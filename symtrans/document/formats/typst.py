"""Typst."""

import re

from symtrans.document.format import Format
from symtrans.document.typst import events

FORMAT = Format(
    name="typst",
    endings=("typ",),
    sniff=lambda text: 0.6 if re.search(r"^#(?:set|show|import|let) |\$[^$\n]*\b(?:mat|vec)\(", text, re.M) else 0.0,
    read=events,
)
