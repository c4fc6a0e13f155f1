"""An encoder layer in NumPy's float64, as one writes it: packed projections, all heads at once."""

from __future__ import annotations

from typing import Any


def forward(x: Any, weights: dict[str, Any], heads: int) -> Any:
    """The layer's output on rows `x`; the matrices of `weights`, under PyTorch's names, are turned."""
    import numpy

    rows, width = x.shape

    def apart(part: Any) -> Any:
        return part.reshape(rows, heads, width // heads).transpose(1, 0, 2)

    packed = x @ weights["self_attn.in_proj_weight"] + weights["self_attn.in_proj_bias"]
    query, key, value = (apart(part) for part in numpy.split(packed, 3, axis=1))
    scores = query @ key.transpose(0, 2, 1) / (width // heads) ** 0.5
    powers = numpy.exp(scores - scores.max(-1, keepdims=True))
    mixed = (powers / powers.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(rows, width)
    attention = mixed @ weights["self_attn.out_proj.weight"] + weights["self_attn.out_proj.bias"]
    x = normed(x + attention, weights["norm1.weight"], weights["norm1.bias"])
    hidden = numpy.maximum(x @ weights["linear1.weight"] + weights["linear1.bias"], 0)
    inner = hidden @ weights["linear2.weight"] + weights["linear2.bias"]
    return normed(x + inner, weights["norm2.weight"], weights["norm2.bias"])


def normed(x: Any, gamma: Any, beta: Any) -> Any:
    """PyTorch's layer norm with its usual epsilon."""
    import numpy

    centred = x - x.mean(1, keepdims=True)
    return centred / numpy.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * gamma + beta
