"""`nn.TransformerDecoder`: a stack of decoder layers, with a norm after the last or without."""

from __future__ import annotations

from typing import Any

from symtrans.model.torch_layers import decoder_layer_table, norm_table, shared_parts
from symtrans.model.torch_module import Table, TorchModule


def table(module: Any) -> Table:
    """A decoder of several layers; what it attends to is given."""
    layers = list(module.layers)
    return shared_parts(module, layers) | {
        "architecture": "encoder_decoder",
        "parameters": norm_table(module.norm, "norm", "dec"),
        "decoder": [decoder_layer_table(layer, f"layers.{i}.") for i, layer in enumerate(layers)],
    }


MODULE = TorchModule(
    name="TransformerDecoder",
    inputs={"tgt": "t", "memory": "memory"},
    needed=2,
    masks={"tgt_mask": "mask", "memory_mask": "memory_mask"},
    paddings={"tgt_key_padding_mask": "target_padding", "memory_key_padding_mask": "memory_padding"},
    defaults={"tgt_mask": "tgt"},
    table=table,
    is_batch_first=lambda module: bool(module.layers[0].self_attn.batch_first),
)
