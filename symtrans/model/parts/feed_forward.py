"""The position-wise feed-forward network: two projections with an activation between, or a gated pair."""

from __future__ import annotations

from symtrans.model.assembly import Assembly
from symtrans.model.block import Settings
from symtrans.model.parts.attention import projected
from symtrans.model.quantity import Quantity, Section

GATED = ("swiglu", "geglu", "reglu")
ACTIVATIONS = ("relu", "gelu", "gelu_tanh", "silu", *GATED)


def feed_forward_quantities(settings: Settings) -> Section:
    """W_1 and W_2 with their biases, or the gate's two matrices and the one that leads back."""
    inner, outer = ("d_ff", "1"), ("d_model", "1")
    if settings["activation"] in GATED:
        return {
            "W_gate": Quantity(("d_model", "d_ff")),
            "W_up": Quantity(("d_model", "d_ff")),
            "W_down": Quantity(("d_ff", "d_model")),
        }
    return {
        "W_1": Quantity(("d_model", "d_ff")),
        "b_1": Quantity(inner, "column", is_optional=True),
        "W_2": Quantity(("d_ff", "d_model")),
        "b_2": Quantity(outer, "column", is_optional=True),
    }


def take_feed_forward(model: Assembly) -> None:
    """The parameters that the specification gives, as inputs."""
    for local in feed_forward_quantities(model.spec.settings):
        if not local.startswith("b") or model.has(local):
            model.take(local, parameter=True)


def feed_forward(model: Assembly, x: str) -> str:
    """The network applied to every row of `x`; the id of the result."""
    activation = model.spec.settings["activation"]
    if activation in GATED:
        gate = projected(model, "G", "gate", "linear", x, model.own("W_gate"), None)
        up = projected(model, "U", "up", "linear", x, model.own("W_up"), None)
        inner = model.step("F", "activated", "activation", activation, (gate, up))
        return projected(model, "Z_ffn", "ffn", "linear", inner, model.own("W_down"), None)
    biases = [model.own(local) if model.has(local) else None for local in ("b_1", "b_2")]
    hidden = projected(model, "U", "hidden", "linear", x, model.own("W_1"), biases[0])
    inner = model.step("F", "activated", "activation", activation, (hidden,))
    return projected(model, "Z_ffn", "ffn", "linear", inner, model.own("W_2"), biases[1])
