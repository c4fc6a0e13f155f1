r"""PreTeXt, JATS and other XML: `<m>`, `<me>`, `<md>`, `<tex-math>`, MathML."""

import re

from symtrans.document.format import Format
from symtrans.document.webpage import events

FORMAT = Format(
    name="xml",
    endings=("xml", "ptx", "pretext", "nxml"),
    sniff=lambda text: 80 if re.match(r"\s*(?:<\?xml|<pretext|<article|<section\b)", text) else 0,
    read=events,
)
