"""`nn.TransformerEncoderLayer`: self-attention and feed-forward network."""

from __future__ import annotations

from typing import Any

from symtrans.model.torch_layers import encoder_layer_table, shared_parts
from symtrans.model.torch_module import Table, TorchModule


def table(module: Any) -> Table:
    """An encoder of one layer."""
    return shared_parts(module, [module]) | {"architecture": "encoder", "encoder": [encoder_layer_table(module, "")]}


MODULE = TorchModule(
    name="TransformerEncoderLayer",
    inputs={"src": "x"},
    needed=1,
    masks={"src_mask": "mask"},
    paddings={"src_key_padding_mask": "padding"},
    table=table,
    is_batch_first=lambda module: bool(module.self_attn.batch_first),
)
