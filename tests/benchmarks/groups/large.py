"""Certified numbers of real sizes, beside NumPy's float64: a layer of d_model 512, and twelve of d_model 768."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from float_layer import forward
from measuring import Aim, Row, interleaved, is_there, seconds

DIGITS = 6
SHAPES = ((512, 8, 2048, 32), (512, 8, 2048, 128))  # d_model, heads, d_ff, positions
STACK, LAYERS = (768, 12, 3072, 16), 12
PEER = "NumPy, float64, nothing proven"


def rows(quick: bool) -> Iterator[Row]:
    """One layer at two lengths, and a stack, which balls of doubles do not carry through; each with all its digits."""
    for shape in SHAPES:
        work = told(*shape)
        if not (is_there("torch") and is_there("numpy")):
            yield Row(work, f"{DIGITS} proven digits of every entry", PEER, None, None, note="absent: torch or numpy")
            continue
        proven, floats, note = works(*shape, layers=1)
        taken, beside = interleaved(proven, floats, rounds=5 if quick else 15)
        yield Row(work, f"{DIGITS} proven digits of every entry", PEER, taken, beside, Aim(slower=12), note())
    if not quick and is_there("torch") and is_there("numpy"):
        proven, floats, note = works(*STACK, layers=LAYERS)
        taken, beside = seconds(proven), interleaved(floats, rounds=5)[0]
        told_work = f"{LAYERS} layers: {told(*STACK)}"
        yield Row(told_work, f"{DIGITS} proven digits of every entry", PEER, taken, beside, Aim(), note())


def told(width: int, heads: int, hidden: int, positions: int) -> str:
    """The shape in words."""
    return f"encoder layer, d_model {width}, {heads} heads, d_ff {hidden}, {positions} positions"


def works(
    width: int, heads: int, hidden: int, positions: int, layers: int
) -> tuple[Callable[[], Any], Callable[[], Any], Callable[[], str]]:
    """The proven way from the weights to all digits, the same layers in floats, and how the proof went."""
    import numpy
    import torch

    import symtrans
    from symtrans.derive.gears import Gears

    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(width, heads, hidden, dropout=0.0, dtype=torch.float64, batch_first=True)
    module = torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False) if layers > 1 else layer
    x = torch.randn(positions, width, dtype=torch.float64)
    tape = symtrans.from_torch(module, x).derive().tape
    last = [step.id for step in tape][-1]
    stages = [module.layers[place] if layers > 1 else layer for place in range(layers)]
    weights = [{key: value.detach().numpy() for key, value in one.state_dict().items()} for one in stages]
    weights = [{key: numpy.ascontiguousarray(value.T) for key, value in one.items()} for one in weights]
    found: dict[str, Any] = {}

    def proven() -> None:
        gears = Gears(tape)
        found["texts"] = gears.decimals(last, DIGITS)
        found["gears"] = gears

    def floats() -> Any:
        value = x.numpy()
        for one in weights:
            value = forward(value, one, heads)
        return value

    def note() -> str:
        own, other = numpy.array(list(map(float, found["texts"]))), floats().ravel()
        assert numpy.allclose(own, other, rtol=1e-5, atol=1e-9)
        effort = found["gears"].effort(last, DIGITS)
        ends = [effort.widths[i] for i in effort.widths if i.endswith("Z_encoder_output")]
        arb = f", begun at {effort.bits} bits" if effort.by_arb else ""
        return f"{effort.by_arb} of {effort.entries} entries by Arb{arb}; widths after each layer {', '.join(ends)}"

    return proven, floats, note
