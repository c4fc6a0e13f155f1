"""What is no module, no input or no mask that can be derived: one sentence each, which says what would be accepted."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import symtrans
from symtrans.derive.derivation import derive, from_torch
from symtrans.errors import SymtransError, UsageError

torch = pytest.importorskip("torch")
nn = torch.nn
ATTENTION = {"embed_dim": 4, "num_heads": 2}
LAYER = {"d_model": 4, "nhead": 2, "dim_feedforward": 4, "dropout": 0.0}
X = [[1.0, 0.0, 0.5, -1.0], [0.0, 1.0, 2.0, 0.25]]


class Mine(nn.MultiheadAttention):
    pass


def hooked() -> Any:
    built = nn.TransformerEncoderLayer(**LAYER)
    built.linear1.register_forward_hook(lambda *_: None)
    return built


def replaced(name: str, part: Any) -> Any:
    built = nn.TransformerEncoderLayer(**LAYER)
    setattr(built, name, part)
    return built


def with_weight(value: float) -> Any:
    built = nn.TransformerEncoderLayer(**LAYER, dtype=torch.float64)
    with torch.no_grad():
        built.linear1.weight[1, 2] = value
    return built


def unlike() -> Any:
    layers = [nn.TransformerEncoderLayer(**LAYER, activation=name, batch_first=True) for name in ("relu", "gelu")]
    stack = nn.TransformerEncoder(layers[0], 2)
    stack.layers[1] = layers[1]
    return stack


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        (
            lambda: nn.Linear(4, 4),
            "a module of the class Linear is not read as a specification; nn.MultiheadAttention, nn.Transformer, "
            "nn.TransformerDecoder, nn.TransformerDecoderLayer, nn.TransformerEncoder, nn.TransformerEncoderLayer are",
        ),
        (lambda: None, "a module of the class NoneType is not read as a specification; nn.MultiheadAttention"),
        (lambda: Mine(**ATTENTION), "a module of the class Mine is not read as a specification; nn.MultiheadAttention"),
        (
            lambda: nn.MultiheadAttention(**ATTENTION, add_bias_kv=True),
            "nn.MultiheadAttention: MultiheadAttention has keys or values of its own (add_bias_kv, add_zero_attn); "
            "it is read without these",
        ),
        (lambda: nn.MultiheadAttention(**ATTENTION, add_zero_attn=True), "(add_bias_kv, add_zero_attn)"),
        (
            lambda: nn.MultiheadAttention(**ATTENTION, dropout=0.1),
            "nn.MultiheadAttention drops entries at random in training; call eval() on the module first",
        ),
        (
            lambda: nn.TransformerEncoderLayer(4, 2),
            "nn.TransformerEncoderLayer.self_attn drops entries at random in training; call eval()",
        ),
        (
            lambda: nn.TransformerEncoderLayer(**LAYER, activation=torch.tanh),
            "nn.TransformerEncoderLayer: the activation is tanh; relu, gelu and silu are read, as functions or modules",
        ),
        (lambda: nn.TransformerEncoderLayer(**LAYER, activation=nn.Tanh()), "the activation is Tanh; relu, gelu"),
        (lambda: nn.TransformerEncoderLayer(**LAYER, activation=nn.LeakyReLU()), "the activation is LeakyReLU; relu"),
        (
            lambda: replaced("norm1", nn.RMSNorm(4)),
            "nn.TransformerEncoderLayer.norm1 is a module RMSNorm; PyTorch's own layers, with nn.LayerNorm, are read",
        ),
        (lambda: replaced("norm2", nn.LayerNorm((2, 4))), "norm2 is over 2 axes; a norm of each row is expected"),
        (lambda: replaced("norm2", nn.LayerNorm(4, eps=0.5)), "the norms add 1e-05 and 0.5; one epsilon for all"),
        (
            lambda: replaced("linear2", nn.Sequential(nn.Linear(4, 4))),
            "nn.TransformerEncoderLayer.linear2 is a module Sequential; PyTorch's own layers",
        ),
        (
            lambda: nn.Transformer(4, 2, 1, 1, 4, 0.0, custom_encoder=nn.Identity()),
            "nn.Transformer.encoder is a module Identity; PyTorch's own layers",
        ),
        (hooked, "nn.TransformerEncoderLayer.linear1 has hooks, which may change what it computes"),
        (unlike, "nn.TransformerEncoder: layer 2 has activation = gelu, layer 1 relu; layers are alike"),
        (
            lambda: with_weight(math.inf),
            "nn.TransformerEncoderLayer: linear1.weight[1][2]: inf is no finite number; a finite float is expected",
        ),
        (lambda: with_weight(math.nan), "linear1.weight[1][2]: nan is no finite number"),
        (lambda: with_weight(5e-324), "linear1.weight[1][2]: 5e-324 is subnormal; zero or a float of full precision"),
        (lambda: nn.TransformerEncoderLayer(**LAYER, device="meta"), "in_proj_weight is a tensor without plain entr"),
        (lambda: nn.TransformerEncoderLayer(8, 2, 200_000, 0.0), "b_1: has more than 100,000 entries; a shorter list"),
    ],
)
def test_modules(module: Any, sentence: str) -> None:
    built = module()
    x = [[*row, *row] for row in X] if "b_1: has more" in sentence else X
    with pytest.raises(SymtransError) as fault:
        from_torch(built, (x, x) if isinstance(built, nn.Transformer) else x)
    assert sentence in str(fault.value)
    assert str(fault.value).startswith(("nn.", "a "))
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        (
            (X, X, X, X),
            "nn.MultiheadAttention: 4 inputs are given; query, [key], [value] are expected, as a tuple",
        ),
        ((), "nn.MultiheadAttention: 0 inputs are given; query, [key], [value] are expected, as a tuple"),
        (torch.zeros(3, 2, 4), "query is a batch of 2 sequences; one is derived at a time"),
        ([1.0, 2.0], "query has 1 axes; a matrix is expected"),
        (3, "query is of the type int; a tensor or nested lists of numbers are expected"),
        ([[True, 1, 1, 1]], "query[0][0] is 'True'; a number is expected"),
        ([[1j, 1, 1, 1]], "query[0][0] is '1j'; a number is expected"),
        ([["x", "1", "1", "1"]], "query[0][0]: 'x' is not a number; numbers are written 0.1, 1/3, -2 or 1.2e-3"),
        ([[math.inf, 1, 1, 1]], "query[0][0]: inf is no finite number; a finite float is expected"),
        (
            [[1, 2, 3]],
            "nn.MultiheadAttention: inputs.query: is 1×3; 1×4 is expected "
            "(queries × d_model, where queries = 1, d_model = 4)",
        ),
        ([[1, 2, 3, 4], [1, 2]], "inputs.query: row 2 has 2 entries and row 1 has 4; rows of one length are expected"),
        ([], "query has 1 axes; a matrix is expected"),
        ((X, X[:1], X), "inputs.value: is 2×4; 1×4 is expected"),
        ((X, [*X], [[1, 2, 3]] * 2), "inputs.value: is 2×3; 2×4 is expected (keys"),
    ],
)
def test_inputs(inputs: Any, sentence: str) -> None:
    with pytest.raises(SymtransError) as fault:
        from_torch(nn.MultiheadAttention(**ATTENTION), inputs)
    assert sentence in str(fault.value)


@pytest.mark.parametrize(
    ("masks", "sentence"),
    [
        (
            {"src_mask": X},
            "nn.MultiheadAttention: src_mask is not a keyword of its masks; attn_mask, key_padding_mask are",
        ),
        (
            {"attn_mask": [[0.0, 0.5], [0.0, 0.0]]},
            "attn_mask[0][1] is 0.5; a mask holds True and False, or 0",
        ),
        ({"attn_mask": torch.zeros(2, 2, 2)}, "attn_mask has 3 axes; one matrix for all heads is expected"),
        ({"attn_mask": torch.zeros(2, 3)}, "inputs.mask: is for 3 keys; there are 2"),
        ({"attn_mask": torch.zeros(3, 2)}, "inputs.mask: is 3×2; 2×2 is expected"),
        ({"attn_mask": [[True, True], [False, False]]}, "position 1 may look at no position at all"),
        ({"key_padding_mask": [False]}, "inputs.padding: is for 1 keys; there are 2"),
        ({"key_padding_mask": torch.zeros(2, 2)}, "key_padding_mask has 2 axes; one entry for each position"),
        ({"key_padding_mask": [True, True]}, "position 1 may look at no position at all"),
        ({"target": X[:1]}, "inputs.y: is 1×4; 2×4 is expected"),
        ({"target": X, "loss": "cross_entropy"}, 'loss.kind: is "cross_entropy"; multi_head_attention takes half_sum'),
        ({"labels": [1, 2]}, "inputs.labels: is not a key of a specification; the keys here are query, key, value"),
        ({"labels": [[1], [2]]}, "labels has 2 axes; one vocabulary entry for each position is expected"),
        ({"output": nn.Tanh()}, "nn.MultiheadAttention: output is a Tanh; the projection to logits is an nn.Linear"),
        ({"name": "a/b"}, 'name: is "a/b"; letters, digits, - and _ are expected'),
    ],
)
def test_masks_and_targets(masks: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SymtransError) as fault:
        from_torch(nn.MultiheadAttention(**ATTENTION), X, **masks)
    assert sentence in str(fault.value)


def test_a_module_of_two_inputs() -> None:
    with pytest.raises(UsageError, match="1 inputs are given; tgt, memory are expected, as a tuple"):
        from_torch(nn.TransformerDecoderLayer(**LAYER), X)


def test_without_a_target_there_are_no_gradients() -> None:
    example = symtrans.from_torch(nn.MultiheadAttention(**ATTENTION), X, name="attention")
    assert [step.part for step in example.derive().told_steps()].count("loss") == 0
    with pytest.raises(UsageError) as fault:
        example.derive(wrt=["W_O"])
    sentence = "no gradient with respect to W_O: attention has no loss; give it a target to compare its output with"
    assert str(fault.value) == sentence


def test_numbers_of_lists_are_as_exact_as_they_are_given() -> None:
    built = nn.MultiheadAttention(1, 1)
    spec = from_torch(built, [["0.1"], [Fraction(1, 3)], [0.1], [2], [0.5]], name="one").spec
    assert [row[0].value for row in spec.matrices["query"][0]] == [
        Fraction(1, 10),
        Fraction(1, 3),
        Fraction(0.1),
        2,
        Fraction(1, 2),
    ]
    assert [row[0].text for row in spec.matrices["query"][0]] == [
        "0.1",
        "1/3",
        "3602879701896397/36028797018963968",
        "2",
        "0.5",
    ]
    assert derive(spec)["Z_attn"].shape == (5, 1)


@pytest.mark.parametrize("value", [2.0**-1022, 1.7976931348623157e308, 1e-300, -3e22, 2.0**-126 / 8])
def test_floats_of_any_size(value: float) -> None:
    spec = from_torch(nn.MultiheadAttention(1, 1), [[value]]).spec
    assert spec.matrices["query"][0][0][0].value == Fraction(value)


def test_labels_without_an_output_projection_or_beyond_it() -> None:
    built, output = nn.TransformerEncoderLayer(**LAYER), nn.Linear(4, 3)
    with pytest.raises(SymtransError, match=r"dimensions.vocabulary: is missing"):
        from_torch(built, X, labels=[0, 1])
    with pytest.raises(SymtransError, match=r"inputs.labels\[2\]: is 3, and the vocabulary has 3 entries"):
        from_torch(built, X, labels=[0, 3], output=output)
