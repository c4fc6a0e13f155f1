"""Models of one sequence: tokens or rows going in, a stack of layers, logits or rows compared coming out."""

from __future__ import annotations

from typing import NoReturn

from symtrans.errors import SpecError
from symtrans.model.assembly import Assembly
from symtrans.model.block import Block, Settings
from symtrans.model.parts.attention import DIMENSIONS, SHARES
from symtrans.model.parts.attention import SCALES as SCORE_SCALES
from symtrans.model.parts.embedding import POSITIONS, SCALES, embedded, embedding_quantities, with_positions
from symtrans.model.parts.feed_forward import ACTIVATIONS
from symtrans.model.parts.layers import encoder_layer, layer_quantities, take_layer
from symtrans.model.parts.masks import causal, combined, padding
from symtrans.model.parts.normalisation import (
    NORMS,
    PLACEMENTS,
    norm,
    norm_numbers,
    norm_quantities,
    take_epsilon,
    take_norm,
)
from symtrans.model.parts.output import (
    LOSSES,
    cross_entropy,
    logits,
    loss_numbers,
    output_quantities,
    squares,
    take_output,
)
from symtrans.model.quantity import Quantity, Section
from symtrans.model.spec import Literal, Spec
from symtrans.model.tape import Tape

SWITCHES = {
    "norm": NORMS,
    "placement": PLACEMENTS,
    "activation": ACTIVATIONS,
    "positions": POSITIONS,
    "embedding_scale": SCALES,
    "scale": SCORE_SCALES,
}


def sequence_block(name: str, prefix: str, *, is_causal: bool) -> Block:
    """An architecture of one stack, called as its section of the file is; `prefix` begins its layers' scopes."""
    return Block(
        name=name,
        dimensions=DIMENSIONS,
        shares=SHARES,
        switches=SWITCHES,
        declares=lambda settings: sequence_quantities(settings, name),
        build=lambda spec: sequence_tape(spec, name, is_causal=is_causal),
        stacks={name: prefix},
        losses=LOSSES,
        begins=("E", "tokens", "labels"),
    )


def sequence_quantities(settings: Settings, stack: str) -> dict[str, Section]:
    """Tokens or rows, what the output is compared with, and one table of parameters for each layer."""
    return {
        "parameters": embedding_quantities(settings)
        | norm_quantities(settings, "final", is_optional=True)
        | output_quantities(settings),
        "inputs": {
            "tokens": Quantity(("positions", "vocabulary"), "tokens", is_optional=True),
            "x": Quantity(("positions", "d_model"), is_optional=True),
            "padding": Quantity(("positions", "1"), "flags", is_optional=True),
            "mask": Quantity(("positions", "positions"), "mask", is_optional=True),
            "y": Quantity(("positions", "d_model"), is_optional=True),
            "labels": Quantity(("positions", "vocabulary"), "tokens", is_optional=True),
            "keep": Quantity(("positions", "1"), "flags", is_optional=True),
        },
        "numbers": norm_numbers(settings) | loss_numbers(settings),
        stack: layer_quantities(settings, norms=2),
    }


def sequence_tape(spec: Spec, stack: str, *, is_causal: bool) -> Tape:
    """Inputs and parameters, then embedding, layers, final norm where there is one, output."""
    model = Assembly(spec, Tape())
    x = _take_start(model)
    for scope in spec.scopes[stack]:
        take_layer(model.within(scope), norms=2)
    take_final_norm(model)
    take_output(model)
    take_epsilon(model)
    x = _embedded(model, x)
    mask = _mask(model, model.tape[x].shape[0], is_causal)
    for scope in spec.scopes[stack]:
        x = encoder_layer(model.within(scope), x, mask, last=f"{stack}_output")
    end(model, final_norm(model, x))
    return model.tape


def _mask(model: Assembly, rows: int, is_causal: bool) -> Literal | None:
    masks = [causal(rows)] if is_causal else []
    for key in ("mask", "padding"):
        if model.has(key):
            given = model.given(key)[0]
            masks.append(given if key == "mask" else padding(rows, given))
    return combined(model.spec, "inputs.mask" if model.has("mask") else "inputs.padding", masks)


def take_final_norm(model: Assembly, suffix: str = "final") -> None:
    """The scale and the shift of the norm after a stack's last layer, where the specification gives them."""
    if model.has(f"gamma_{suffix}"):
        take_norm(model, suffix)


def final_norm(model: Assembly, x: str, suffix: str = "final") -> str:
    """The norm after a stack's last layer, where the specification gives its scale."""
    return norm(model, suffix, x, f"Z_{suffix}", "normed") if model.has(f"gamma_{suffix}") else x


def _take_start(model: Assembly) -> str:
    """Tokens with the tables that they need, or rows as they are given; the id of these."""
    one_of(model, "tokens", "x")
    first = model.take("tokens", role="X", constant=True) if model.has("tokens") else model.take("x", role="X")
    if model.has("tokens"):
        model.take("E", parameter=True)
    if model.spec.settings["positions"] == "learned":
        model.take("W_pos", parameter=True)
    return first


def _embedded(model: Assembly, x: str) -> str:
    return embedded(model, x, "E", "X") if x == "tokens" else with_positions(model, x, "X")


def end(model: Assembly, x: str) -> None:
    """Logits, probabilities and cross-entropy where there are labels; else the squares of what `y` differs by."""
    if model.has("labels"):
        result = labelled(model, x, "E")
        cross_entropy(model, result, model.take("labels", constant=True))
    else:
        compared(model, x)
        if not model.has("y") and model.has("W_out"):
            logits(model, x, "E")


def labelled(model: Assembly, x: str, table: str) -> str:
    """The logits that labels are compared with; `table` is what the output projection is without one of its own."""
    if model.spec.loss not in ("", "cross_entropy"):
        _wrong_loss(model, "labels", "cross_entropy")
    if table not in model.tape:
        model.given("W_out")
    return logits(model, x, table)


def compared(model: Assembly, x: str) -> None:
    """The squares of what the output differs from `y` by, where that is given."""
    if model.has("y"):
        if model.spec.loss == "cross_entropy":
            _wrong_loss(model, "y", "half_sum_of_squares or mean_squared_error")
        squares(model, x, model.take("y", constant=True))


def one_of(model: Assembly, one: str, other: str) -> None:
    """SpecError unless exactly one of two inputs is given."""
    if model.has(one) == model.has(other):
        both = "are both there" if model.has(one) else "are both missing"
        raise SpecError(f"{model.spec.source}: inputs.{one} and inputs.{other}: {both}; one of them is expected")


def _wrong_loss(model: Assembly, given: str, expected: str) -> NoReturn:
    raise SpecError(
        f"{model.spec.source}: loss.kind: is {model.spec.loss}, and the inputs have {given}; {expected} goes with it"
    )
