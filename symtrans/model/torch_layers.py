"""The layers of PyTorch's Transformer as tables of a specification: packed projections cut by head, weights turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtrans.errors import UsageError
from symtrans.exact.floats import Floats
from symtrans.model.torch_module import Table
from symtrans.model.torch_tensors import Row, matrix, number, row_of


def attention_table(attention: Any, label: str) -> Table:
    """The projections of an `nn.MultiheadAttention`: PyTorch's y = x·Wᵀ + b, cut into heads."""
    if attention.bias_k is not None or attention.bias_v is not None or attention.add_zero_attn:
        raise UsageError(
            f"{label} has keys or values of its own (add_bias_kv, add_zero_attn); it is read without these"
        )
    width, heads = attention.embed_dim, attention.num_heads
    if attention.in_proj_weight is not None:
        packed = matrix(attention.in_proj_weight, f"{label}.in_proj_weight")
        weights = [packed[start : start + width] for start in range(0, 3 * width, width)]
    else:
        names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
        weights = [matrix(getattr(attention, name), f"{label}.{name}") for name in names]
    found: Table = {
        f"W_{letter}": [_turned(rows) for rows in _parted(one, heads)]
        for letter, one in zip("QKV", weights, strict=True)
    }
    found["W_O"] = _turned(matrix(attention.out_proj.weight, f"{label}.out_proj.weight"))
    if attention.in_proj_bias is not None:
        biases = row_of(attention.in_proj_bias, f"{label}.in_proj_bias")
        for place, letter in enumerate("QKV"):
            found[f"b_{letter}"] = _parted(biases[place * width : (place + 1) * width], heads)
    if attention.out_proj.bias is not None:
        found["b_O"] = row_of(attention.out_proj.bias, f"{label}.out_proj.bias")
    return found


def encoder_layer_table(layer: Any, label: str) -> Table:
    """An `nn.TransformerEncoderLayer`."""
    return attention_table(layer.self_attn, f"{label}self_attn") | _rest(layer, label, norms=2)


def decoder_layer_table(layer: Any, label: str) -> Table:
    """An `nn.TransformerDecoderLayer`."""
    found = attention_table(layer.self_attn, f"{label}self_attn") | _rest(layer, label, norms=3)
    return found | {"cross": attention_table(layer.multihead_attn, f"{label}multihead_attn")}


def norm_table(norm: Any, label: str, suffix: str) -> Table:
    """The scale and the shift of an `nn.LayerNorm`; where it learns none they are ones and zeros."""
    if norm is None:
        return {}
    if len(norm.normalized_shape) != 1:
        raise UsageError(f"{label} is over {len(norm.normalized_shape)} axes; a norm of each row is expected")
    width = norm.normalized_shape[0]
    gamma, beta = norm.weight, norm.bias
    return {
        f"gamma_{suffix}": row_of([1] * width if gamma is None else gamma, f"{label}.weight"),
        f"beta_{suffix}": row_of([0] * width if beta is None else beta, f"{label}.bias"),
    }


def output_table(linear: Any) -> Table:
    """An `nn.Linear` as the projection to logits."""
    if type(linear).__name__ != "Linear" or type(linear).__module__ != "torch.nn.modules.linear":
        raise UsageError(f"output is a {type(linear).__name__}; the projection to logits is an nn.Linear")
    found: Table = {"W_out": _turned(matrix(linear.weight, "output.weight"))}
    return found if linear.bias is None else found | {"b_out": row_of(linear.bias, "output.bias")}


def shared_parts(module: Any, layers: Sequence[Any]) -> Table:
    """What all layers of a model have in common: dimensions, switches, epsilon."""
    if not layers:
        raise UsageError("the module has no layers; at least one is expected")
    found = [_switches(layer) | _dimensions(layer.self_attn) for layer in layers]
    for number_of, one in enumerate(found[1:], 2):
        for key in (key for key in one if one[key] != found[0][key]):
            raise UsageError(f"layer {number_of} has {key} = {one[key]}, layer 1 {found[0][key]}; layers are alike")
    epsilons = {one.eps for one in module.modules() if type(one).__name__ == "LayerNorm"}
    if len(epsilons) > 1:
        raise UsageError(f"the norms add {' and '.join(map(str, sorted(epsilons)))}; one epsilon for all is expected")
    return {
        "dimensions": _dimensions(layers[0].self_attn),
        "switches": _switches(layers[0]) | {"norm": "layer_norm_of_variance", "positions": "none"},
        "numbers": {"epsilon": number(epsilons.pop(), "layer_norm_eps")},
    }


def _dimensions(attention: Any) -> Table:
    return {"d_model": attention.embed_dim, "heads": attention.num_heads}


def _switches(layer: Any) -> Table:
    return {"placement": "pre" if layer.norm_first else "post", "activation": _activation(layer.activation)}


def _activation(function: Any) -> str:
    """The activation's name in a specification."""
    from torch import nn

    functional = nn.functional
    functions = {functional.relu: "relu", functional.gelu: "gelu", functional.silu: "silu"}
    if isinstance(function, nn.Module):
        kind, tanh = type(function), getattr(function, "approximate", "none") == "tanh"
        found = {nn.ReLU: "relu", nn.GELU: "gelu_tanh" if tanh else "gelu", nn.SiLU: "silu"}.get(kind)
    else:
        found = functions.get(function) if callable(function) else None
    if found is None:
        name = getattr(function, "__name__", type(function).__name__)
        raise UsageError(f"the activation is {name}; relu, gelu and silu are read, as functions or modules")
    return found


def _rest(layer: Any, label: str, norms: int) -> Table:
    """The norms and the feed-forward network."""
    found: Table = {}
    for count in range(1, norms + 1):
        found |= norm_table(getattr(layer, f"norm{count}"), f"{label}norm{count}", str(count))
    for count in (1, 2):
        linear, name = getattr(layer, f"linear{count}"), f"{label}linear{count}"
        found[f"W_{count}"] = _turned(matrix(linear.weight, f"{name}.weight"))
        if linear.bias is not None:
            found[f"b_{count}"] = row_of(linear.bias, f"{name}.bias")
    return found


def _parted(rows: Any, heads: int) -> list[Any]:
    """As many equal pieces as there are heads."""
    width = len(rows) // heads
    return [rows[start : start + width] for start in range(0, heads * width, width)]


def _turned(rows: list[Row] | Floats) -> list[Row] | Floats:
    if isinstance(rows, Floats):
        return rows.turned()
    return [list(column) for column in zip(*rows, strict=True)]
