"""Faults in the specification of a Transformer: one sentence each, with file, key, what, and what would be accepted."""

from __future__ import annotations

import pytest

from symtrans.derive.derivation import derive
from symtrans.errors import SymtransError
from symtrans.model.spec_reader import read_spec
from symtrans.registry import files

TEXTS = files("symtrans.model.examples", ".toml")
ROW = '["1", "0", "0", "0"]'


def changed(example: str, old: str, new: str) -> str:
    assert old in TEXTS[example]
    return TEXTS[example].replace(old, new, 1)


@pytest.mark.parametrize(
    ("example", "old", "new", "sentence"),
    [
        ("encoder", "heads = 2", "heads = 3", "dimensions.heads: is 3, which does not divide d_model = 4; give d_k"),
        ("llama", "kv_heads = 1", "kv_heads = 3", "dimensions.kv_heads: is 3, which does not divide heads = 2"),
        ("encoder", "[1, 4, 2]", "[1, 5, 2]", "inputs.tokens[2]: is 5, and the vocabulary has 5 entries; a whole"),
        ("encoder", "[1, 4, 2]", "[1, -1, 2]", "inputs.tokens[2]: is -1, and the vocabulary has 5 entries"),
        ("encoder", "[1, 4, 2]", '["1", 4, 2]', 'inputs.tokens[1]: is "1"; a whole number from 0 to 4 is expected'),
        ("encoder", "[1, 4, 2]", "[]", "inputs.tokens: is empty; a list with at least one entry is expected"),
        ("encoder", 'epsilon = "0.00001"', "", "numbers.epsilon: is missing; a quoted number is expected"),
        ("encoder", 'epsilon = "0.00001"', "epsilon = 1e-5", "numbers.epsilon: is 1e-5; numbers are quoted"),
        ("encoder", 'gamma_1 = ["', 'gamma_1 = ["1", "', "encoder[1].gamma_1: has 5 entries; 4 (d_model) are expected"),
        ("encoder", "gamma_1", "gama_1", "encoder[1].gama_1: is not a key of a specification; did you mean gamma_1?"),
        (
            "encoder",
            "[inputs]",
            '[inputs]\nmask = [["0","0"],["0","0"]]',
            "inputs.mask: is 2×2; 3×3 is expected (positions × positions, where positions = 3)",
        ),
        (
            "encoder",
            "[inputs]",
            '[inputs]\nmask = [["0","0","0"],["-inf","-inf","-inf"],["0","0","0"]]',
            "inputs.mask: position 2 may look at no position at all, so its attention weights have no value",
        ),
        (
            "encoder",
            "[inputs]",
            '[inputs]\nmask = [["0","0","-1e9"],["0","0","0"],["0","0","0"]]',
            'inputs.mask[1][3]: is "-1e9"; "0", where a query may look, or "-inf" is expected',
        ),
        ("encoder", "[inputs]", "[inputs]\npadding = [1, 1]", "inputs.padding: has 2 entries; 3 (positions) are"),
        ("encoder", "[inputs]", "[inputs]\npadding = [0, 0, 0]", "inputs.padding: position 1 may look at no position"),
        ("encoder", "tokens =", "# tokens =", "inputs.tokens and inputs.x: are both missing; one of them is expected"),
        ("encoder", '"relu"', '"tanh"', 'switches.activation: is "tanh"; it is relu or gelu or'),
        ("encoder", '"sinusoidal"', '"learned"', "parameters.W_pos: is missing; a matrix of longest × d_model quoted"),
        ("encoder", '"sinusoidal"', '"relative"', "encoder[1].b_rel: is missing"),
        (
            "encoder",
            "[[encoder]]",
            "[encoder]",
            "encoder: is a table; one table [[encoder]] for each layer",
        ),
        ("encoder", "heads = 2", "heads = 2\nd_k = 3", "encoder[1].W_Q[1]: is 4×2; 4×3 is expected (d_model × d_k"),
        ("gpt", "labels = [0, 4, 1]", "labels = [0, 4]", "inputs.labels: has 2 entries; 3 (positions) are expected"),
        ("gpt", "[numbers]", "keep = [0, 0, 0]\n[numbers]", "inputs.keep: keeps no position; the loss is a mean"),
        ("gpt", "[numbers]", "keep = [0, 1, 2]\n[numbers]", "inputs.keep[3]: is 2; 0 or 1 is expected"),
        ("gpt", "[numbers]", '[loss]\nkind = "mean_squared_error"\n[numbers]', "loss.kind: is mean_squared_error, and"),
        ("llama", "kv_heads = 1", "kv_heads = 1\nd_k = 3", "decoder[1].W_Q[1]: is 4×2; 4×3 is expected"),
        (
            "encoder",
            "[numbers]",
            "keep = [1, 1, 0]\n[numbers]",
            "inputs.keep: nothing uses it, with what else is given",
        ),
        ("encoder", "[numbers]", '[numbers]\nsmoothing = "0.1"', "numbers.smoothing: nothing uses it"),
        ("encoder", "[parameters]", f"[parameters]\nbeta_final = {ROW}", "parameters.beta_final: nothing uses it"),
        ("encoder", "tokens = [1, 4, 2]", f"x = [{ROW}, {ROW}, {ROW}]", "parameters.E: nothing uses it"),
        ("encoder-decoder", "start = [0]", "start = [0, 1]", "inputs.start: has 2 entries; 1 are expected"),
        ("encoder-decoder", "start = [0]", "", "inputs.start: is missing; the target as the decoder sees it begins"),
        ("encoder-decoder", "start = [0]", f"memory = [{ROW}]", "inputs.memory: is 1×4; 3×4 is expected"),
        ("encoder-decoder", "[decoder.cross]", "[decoder.corss]", "decoder[1].corss: is not a key of a specification"),
    ],
)
def test_a_fault_is_told_in_one_sentence(example: str, old: str, new: str, sentence: str) -> None:
    with pytest.raises(SymtransError) as fault:
        derive(read_spec(changed(example, old, new), "my.toml"), wrt=["all"])
    assert str(fault.value).startswith(f"my.toml: {sentence}")
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("example", "old", "new"),
    [
        ("encoder", "[inputs]", '[inputs]\nmask = [["0","0","-inf"],["-inf","0","-inf"],["0","0","0"]]'),
        ("encoder", "[inputs]", "[inputs]\npadding = [1, 1, 0]"),
        ("encoder", '"sinusoidal"', '"alibi"'),
        ("encoder", "W_1 =", 'b_rel = ["0.1", "0.2", "0", "-0.1", "0.5"]\nW_1 ='),
        ("gpt", "[numbers]", '[numbers]\nsmoothing = "0.1"'),
        ("encoder-decoder", "target = [2, 4, 1]", "target = [2, 4, 1, 3]"),
        ("encoder-decoder", "source = [3, 5, 1]", "padding = [1, 0]\nsource = [3, 5]"),
    ],
)
def test_what_may_be_left_out_or_added(example: str, old: str, new: str) -> None:
    text = changed(example, old, new).replace('"sinusoidal"', '"relative"' if "b_rel" in new else '"sinusoidal"', 1)
    assert derive(read_spec(text, "my.toml"), wrt=["all"])["L"].decimals(3)
