"""`nn.MultiheadAttention`: queries, keys and values from rows of their own."""

from __future__ import annotations

from typing import Any

from symtrans.model.torch_layers import attention_table
from symtrans.model.torch_module import Table, TorchModule


def table(module: Any) -> Table:
    """Its dimensions and projections."""
    dimensions = {"d_model": module.embed_dim, "heads": module.num_heads, "d_key": module.kdim, "d_value": module.vdim}
    return {
        "architecture": "multi_head_attention",
        "dimensions": dimensions,
        "parameters": attention_table(module, "MultiheadAttention"),
    }


MODULE = TorchModule(
    name="MultiheadAttention",
    inputs={"query": "query", "key": "key", "value": "value"},
    needed=1,
    masks={"attn_mask": "mask"},
    paddings={"key_padding_mask": "padding"},
    table=table,
    is_batch_first=lambda module: bool(module.batch_first),
)
