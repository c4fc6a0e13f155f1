"""Programs that draw pages: JSX, TSX and plain JavaScript."""

from symtrans.document.format import Format
from symtrans.document.program import jsx_events

FORMAT = Format(
    name="jsx",
    endings=("jsx", "tsx", "js", "ts", "vue", "svelte"),
    sniff=lambda text: 50 if "String.raw`" in text else 0,
    read=jsx_events,
)
