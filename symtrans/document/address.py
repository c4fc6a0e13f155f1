"""Formulas that stand in an image's address, percent-encoded: `https://…/latex?…`, `…?tex=…`."""

from __future__ import annotations

import re
from urllib.parse import unquote

from symtrans.document.entities import resolved
from symtrans.document.mapped import Mapped

_QUERY = re.compile(
    r"(?:[?&](?:tex|latex|math|formula|eq|equation|chl|from)=|(?:latex|tex|math|svg\.image|png\.image|gif\.image|\.cgi)\?"
    r"(?!(?:tex|latex|math|formula|eq|chl)=)|upmath\.me/(?:svg|png)/|/render/)(?P<tex>[^\s\"'<>]+(?: [^\"'<>\n]*)?)"
)
_NEXT = re.compile(r"&(?:amp;)?(?:[a-z_]+=[\w.#%-]*(?=&|$|#))+.*\Z", re.DOTALL)
_CODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SETTINGS = re.compile(
    r"\\(?:bg_\w+|fn_\w+|inline|dpi\{\d+\}|bg\{\w+\}|color\{\w+\}"
    r"|(?:small|large|Large|LARGE|huge|tiny)(?![A-Za-z])) *"
)


def formula_in(address: Mapped) -> Mapped | None:
    """The decoded mathematics of an address, or None where it holds none."""
    address = resolved(address) if "&amp;" in address.text else address
    match = _QUERY.search(address.text)
    if match is None:
        return None
    coded = address.slice(*match.span("tex"))
    following = _NEXT.search(coded.text)
    if following is not None:
        coded = coded.slice(0, following.start())
    coded = coded.replace(re.compile("&space;"), lambda _: " ")
    if "+" in coded.text and ("%2B" in coded.text or "%2b" in coded.text) and "%20" not in coded.text:
        coded = coded.replace(re.compile(r"\+"), lambda _: " ")
    decoded = coded.replace(_CODED, lambda found: unquote(found.group(), errors="replace"))
    decoded = decoded.replace(_SETTINGS, lambda _: "").strip()
    return decoded if re.search(r"[\\=^_]|\d\s*[-+*/]", decoded.text) else None
