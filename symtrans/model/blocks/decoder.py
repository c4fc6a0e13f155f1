"""Decoder-only models: a position looks at itself and those before, and tells what comes next."""

from __future__ import annotations

from symtrans.model.parts.sequence import sequence_block

BLOCK = sequence_block("decoder", "dec", is_causal=True)
