"""Typst."""

import re

from symtrans.document.format import Format
from symtrans.document.typst import events

FORMAT = Format(
    name="typst",
    endings=("typ",),
    sniff=lambda text: 60 if re.search(r"^#(?:set|show|import|let) |\$[^$\n]*\b(?:mat|vec)\(", text, re.M) else 0,
    read=events,
)
