"""`nn.TransformerDecoderLayer`: self-attention, attention to an encoder's output, and feed-forward network."""

from __future__ import annotations

from typing import Any

from symtrans.model.torch_layers import decoder_layer_table, shared_parts
from symtrans.model.torch_module import Table, TorchModule


def table(module: Any) -> Table:
    """A decoder of one layer; what it attends to is given."""
    return shared_parts(module, [module]) | {
        "architecture": "encoder_decoder",
        "decoder": [decoder_layer_table(module, "")],
    }


MODULE = TorchModule(
    name="TransformerDecoderLayer",
    inputs={"tgt": "t", "memory": "memory"},
    needed=2,
    masks={"tgt_mask": "mask", "memory_mask": "memory_mask"},
    paddings={"tgt_key_padding_mask": "target_padding", "memory_key_padding_mask": "memory_padding"},
    defaults={"tgt_mask": "tgt"},
    table=table,
    is_batch_first=lambda module: bool(module.self_attn.batch_first),
)
