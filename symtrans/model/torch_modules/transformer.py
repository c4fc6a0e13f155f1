"""`nn.Transformer`: encoder and decoder, each with a norm after its last layer."""

from __future__ import annotations

from typing import Any

from symtrans.model.torch_layers import decoder_layer_table, encoder_layer_table, norm_table, shared_parts
from symtrans.model.torch_module import Table, TorchModule


def table(module: Any) -> Table:
    """An encoder-decoder on rows: no tokens, no positions, no output projection."""
    stacks = {"encoder": (module.encoder, encoder_layer_table), "decoder": (module.decoder, decoder_layer_table)}
    found = shared_parts(module, [*module.encoder.layers, *module.decoder.layers])
    found |= {"architecture": "encoder_decoder", "parameters": {}}
    for name, (stack, read) in stacks.items():
        found["parameters"] |= norm_table(stack.norm, f"{name}.norm", name[:3])
        found[name] = [read(layer, f"{name}.layers.{i}.") for i, layer in enumerate(stack.layers)]
    return found


MODULE = TorchModule(
    name="Transformer",
    inputs={"src": "x", "tgt": "t"},
    needed=2,
    masks={"src_mask": "source_mask", "tgt_mask": "mask", "memory_mask": "memory_mask"},
    paddings={
        "src_key_padding_mask": "padding",
        "tgt_key_padding_mask": "target_padding",
        "memory_key_padding_mask": "memory_padding",
    },
    defaults={"tgt_mask": "tgt", "memory_key_padding_mask": "src"},
    table=table,
    is_batch_first=lambda module: bool(module.batch_first),
)
