"""Multi-head attention alone, with rows of its own for queries, keys and values: no embedding, no norm, no layer."""

from __future__ import annotations

from symtrans.errors import SpecError
from symtrans.model.assembly import Assembly
from symtrans.model.block import Block, Settings
from symtrans.model.parts.attention import DIMENSIONS, SCALES, SHARES, attention_quantities, multi_head, take_attention
from symtrans.model.parts.masks import combined, padding
from symtrans.model.parts.sequence import compared
from symtrans.model.quantity import Quantity, Section
from symtrans.model.spec import Literal, Spec
from symtrans.model.tape import Tape


def declares(settings: Settings) -> dict[str, Section]:
    """Query rows; key rows where they are others, value rows where they are others than those; masks and target."""
    return {
        "inputs": {
            "query": Quantity(("queries", "d_model")),
            "key": Quantity(("keys", "d_key"), is_optional=True),
            "value": Quantity(("keys", "d_value"), is_optional=True),
            "padding": Quantity(("keys", "1"), "flags", is_optional=True),
            "mask": Quantity(("queries", "keys"), "mask", is_optional=True),
            "y": Quantity(("queries", "d_model"), is_optional=True),
        },
        "parameters": attention_quantities(settings, key="d_key", value="d_value"),
    }


def build(spec: Spec) -> Tape:
    """Inputs and parameters, then attention of the query rows to the key rows, and the loss where there is a target."""
    model = Assembly(spec, Tape())
    query = model.take("query", role="X_Q")
    key = model.take("key", role="X_K") if model.has("key") else query
    value = model.take("value", role="X_V") if model.has("value") else key
    take_attention(model)
    queries, keys = model.tape[query].shape[0], model.tape[key].shape[0]
    if model.tape[value].shape[0] != keys:
        raise SpecError(f"{spec.source}: inputs.value: has {model.tape[value].shape[0]} rows; {keys} are expected")
    mask = _mask(model, queries, keys)
    compared(model, multi_head(model, query, key, mask, rotates=False, result="Z_attn", values=value))
    return model.tape


def _mask(model: Assembly, queries: int, keys: int) -> Literal | None:
    masks = {"mask": model.given("mask")[0]} if model.has("mask") else {}
    if model.has("padding"):
        masks["padding"] = padding(queries, model.given("padding")[0])
    for key, mask in masks.items():
        if len(mask[0]) != keys:
            raise SpecError(f"{model.spec.source}: inputs.{key}: is for {len(mask[0])} keys; there are {keys}")
    return combined(model.spec, f"inputs.{next(iter(masks), '')}", list(masks.values()))


BLOCK = Block(
    name="multi_head_attention",
    dimensions=(*DIMENSIONS, "d_key", "d_value"),
    shares=SHARES | {"d_key": "d_model", "d_value": "d_model"},
    switches={"scale": SCALES},
    declares=declares,
    build=build,
    losses=("half_sum_of_squares", "mean_squared_error"),
    begins=("y",),
)
