"""Encoder and decoder layers: sub-layers with their residual connections and norms, before or after."""

from __future__ import annotations

from collections.abc import Callable

from symtrans.model.assembly import Assembly
from symtrans.model.block import Settings
from symtrans.model.parts.attention import attention_quantities, multi_head, take_attention
from symtrans.model.parts.feed_forward import feed_forward, feed_forward_quantities, take_feed_forward
from symtrans.model.parts.normalisation import norm, norm_quantities, take_norm
from symtrans.model.quantity import Section
from symtrans.model.spec import Literal


def layer_quantities(settings: Settings, norms: int, diagonals: str = "diagonals") -> Section:
    """The parameters of one layer: attention, feed-forward network, and its norms.

    `diagonals` is the dimension that its learned relative biases share.
    """
    found = attention_quantities(settings, diagonals=diagonals)
    for number in range(1, norms + 1):
        found |= norm_quantities(settings, str(number))
    return found | feed_forward_quantities(settings)


def encoder_layer(model: Assembly, x: str, mask: Literal | None, *, last: str = "add_norm_2") -> str:
    """Self-attention and feed-forward network; also a decoder-only layer, where the mask is causal."""
    rotates = model.spec.settings["positions"] == "rotary"
    x = _sub_layer(
        model, "1", x, lambda y: multi_head(model, y, y, mask, rotates=rotates, result="Z_attn"), "add_norm_1"
    )
    return _sub_layer(model, "2", x, lambda y: feed_forward(model, y), last)


def decoder_layer(model: Assembly, x: str, memory: str, mask: Literal | None, cross_mask: Literal | None) -> str:
    """Masked self-attention, attention to the encoder's output, and feed-forward network."""
    rotates = model.spec.settings["positions"] == "rotary"
    cross = model.within("cross")
    x = _sub_layer(
        model, "1", x, lambda y: multi_head(model, y, y, mask, rotates=rotates, result="Z_masked_attn"), "add_norm_1"
    )
    x = _sub_layer(
        model,
        "2",
        x,
        lambda y: multi_head(cross, y, memory, cross_mask, rotates=False, result="Z_cross_attn"),
        "add_norm_2",
    )
    return _sub_layer(model, "3", x, lambda y: feed_forward(model, y), "decoder_output")


def take_layer(model: Assembly, norms: int, *, crosses: bool = False) -> None:
    """The layer's parameters as inputs."""
    take_attention(model)
    if crosses:
        take_attention(model.within("cross"))
    take_feed_forward(model)
    for number in range(1, norms + 1) if model.spec.settings["norm"] != "none" else ():
        take_norm(model, str(number))


def _sub_layer(model: Assembly, number: str, x: str, apply: Callable[[str], str], role: str) -> str:
    """x + F(x) with the norm after it, or x + F(norm(x))."""
    if model.spec.settings["placement"] == "pre":
        y = apply(norm(model, number, x, f"N_{number}", "normed"))
        return model.step(f"R_{number}", "residual", "sum", "add", (x, y), index=number)
    total = model.step(f"R_{number}", "residual", "sum", "add", (x, apply(x)), index=number)
    return norm(model, number, total, f"Z_{role}", role)
