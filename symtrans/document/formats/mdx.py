"""Markdown with components."""

from symtrans.document.format import Format
from symtrans.document.program import mdx_events

FORMAT = Format(name="mdx", endings=("mdx",), sniff=lambda text: 0, read=mdx_events)
