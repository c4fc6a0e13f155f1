"""`nn.TransformerEncoder`: a stack of encoder layers, with a norm after the last or without."""

from __future__ import annotations

from typing import Any

from symtrans.model.torch_layers import encoder_layer_table, norm_table, shared_parts
from symtrans.model.torch_module import Table, TorchModule


def table(module: Any) -> Table:
    """An encoder of several layers."""
    layers = list(module.layers)
    return shared_parts(module, layers) | {
        "architecture": "encoder",
        "parameters": norm_table(module.norm, "norm", "final"),
        "encoder": [encoder_layer_table(layer, f"layers.{i}.") for i, layer in enumerate(layers)],
    }


MODULE = TorchModule(
    name="TransformerEncoder",
    inputs={"src": "x"},
    needed=1,
    masks={"mask": "mask"},
    paddings={"src_key_padding_mask": "padding"},
    table=table,
    is_batch_first=lambda module: bool(module.layers[0].self_attn.batch_first),
)
