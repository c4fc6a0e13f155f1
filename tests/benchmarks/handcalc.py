"""The hand calculation's tapes, and what is measured of them."""

from __future__ import annotations

from typing import Any

from symtrans.model.build import build
from symtrans.model.load import load_spec
from symtrans.model.spec import with_settings

TARGETS = ["x", "W_emb", "W_O", *(f"W_{letter}{head}" for head in (1, 2, 3) for letter in "QKV")]


def forward(weights: str = "softmax") -> Any:
    """The tape of its forward pass and loss."""
    return build(with_settings(load_spec("handcalc"), {"weights": weights}))
