"""Large matrices of floats kept as arrays: the same exact numbers as written out, and the same refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import symtrans
from symtrans.derive.derivation import derive
from symtrans.errors import SpecError, SymtransError, UsageError
from symtrans.exact.floats import FEWEST, Floats, floats
from symtrans.model import torch_tensors, weights

np = pytest.importorskip("numpy")


def test_a_large_matrix_is_kept_and_a_small_one_is_not() -> None:
    large = np.random.default_rng(0).normal(size=(64, 64))
    kept = floats(large)
    assert kept is not None
    assert kept.shape == (64, 64)
    assert len(kept) == 64
    assert [cell.value for cell in kept[3]] == [Fraction(x) for x in large[3].tolist()]
    assert [cell.value for cell in kept.turned()[3]] == [Fraction(x) for x in large[:, 3].tolist()]
    assert [cell.value for cell in kept.columns(2, 5)[0]] == [Fraction(x) for x in large[0, 2:5].tolist()]
    assert [cell.text for cell in kept[60:][0]] == [cell.text for cell in kept[60]]
    for other in (large[:63, :63], large.astype(int), large.ravel(), large.astype("f4")[None]):
        assert floats(other) is None
    assert large.size == FEWEST


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 5e-324])
def test_what_is_no_full_number_is_refused_by_its_place(bad: float) -> None:
    matrix = np.ones((64, 64))
    matrix[5, 7] = bad
    with pytest.raises(UsageError, match=r"^\[5\]\[7\]: "):
        floats(matrix)


def test_more_than_the_cap_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    for module in (torch_tensors, weights):
        monkeypatch.setattr(module, "MOST", 5000)
        monkeypatch.setattr(module, "MAX_ENTRIES", 4000)
    with pytest.raises(UsageError, match=r"linear1\.weight has 8,192 entries; at most 5,000 are derived from"):
        torch_tensors.matrix(torch.ones(128, 64), "linear1.weight")
    with pytest.raises(SpecError, match=r'"W" in w\.npz has 8,192 entries; at most 5,000 are read'):
        derive(str(written(tmp_path, 'W_Q = { file = "w.npz", key = "W" }\n', W=np.ones((64, 128)))))


def test_a_module_with_a_bad_weight_is_refused_in_one_sentence() -> None:
    torch = pytest.importorskip("torch")
    layer = torch.nn.TransformerEncoderLayer(64, 2, 64).eval()
    with torch.no_grad():
        layer.linear1.weight[2, 9] = float("nan")
    with pytest.raises(SymtransError, match=r"linear1.weight\[2\]\[9\]: nan is no finite number"):
        symtrans.from_torch(layer, torch.ones(2, 64))


HEAD = """
name = "mine"
architecture = "multi_head_attention"
[dimensions]
d_model = 64
heads = 2
[inputs]
query = { file = "w.npz", key = "x" }
[parameters]
W_O = { file = "w.npz", key = "O" }
"""


def written(folder: Path, projections: str, **arrays: object) -> Path:
    source = np.random.default_rng(1)
    np.savez(folder / "w.npz", x=source.normal(size=(70, 64)), O=source.normal(size=(64, 64)), **arrays)
    path = folder / "mine.toml"
    path.write_text(HEAD + projections, encoding="utf-8")
    return path


def test_heads_side_by_side_and_heads_in_a_stack_are_the_same(tmp_path: Path) -> None:
    packed = np.random.default_rng(2).normal(size=(64, 64))
    stacked = np.stack([packed[:, :32], packed[:, 32:]])
    lines = "".join(f'W_{letter} = {{ file = "w.npz", key = "KEY" }}\n' for letter in "QKV")
    found = []
    for key in ("packed", "stacked"):
        derivation = derive(str(written(tmp_path, lines.replace("KEY", key), packed=packed, stacked=stacked)))
        assert isinstance(derivation.tape["x" if "x" in derivation.tape else "query"].literal, Floats)
        assert derivation.tape["W_Q2"].shape == (64, 32)
        found.append(derivation["H_2"].decimals(4))
    assert found[0] == found[1]
    assert float(found[0][0][0]) != 0


def test_shapes_and_entries_of_arrays_are_checked(tmp_path: Path) -> None:
    lines = "".join(f'W_{letter} = {{ file = "w.npz", key = "W" }}\n' for letter in "QKV")
    with pytest.raises(SpecError, match=r"W_Q.*64×32 is expected"):
        derive(str(written(tmp_path, lines, W=np.ones((64, 65)))))
    bad = np.ones((64, 64))
    bad[1, 2] = np.inf
    with pytest.raises(SpecError, match=r"W_Q\[2\]\[3\]: inf is no finite number"):
        derive(str(written(tmp_path, lines, W=bad)))
