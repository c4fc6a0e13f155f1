"""Character entities of HTML and XML, resolved with the way back kept."""

from __future__ import annotations

import html
import re

from symtrans.document.mapped import Mapped

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def resolved(mapped: Mapped) -> Mapped:
    """`&amp;` as `&`, `&times;` as `×`, `&#8722;` as `−`; what is no entity stays."""
    if "&" not in mapped.text:
        return mapped
    return mapped.replace(_ENTITY, lambda match: html.unescape(match.group()))
