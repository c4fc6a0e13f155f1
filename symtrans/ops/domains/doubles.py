"""A rule carried out on balls of doubles: each call of its plan as one operation on whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from symtrans.exact import double_balls as balls
from symtrans.exact.double_balls import DoubleBalls
from symtrans.exact.double_functions import function, softmax
from symtrans.exact.double_products import product, total, transpose
from symtrans.ops.op import Op
from symtrans.ops.plan import Call, plan
from symtrans.ops.shapes import Settings, Shape, settled

Run = Callable[..., DoubleBalls]


def run_on_doubles(op: Op, operands: Sequence[DoubleBalls], settings: Mapping[str, int]) -> DoubleBalls | None:
    """The op's result, or None where its rule looks at single entries or calls what is not known here."""
    known = _calls(op, tuple(operand.shape for operand in operands), settled(settings))
    if known is None:
        return None
    calls, result = known
    values = list(operands)
    for run, places in calls:
        values.append(run(*[values[place] for place in places]))
    return values[result]


@lru_cache(maxsize=4096)
def _calls(
    op: Op, shapes: tuple[Shape, ...], settings: Settings
) -> tuple[tuple[tuple[Run, tuple[int, ...]], ...], int] | None:
    """The plan's calls as functions of the values at their places, and where the result stands."""
    known = plan(op, shapes, settings)
    if known is None:
        return None
    calls = []
    for call in known.calls:
        run = _run(call)
        if run is None:
            return None
        calls.append((run, call.places))
    return tuple(calls), known.result


def _run(call: Call) -> Run | None:
    shapes, result = call.shapes[:-1], call.shapes[-1]
    match call.name:
        case "number":
            number = balls.given(call.fixed, ())
            return lambda: number
        case "constant":
            filled = balls.filled(call.fixed[0], result)
            return lambda: filled
        case "add":
            return balls.add
        case "subtract":
            return balls.subtract
        case "negate":
            return balls.negated
        case "product":
            return product if all(shapes) else balls.multiply
        case "odot":
            return balls.multiply
        case "divide":
            return balls.divide
        case "power" if call.fixed[0] == 2:
            return balls.square
        case "transpose":
            return transpose if result else lambda a: a
        case "entrywise":
            return partial(function, call.fixed[0])
        case "relu":
            return balls.positive_part
        case "total":
            return total if shapes[0] else lambda a: a
        case "slice":
            return partial(_slice, *call.fixed)
        case "blocks" if all(shapes) and len(call.fixed[0]) == 1:
            return balls.beside
        case "softmax":
            return softmax
    return None


def _slice(rows: tuple[int, int], columns: tuple[int, int], a: DoubleBalls) -> DoubleBalls:
    places = (slice(rows[0] - 1, rows[1]), slice(columns[0] - 1, columns[1]))
    return a.parts(lambda part: part[places])
