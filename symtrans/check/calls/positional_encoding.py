"""The sines and cosines of positions, alternating as in Vaswani et al. (2017), section 3.5, or in two blocks."""

from __future__ import annotations

from collections.abc import Sequence

from symtrans.check.call import Arguments, Call, formula
from symtrans.notation.tree import Apply, Matrix, Node, Number

MOST = 4096


def _meanings(arguments: Arguments) -> Sequence[Node]:
    rows = arguments.integer(0, "seqlen", "position", "positions", "length", "maxlen")
    width = arguments.integer(1, "dmodel", "d")
    if not rows or not width or rows * width > MOST:
        return ()
    base = arguments.get(2, "n", "base") or Number("10000")

    def angle(position: int, pair: int) -> Node:
        return formula(
            r"\frac{p}{n^{\frac{e}{d}}}", p=Number(str(position)), n=base, e=Number(str(2 * pair)), d=Number(str(width))
        )

    def entry(position: int, column: int, blocks: bool) -> Node:
        half = (width + 1) // 2
        is_cosine = column >= half if blocks else column % 2 == 1
        pair = column % half if blocks else column // 2
        return Apply("cos" if is_cosine else "sin", (angle(position, pair),))

    def table(blocks: bool) -> Node:
        return Matrix(tuple(tuple(entry(p, c, blocks) for c in range(width)) for p in range(rows)))

    return table(False), table(True)


CALL = Call("positional_encoding", ("positionalencoding", "positionencoding", "getpositionencoding"), _meanings)
