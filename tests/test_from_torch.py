"""Modules of PyTorch derived with their own weights, forward and every gradient against PyTorch's autograd in float64.

The reference is the module itself; what is told apart per head here is put back into PyTorch's packed parameters.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import pytest

from symtrans.check.judge import judge
from symtrans.derive.derivation import Derivation, from_torch
from symtrans.derive.numerals import Style
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.page.page_writer import page_writer
from symtrans.page.telling import tell

torch = pytest.importorskip("torch")
nn = torch.nn
FORWARD, BACKWARD = 1e-12, 1e-10  # absolute: what float64 itself may be off by
CAUSAL = {n: torch.triu(torch.full((n, n), -math.inf, dtype=torch.float64), 1) for n in (2, 3, 4)}
HIDDEN = {n: torch.tensor([False] * (n - 1) + [True]) for n in (2, 3, 4)}


def rows(count: int, width: int = 4, seed: int = 0, dtype: Any = torch.float64) -> Any:
    return torch.randn(count, width, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def module(make: Any, dtype: Any = torch.float64, **options: Any) -> Any:
    """A module whose every parameter is random, the norms' and the biases' too, which start as ones and zeros."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on nested tensors, which nothing here uses
        built = make(**options, dtype=dtype)
    source = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in built.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=source, dtype=torch.float64))
    return built


def numbers(step: Any) -> Any:
    return torch.tensor([[float(cell) for cell in row] for row in step.decimals(17)], dtype=torch.float64)


def gradient(derivation: Derivation, key: str, heads: int = 0) -> Any:
    """A parameter's gradient; those of the heads side by side, as columns or as one long column."""
    if not heads:
        return numbers(derivation.gradient(key))
    owners = [str(head) for head in range(1, heads + 1)] if heads > 1 else [""]  # one head has no copy of its own
    parts = [numbers(derivation.gradient(f"{key}{owner}")) for owner in owners]
    return torch.cat(parts, 0 if key.rpartition(".")[2].startswith("b") else 1)


def packed(derivation: Derivation, path: str, parameter: Any, scope: str, heads: int) -> Any:
    """The gradient of one of the module's parameters from those of the derivation's."""
    local = path.rpartition("self_attn.")[2].rpartition("multihead_attn.")[2]
    if "multihead_attn." in path:
        scope += "cross."
    if local in ("in_proj_weight", "in_proj_bias"):
        letter = "W" if local.endswith("weight") else "b"
        parts = [gradient(derivation, f"{scope}{letter}_{one}", heads) for one in "QKV"]
        return torch.cat([part.T for part in parts]) if letter == "W" else torch.cat(parts)[:, 0]
    if local.endswith("_proj_weight"):
        return gradient(derivation, f"{scope}W_{local[0].upper()}", heads).T
    if local.startswith("out_proj"):
        found = gradient(derivation, f"{scope}{'W' if local.endswith('weight') else 'b'}_O")
        return found.T if local.endswith("weight") else found[:, 0]
    alone = "dec" if "memory" in derivation.tape else "final"
    name, _, kind = path.rpartition("layers.")[2].rpartition(".")
    number = name[-1]
    if "linear" in name:
        found = gradient(derivation, f"{scope}{'W' if kind == 'weight' else 'b'}_{number}")
        return found.T if kind == "weight" else found[:, 0]
    suffix = number if number.isdigit() else {"enc": "enc", "dec": "dec"}.get(name[:3], alone)
    whole = "" if not number.isdigit() else scope
    return gradient(derivation, f"{whole}{'gamma' if kind == 'weight' else 'beta'}_{suffix}")[0]


def scope_of(path: str, built: Any) -> str:
    """The scope of a parameter's layer: `enc1.`, `dec.`, or none where one encoder layer is all there is."""
    if isinstance(built, nn.TransformerEncoderLayer | nn.MultiheadAttention):
        return ""
    if isinstance(built, nn.TransformerDecoderLayer):
        return "dec."
    head, found, tail = path.partition("layers.")
    if not found:
        return ""
    stack = getattr(built, head.rstrip(".")) if head else built
    prefix = "dec" if isinstance(stack, nn.TransformerDecoder) else "enc"
    if len(stack.layers) > 1:
        return f"{prefix}{int(tail[0]) + 1}."
    return f"{prefix}." if isinstance(built, nn.Transformer) or prefix == "dec" else ""


def compare(built: Any, inputs: tuple[Any, ...], call: tuple[Any, ...] | None = None, **masks: Any) -> int:
    """Compares output, loss and the gradients of all parameters and inputs; how many entries of gradients."""
    heads = next(part.num_heads for part in built.modules() if isinstance(part, nn.MultiheadAttention))
    width = next(part.embed_dim for part in built.modules() if isinstance(part, nn.MultiheadAttention))
    target = rows(len(inputs[1] if isinstance(built, nn.Transformer) else inputs[0]), width, seed=99)
    derivation = from_torch(built, inputs, target=target, **masks).derive(wrt=["all"])
    reference = built.double()
    leaves = {id(one): one.double().detach().requires_grad_() for one in (call or inputs)}
    hidden = {key: one.double() if one.is_floating_point() else one for key, one in masks.items()}
    output = reference(*(leaves[id(one)] for one in (call or inputs)), **hidden)
    output = output[0] if isinstance(output, tuple) else output
    loss = ((output - target) ** 2).sum() / 2
    loss.backward()
    result = derivation.tape["L"].operands[0]
    assert torch.allclose(numbers(derivation[result]), output, rtol=0, atol=FORWARD)
    assert torch.allclose(numbers(derivation["L"]), loss, rtol=1e-14, atol=FORWARD)
    compared = 0
    for path, parameter in reference.named_parameters():
        found = packed(derivation, path, parameter, scope_of(path, built), heads)
        assert found.shape == parameter.shape, path
        assert torch.allclose(found, parameter.grad, rtol=1e-13, atol=BACKWARD), path
        compared += parameter.numel()
    names = [name for name in ("x", "t", "memory", "query", "key", "value") if name in derivation.tape]
    assert len(names) == len(leaves)
    by_role = [leaves[id(one)] for one in dict.fromkeys(call or inputs)]
    for name, leaf in zip(names, by_role, strict=True):
        assert torch.allclose(gradient(derivation, name), leaf.grad, rtol=1e-13, atol=BACKWARD), name
        compared += leaf.numel()
    return compared


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_self_attention(dtype: Any) -> None:
    x = rows(3, dtype=dtype)
    built = module(nn.MultiheadAttention, dtype, embed_dim=4, num_heads=2)
    assert compare(built, (x,), (x, x, x)) == 4 * (16 + 4) + 12


@pytest.mark.parametrize("bias", [True, False])
def test_attention_to_others_with_widths_of_their_own(bias: bool) -> None:
    built = module(nn.MultiheadAttention, embed_dim=4, num_heads=2, kdim=3, vdim=5, bias=bias)
    inputs = (rows(2), rows(3, 3, 1), rows(3, 5, 2))
    assert compare(built, inputs, key_padding_mask=HIDDEN[3]) == 16 + 12 + 20 + 16 + 16 * bias + 8 + 9 + 15


def test_keys_that_are_the_values() -> None:
    built = module(nn.MultiheadAttention, embed_dim=6, num_heads=3)
    q, k = rows(2, 6), rows(3, 6, 1)
    assert compare(built, (q, k), (q, k, k)) == 4 * 42 + 12 + 18


@pytest.mark.parametrize("form", [lambda mask: mask, lambda mask: mask != 0], ids=["floats", "booleans"])
def test_attention_under_a_causal_mask(form: Any) -> None:
    x = rows(3)
    built = module(nn.MultiheadAttention, embed_dim=4, num_heads=1)
    assert compare(built, (x,), (x, x, x), attn_mask=form(CAUSAL[3])) == 92


ENCODER_LAYER = 4 * (16 + 4) + 8 * 4 * 2 + 8 + 4 + 4 * 4
DECODER_LAYER = ENCODER_LAYER + 4 * (16 + 4) + 8


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu", nn.SiLU()], ids=str)
def test_an_encoder_layer(norm_first: bool, activation: Any) -> None:
    options = {"d_model": 4, "nhead": 2, "dim_feedforward": 8, "dropout": 0.0, "layer_norm_eps": 1e-3}
    built = module(nn.TransformerEncoderLayer, norm_first=norm_first, activation=activation, **options)
    assert compare(built, (rows(3),), src_mask=CAUSAL[3] != 0) == ENCODER_LAYER + 12


def test_an_encoder_layer_in_float32_with_padding() -> None:
    options = {"d_model": 4, "nhead": 2, "dim_feedforward": 8, "dropout": 0.0}
    built = module(nn.TransformerEncoderLayer, torch.float32, **options)
    x = rows(3, dtype=torch.float32)
    assert compare(built, (x,), src_key_padding_mask=HIDDEN[3]) == ENCODER_LAYER + 12


def test_an_encoder_layer_without_biases() -> None:
    built = module(nn.TransformerEncoderLayer, d_model=4, nhead=2, dim_feedforward=8, dropout=0.0, bias=False)
    assert compare(built, (rows(2),)) == 64 + 64 + 8 + 8


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_decoder_layer(norm_first: bool) -> None:
    options = {"d_model": 4, "nhead": 2, "dim_feedforward": 8, "dropout": 0.0}
    built = module(nn.TransformerDecoderLayer, norm_first=norm_first, **options)
    masks = {"tgt_mask": CAUSAL[2], "memory_key_padding_mask": HIDDEN[3]}
    assert compare(built, (rows(2), rows(3, seed=1)), **masks) == DECODER_LAYER + 8 + 12


def test_a_decoder_layer_hides_nothing_by_itself() -> None:
    built = module(nn.TransformerDecoderLayer, d_model=4, nhead=2, dim_feedforward=8, dropout=0.0)
    assert compare(built, (rows(2), rows(3, seed=1))) == DECODER_LAYER + 8 + 12


STACK = [(False, 1), (True, 1), (False, 2), (True, 2)]


def stack(whole: Any, layer: Any, has_norm: bool, layers: int) -> Any:
    def make(dtype: Any) -> Any:
        one = layer(d_model=4, nhead=2, dim_feedforward=8, dropout=0.0, dtype=dtype)
        return whole(one, layers, nn.LayerNorm(4, dtype=dtype) if has_norm else None)

    return module(make)


@pytest.mark.parametrize(("has_norm", "layers"), STACK)
def test_an_encoder(has_norm: bool, layers: int) -> None:
    built = stack(nn.TransformerEncoder, nn.TransformerEncoderLayer, has_norm, layers)
    assert compare(built, (rows(2),)) == layers * ENCODER_LAYER + 8 * has_norm + 8


@pytest.mark.parametrize(("has_norm", "layers"), STACK)
def test_a_decoder(has_norm: bool, layers: int) -> None:
    built = stack(nn.TransformerDecoder, nn.TransformerDecoderLayer, has_norm, layers)
    assert compare(built, (rows(2), rows(3, seed=1))) == layers * DECODER_LAYER + 8 * has_norm + 8 + 12


TRANSFORMER = {"d_model": 4, "nhead": 2, "dim_feedforward": 8, "dropout": 0.0}


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_transformer_of_two_and_two_layers(norm_first: bool) -> None:
    options = {**TRANSFORMER, "num_encoder_layers": 2, "num_decoder_layers": 2, "norm_first": norm_first}
    built = module(nn.Transformer, **options)
    masks = {"tgt_mask": CAUSAL[2], "src_key_padding_mask": HIDDEN[3], "memory_key_padding_mask": HIDDEN[3]}
    assert compare(built, (rows(3), rows(2, seed=1)), **masks) == 2 * (ENCODER_LAYER + DECODER_LAYER) + 16 + 12 + 8


@pytest.mark.parametrize(
    "masks",
    [
        {},
        {"src_key_padding_mask": HIDDEN[4]},  # which PyTorch does not apply to the memory
        {"memory_key_padding_mask": HIDDEN[4], "tgt_key_padding_mask": HIDDEN[2]},
        {"src_mask": CAUSAL[4], "memory_mask": CAUSAL[4][:2] != 0},
    ],
    ids=lambda masks: "+".join(masks) or "none",
)
def test_each_mask_of_a_transformer(masks: dict[str, Any]) -> None:
    built = module(nn.Transformer, torch.float32, num_encoder_layers=1, num_decoder_layers=1, **TRANSFORMER)
    inputs = (rows(4, dtype=torch.float32), rows(2, seed=1, dtype=torch.float32))
    assert compare(built, inputs, **masks) == ENCODER_LAYER + DECODER_LAYER + 16 + 16 + 8


@pytest.mark.parametrize("batch_first", [False, True])
def test_a_batch_of_one_and_lists(batch_first: bool) -> None:
    built = module(nn.TransformerEncoderLayer, batch_first=batch_first, **TRANSFORMER)
    x = rows(3)
    alone = from_torch(built, x).derive()["Z_encoder_output"].exact()
    assert from_torch(built, x.unsqueeze(0 if batch_first else 1)).derive()["Z_encoder_output"].exact() == alone
    assert from_torch(built, x.tolist()).derive()["Z_encoder_output"].exact() == alone
    assert from_torch(built, (x.numpy(),)).derive()["Z_encoder_output"].exact() == alone


def test_a_module_in_evaluation_has_no_dropout() -> None:
    built = module(nn.TransformerEncoderLayer, d_model=4, nhead=2, dim_feedforward=8, dropout=0.5).eval()
    x = rows(2)
    derived = numbers(from_torch(built, x).derive()["Z_encoder_output"])
    assert torch.allclose(derived, built(x), rtol=0, atol=FORWARD)


@pytest.mark.parametrize("bias", [True, False])
def test_labels_and_an_output_projection(bias: bool) -> None:
    built = module(nn.Transformer, num_encoder_layers=1, num_decoder_layers=1, **TRANSFORMER)
    output = module(nn.Linear, in_features=4, out_features=5, bias=bias)
    source, target, labels = rows(2), rows(3, seed=1), torch.tensor([4, 0, 2])
    loss = nn.functional.cross_entropy(output(built(source, target)), labels)
    loss.backward()
    example = from_torch(built, (source, target), output=output, labels=labels)
    derivation = example.derive(wrt=["W_out", "enc.W_1"])
    assert torch.allclose(numbers(derivation["L"]), loss, rtol=0, atol=FORWARD)
    assert torch.allclose(gradient(derivation, "W_out").T, output.weight.grad, rtol=0, atol=BACKWARD)
    reference = built.encoder.layers[0].linear1.weight.grad
    assert torch.allclose(gradient(derivation, "enc.W_1").T, reference, rtol=0, atol=BACKWARD)


def test_an_output_projection_without_labels_tells_probabilities() -> None:
    built = module(nn.TransformerEncoderLayer, **TRANSFORMER)
    output = module(nn.Linear, in_features=4, out_features=3)
    derivation = from_torch(built, rows(2), output=output).derive()
    wanted = torch.softmax(output(built(rows(2))), 1)
    assert torch.allclose(numbers(derivation["P"]), wanted, rtol=0, atol=FORWARD)


def test_the_example_of_the_readme() -> None:
    text = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
    program = text.partition("## Real weights")[2].partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(program, names)
    derivation, built, x = names["derivation"], names["module"], names["x"]
    output = built(x, src_mask=CAUSAL[3] != 0)
    assert torch.allclose(numbers(derivation["Z_encoder_output"]), output, rtol=0, atol=FORWARD)
    ((output - names["target"]) ** 2).sum().div(2).backward()
    packed_gradient = built.self_attn.in_proj_weight.grad
    assert torch.allclose(numbers(derivation.gradient("W_Q1")), packed_gradient[:2].T, rtol=0, atol=BACKWARD)


def test_a_page_of_attention_with_its_weights_as_fractions_holds() -> None:
    built = module(nn.MultiheadAttention, torch.float32, embed_dim=4, num_heads=2)
    example = from_torch(built, rows(2, dtype=torch.float32), target=rows(2, seed=1))
    derivation = example.derive(wrt=["W_O"], style=Style("fraction"))
    report = judge(read(Source("page.md", page_writer("md").write(tell(derivation), derivation))))
    assert [link for link in report.links if link.verdict in ("FAILS", "UNREADABLE", "INHERITED")] == []
    assert report.coverage.checked >= 20
    assert derivation.read_back().disagreed == []
