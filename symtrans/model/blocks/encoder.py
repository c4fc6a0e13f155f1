"""Encoder-only models: every position looks at every other."""

from __future__ import annotations

from symtrans.model.parts.sequence import sequence_block

BLOCK = sequence_block("encoder", "enc", is_causal=False)
