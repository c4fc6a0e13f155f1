"""Weights in files beside a specification: the same numbers as when they are written in it, and safe to read."""

from __future__ import annotations

import os
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symtrans.derive.derivation import derive
from symtrans.errors import SpecError, SymtransError
from symtrans.exact.dyadic import dyadic
from symtrans.model import weight_format
from symtrans.model import weights as weights_module
from symtrans.model.load import load_spec
from symtrans.model.spec_reader import read_spec

np = pytest.importorskip("numpy")

HEAD = """
name = "mine"
architecture = "multi_head_attention"
[dimensions]
d_model = 4
heads = 2
[inputs]
query = [["1", "0", "1/2", "-1"], ["0", "1", "2", "0.25"]]
y = [["0", "0", "1", "0"], ["1", "0", "0", "0"]]
[parameters]
"""
SOURCE = np.random.default_rng(5)
PACKED, BIAS, OUT = (SOURCE.normal(size=shape).astype("f4") for shape in ((12, 4), (12,), (4, 4)))


def literal(array: Any) -> str:
    """An array as a specification has it, each float the quotient of two whole numbers that it is."""
    if array.ndim:
        return "[" + ", ".join(literal(one) for one in array) + "]"
    return '"{}/{}"'.format(*float(array).as_integer_ratio())


def inline() -> str:
    """The packed parameters of PyTorch's attention, cut by hand: three matrices above each other, turned, by head."""
    lines = []
    for place, letter in enumerate("QKV"):
        rows, bias = PACKED[4 * place : 4 * place + 4], BIAS[4 * place : 4 * place + 4]
        lines.append(f"W_{letter} = {literal(np.array([rows[:2].T, rows[2:].T]))}")
        lines.append(f"b_{letter} = {literal(np.array([bias[:2], bias[2:]]))}")
    return HEAD + "\n".join([*lines, f"W_O = {literal(OUT.T)}"])


def named(file: str) -> str:
    lines = []
    for place, letter in enumerate("QKV"):
        rows = f"rows = [{4 * place + 1}, {4 * place + 4}]"
        lines.append(f'W_{letter} = {{ file = "{file}", key = "attn.in_proj_weight", {rows}, transpose = true }}')
        lines.append(f'b_{letter} = {{ file = "{file}", key = "attn.in_proj_bias", {rows} }}')
    return HEAD + "\n".join([*lines, f'W_O = {{ file = "{file}", key = "out", transpose = true }}'])


def save(path: Path, arrays: dict[str, Any]) -> None:
    if path.suffix == ".npz":
        np.savez(path, **arrays)
    else:
        pytest.importorskip("safetensors.numpy").save_file(
            {key: np.ascontiguousarray(one) for key, one in arrays.items()}, path
        )


@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_a_file_says_the_same_as_the_numbers_written_out(tmp_path: Path, ending: str) -> None:
    (tmp_path / "sub").mkdir()
    save(tmp_path / "sub" / f"w.{ending}", {"attn.in_proj_weight": PACKED, "attn.in_proj_bias": BIAS, "out": OUT})
    (tmp_path / "mine.toml").write_text(named(f"sub/w.{ending}"))
    one, other = load_spec(str(tmp_path / "mine.toml")), read_spec(inline(), "inline.toml")
    values = [
        {key: [[[c and c.value for c in row] for row in m] for m in ms] for key, ms in spec.matrices.items()}
        for spec in (one, other)
    ]
    assert values[0] == values[1]
    derived = [derive(spec, wrt=["all"]) for spec in (one, other)]
    for step in ("Z_attn", "L", "dL/dW_Q1", "dL/dW_V2", "dL/db_K2", "dL/dW_O"):
        assert derived[0][step].decimals(12) == derived[1][step].decimals(12)


def read(tmp_path: Path, line: str, arrays: dict[str, Any], file: str = "w.npz") -> Any:
    """The literals of W_O, or of what `line` gives in its place, from a specification with one line of a file."""
    if arrays:
        save(tmp_path / file, arrays)
    text = inline().replace(f"W_O = {literal(OUT.T)}", line)
    (tmp_path / "m.toml").write_text(text)
    return load_spec(str(tmp_path / "m.toml")).matrices


@pytest.mark.parametrize("ending", ["npz", "safetensors"])
@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "u1", ">f4"])
def test_every_type_of_number_is_exact(tmp_path: Path, kind: str, ending: str) -> None:
    array = (np.arange(16).reshape(4, 4) * (0.1 if "f" in kind else 7)).astype(kind)
    if ending == "safetensors":
        array = array.astype(array.dtype.newbyteorder("="))
    line = f'W_O = {{ file = "w.{ending}", key = "a" }}'
    found = read(tmp_path, line, {"a": array}, f"w.{ending}")["W_O"][0]
    assert [[cell.value for cell in row] for row in found] == [[Fraction(cell.item()) for cell in row] for row in array]


def test_bfloat16(tmp_path: Path) -> None:
    torch, files = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    tensor = torch.randn(4, 4, generator=torch.Generator().manual_seed(1)).bfloat16()
    files.save_file({"z": torch.ones(3), "a": tensor, "b": torch.ones(2).bfloat16()}, tmp_path / "w.safetensors")
    found = read(tmp_path, 'W_O = { file = "w.safetensors", key = "a" }', {})["W_O"][0]
    assert [[cell.value for cell in row] for row in found] == [[Fraction(c) for c in row] for row in tensor.tolist()]


def test_slices_count_from_one_and_come_before_the_transpose(tmp_path: Path) -> None:
    whole = np.arange(60.0).reshape(6, 10)
    line = 'W_O = { file = "w.npz", key = "a", rows = [2, 5], columns = [7, 10], transpose = true }'
    found = read(tmp_path, line, {"a": whole})["W_O"][0]
    # Row 2, columns 7 to 10 hold 16, 17, 18, 19; they become the first column.
    assert [int(row[0].value) for row in found] == [16, 17, 18, 19]
    assert [int(cell.value) for cell in found[0]] == [16, 26, 36, 46]


def test_heads_by_columns_by_an_axis_of_their_own_or_one_by_one(tmp_path: Path) -> None:
    whole = np.arange(32.0).reshape(4, 8)
    wide = "w.npz"
    text = HEAD.replace("[parameters]", "[parameters]\nb_O = ['0', '0', '0', '0']") + "\n".join(
        [
            f'W_Q = {{ file = "{wide}", key = "a", columns = [1, 4] }}',
            f'W_K = {{ file = "{wide}", key = "axis" }}',
            f'W_V = [{{ file = "{wide}", key = "a", columns = [7, 8] }}, {{ file = "{wide}", key = "one" }}]',
            f'W_O = {{ file = "{wide}", key = "square" }}',
            f'b_Q = {{ file = "{wide}", key = "b" }}',
            f'b_K = {{ file = "{wide}", key = "shared" }}',
        ]
    )
    arrays = {"a": whole, "axis": whole.reshape(2, 4, 4)[:, :, :2], "one": whole[:, :2], "square": whole[:, :4]}
    save(tmp_path / wide, arrays | {"b": np.arange(4), "shared": np.arange(2)})
    (tmp_path / "m.toml").write_text(text)
    found = {
        key: [[[int(c.value) for c in row] for row in one] for one in ms]
        for key, ms in load_spec(str(tmp_path / "m.toml")).matrices.items()
        if key[0] in "Wb"
    }
    assert found["W_Q"] == [[[0, 1], [8, 9], [16, 17], [24, 25]], [[2, 3], [10, 11], [18, 19], [26, 27]]]
    assert found["W_K"][1][0] == [16, 17]
    assert found["W_V"] == [[[6, 7], [14, 15], [22, 23], [30, 31]], [[0, 1], [8, 9], [16, 17], [24, 25]]]
    assert found["b_Q"] == [[[0], [1]], [[2], [3]]]
    assert found["b_K"] == [[[0], [1]]]


NAN = np.array([[1, 2, 3, 4]] * 3 + [[1, 2, np.nan, 4]])
BAD = {
    "a": OUT,
    "small": OUT[:2],
    "flags": OUT > 0,
    "words": np.array([["a"] * 4] * 4),
    "nan": NAN,
    "cube": np.zeros((2, 2, 4)),
    "complex": OUT * 1j,
    "wide": OUT.astype(np.longdouble),
}


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ('file = "w.npz"', 'W_O.key: is missing; weights are named as { file = "weights.npz", key = "W_1" }'),
        ('key = "a"', "W_O.file: is missing; weights are named as"),
        ('file = 3, key = "a"', "W_O.file: is 3; weights are named as"),
        ('file = "w.npz", key = "a", turn = true', "W_O.turn: is not a key of a specification; the keys here are file"),
        ('file = "v.npz", key = "a"', 'W_O.file: is "v.npz", which is no file there; the file\'s name is expected'),
        ('file = "m.toml", key = "a"', 'W_O.file: is "m.toml"; a file that ends in .npz or .safetensors is expected'),
        ('file = "../w.npz", key = "a"', 'W_O.file: is "../w.npz"; a file beside the specification or below it is exp'),
        ('file = "link.npz", key = "a"', 'W_O.file: is "link.npz"; a file beside the specification or below it is'),
        ('file = "/etc/passwd", key = "a"', 'W_O.file: is "/etc/passwd"; a file beside the specification or below it'),
        ('file = "a\\u0000.npz", key = "a"', "W_O.file: is "),
        (
            'file = "w.npz", key = "other"',
            'W_O.key: "other" in w.npz is not there; there are a, small, flags',
        ),
        ('file = "w.npz", key = "smalls"', 'W_O.key: "smalls" in w.npz is not there; did you mean small?'),
        ('file = "w.npz", key = "small"', "W_O: is 2×4; 4×4 is expected (heads*d_v × d_model, where heads = 2"),
        ('file = "w.npz", key = "flags"', 'W_O: "flags" in w.npz holds bool; floats or integers up to 64 bits are re'),
        ('file = "w.npz", key = "words"', 'W_O: "words" in w.npz holds <U1; floats or integers up to 64 bits'),
        ('file = "w.npz", key = "complex"', '"complex" in w.npz holds complex64; floats or integers up to 64 bits'),
        ('file = "w.npz", key = "wide"', '"wide" in w.npz holds float128; floats or integers up to 64 bits are read'),
        ('file = "w.npz", key = "nan"', "W_O[4][3]: nan is no finite number; a finite float is expected"),
        ('file = "w.npz", key = "cube"', "W_O: is a list of matrices; one matrix is expected"),
        ('file = "w.npz", key = "objects"', 'W_O: "objects" in w.npz is no array of numbers (Object arrays cannot be'),
        ('file = "w.npz", key = "a", rows = [0, 2]', 'W_O.rows: is [0, 2] for "a" in w.npz; the first and the last'),
        ('file = "w.npz", key = "a", rows = [3, 2]', 'W_O.rows: is [3, 2] for "a" in w.npz; the first and the last'),
        ('file = "w.npz", key = "a", columns = [1, 9]', "the first and the last of its 4 columns are expected"),
        ('file = "w.npz", key = "a", columns = 2', 'W_O.columns: is 2 for "a" in w.npz; the first and the last of'),
        ('file = "w.npz", key = "a", transpose = 1', "W_O.transpose: is 1; true or false is expected"),
        ('file = "w.npz", key = "cube", transpose = true', 'W_O.transpose: "cube" in w.npz has 3 axes; a matrix is'),
        ('file = "broken.npz", key = "a"', 'W_O: "a" in broken.npz is not read as .npz (File is not a zip file)'),
        ('file = "broken.safetensors", key = "a"', 'W_O: "a" in broken.safetensors is not read as .safetensors'),
    ],
)
def test_faults(tmp_path: Path, table: str, sentence: str) -> None:
    if "float128" in sentence and np.dtype(np.longdouble).itemsize == 8:
        pytest.skip("a long double is a double here")
    inside = tmp_path / "inside"
    inside.mkdir()
    save(tmp_path / "w.npz", {"a": OUT})
    os.symlink(tmp_path / "w.npz", inside / "link.npz")
    np.savez(inside / "w.npz", **BAD, objects=np.array([[object()]]))
    for name in ("broken.npz", "broken.safetensors"):
        (inside / name).write_bytes(b"\xff" * 64)
    with pytest.raises(SpecError) as fault:
        read(inside, f"W_O = {{ {table} }}", {})
    assert sentence in str(fault.value)
    assert str(fault.value).startswith(f"{inside / 'm.toml'}: parameters.W_O")
    assert "\n" not in str(fault.value)


def test_only_weights_are_in_files(tmp_path: Path) -> None:
    save(tmp_path / "w.npz", {"a": OUT})
    text = inline().replace("[parameters]", 'padding = { file = "w.npz", key = "a" }\n[parameters]')
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(SpecError, match=r"inputs.padding: is a table; flags are written in the specification itself"):
        load_spec(str(tmp_path / "m.toml"))


def test_a_text_that_is_no_file_has_no_weights() -> None:
    with pytest.raises(SpecError, match=r"m: parameters.W_Q: names the file w.npz; weights are read only by a specif"):
        read_spec(named("w.npz"), "m")


def test_caps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = 'W_O = { file = "w.npz", key = "a" }'
    monkeypatch.setattr(weights_module, "MAX_ENTRIES", 15)
    monkeypatch.setattr(weights_module, "MOST", 15)
    with pytest.raises(SpecError, match=r'"a" in w.npz has 16 entries; at most 15 are read'):
        read(tmp_path, line, {"a": OUT})
    monkeypatch.setattr(weight_format, "MAX_ARRAY_BYTES", 100)
    with pytest.raises(SpecError, match=r'"a" in w.npz takes 192 bytes; at most 100 are read; an array'):
        read(tmp_path, line, {"a": OUT})
    monkeypatch.setattr(weights_module, "MAX_FILE_BYTES", 100)
    with pytest.raises(SpecError, match=r"W_O.file: w.npz has \d+ bytes; at most 100 are read"):
        read(tmp_path, line, {"a": OUT})


def test_an_array_that_claims_to_be_larger_than_its_file(tmp_path: Path) -> None:
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 4), }"
    content = b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little") + header.encode() + b"\n" + b"\0" * 64
    with zipfile.ZipFile(tmp_path / "w.npz", "w") as archive:
        archive.writestr("a.npy", content)
    with pytest.raises(SpecError, match=r'W_O: "a" in w.npz '):
        read(tmp_path, 'W_O = { file = "w.npz", key = "a" }', {})


@pytest.mark.parametrize("library", ["numpy", "safetensors"])
def test_a_library_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    file = {"numpy": "w.npz", "safetensors": "w.safetensors"}[library]
    save(tmp_path / file, {"a": OUT})
    missing = "numpy.lib" if library == "numpy" else library
    monkeypatch.setitem(__import__("sys").modules, missing, None)
    with pytest.raises(SpecError, match=rf"needs {library}, which is not installed; `pip install symtrans\[weights\]`"):
        read(tmp_path, f'W_O = {{ file = "{file}", key = "a" }}', {})


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_is_one_sentence(tmp_path: Path, data: st.DataObject) -> None:
    ending = data.draw(st.sampled_from(["npz", "safetensors"]))
    file = tmp_path / f"w.{ending}"
    save(file, {"a": OUT})
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    told = ""
    try:
        read(tmp_path, f'W_O = {{ file = "w.{ending}", key = "a" }}', {})
    except SymtransError as fault:
        told = str(fault)
    assert "\n" not in told


@given(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False) | st.integers(-(2**63), 2**64))
def test_a_dyadic_number_reads_back_as_itself(value: float) -> None:
    written = dyadic(value)
    assert written.value == Fraction(value)
    assert type(written).parse(written.text) == written
    assert len(written.text) <= 400
