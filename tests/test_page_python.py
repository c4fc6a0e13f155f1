"""The NumPy script of a derivation: it runs as it stands, agrees, says where not, and is the same every time."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symtrans import derive
from symtrans.cli.page_file import page_file
from symtrans.derive.derivation import Derivation
from symtrans.errors import UsageError
from symtrans.page.identifiers import identifiers
from symtrans.page.page_writer import page_writer
from symtrans.page.source_lines import WIDTH, assignment, comment, matrix
from symtrans.page.telling import tell

SOFTMAX, ROOT = {"weights": "softmax"}, {"scale": "sqrt"}


def script(derivation: Derivation, language: str = "en") -> str:
    return page_writer("python").write(tell(derivation, "array", language), derivation)


def ran(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The script run by itself, where no package of ours can be found; a warning is an error."""
    path = folder / "check.py"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(path)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"PYTHONUTF8": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


def compared(derivation: Derivation) -> int:
    """How many steps there are to compare: those that are computed and have a line of their own."""
    return sum(step.op is not None and not step.silent for step in derivation.told_steps())


VARIANTS = [
    ("handcalc", {}, []),
    ("handcalc", {}, ["all"]),
    ("handcalc", ROOT, ["all"]),
    ("handcalc", SOFTMAX, []),
    ("handcalc", SOFTMAX, ["all"]),
    ("handcalc", SOFTMAX | ROOT, ["all"]),
    ("encoder-decoder", {}, ["all"]),
    ("bert", {}, ["all"]),
    ("llama", {}, []),
]


@pytest.mark.parametrize(("example", "settings", "wrt"), VARIANTS)
def test_the_script_agrees_with_the_derivation(
    example: str, settings: dict[str, str], wrt: list[str], tmp_path: Path
) -> None:
    derivation = derive(example, settings=settings, wrt=wrt)
    text = script(derivation)
    done = ran(text, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{compared(derivation)} steps agree with the derivation\n"
    assert text == script(derive(example, settings=settings, wrt=wrt))
    style = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "E,F,I", "check.py"]
    found = subprocess.run(style, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_a_slice_brings_what_it_needs(tmp_path: Path) -> None:
    head = ran(script(derive("handcalc", settings=SOFTMAX, head=2)), tmp_path)
    assert (head.returncode, head.stdout) == (0, "7 steps agree with the derivation\n")  # e, Q, K, V, S, A, H
    part = script(derive("handcalc", settings=SOFTMAX, wrt=["W_Q1"], parts=["backward"]))
    assert "\ny_hat = C @ W_O\n" in part
    assert ran(part, tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("right", "wrong", "step"),
    [
        ('check("L", L, 25.9371026351)', 'check("L", L, 25.9371026352)', None),
        ('check("L", L, 25.9371026351)', 'check("L", L, 25.9371036351)', "L"),
        ("[[11.92, 26.16], [25.84, 56.72]]", "[[11.92, 26.16], [25.84, 56.73]]", "S_1"),
        ("[[11.92, 26.16], [25.84, 56.72]]", "[[11.92, 26.16]]", "S_1"),
        ("Z_1 = S_1 / np.sqrt(4)", "Z_1 = S_1 / np.sqrt(3)", "Z_1"),
        ("-3.06550880074e-6, 3.0655", "-3.06650880074e-6, 3.0655", "dL/dZ_1"),
        ("dL_dW_Q1 = e.T @", "dL_dW_Q1 = e @", "dL/dW_Q1"),
    ],
)
def test_what_is_changed_is_named(right: str, wrong: str, step: str | None, tmp_path: Path) -> None:
    text = script(derive("handcalc", settings=SOFTMAX | ROOT, wrt=["all"]))
    assert right in text
    done = ran(text.replace(right, wrong, 1), tmp_path)
    if step is None:  # within what floating point leaves
        assert done.returncode == 0
        return
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == f"{step} differs from the derivation:"
    assert "Traceback" not in done.stderr


def test_it_reads_as_a_person_writes_it() -> None:
    text = script(derive("handcalc", settings=SOFTMAX | ROOT, wrt=["all"]))
    for line in (
        "# --- Forward pass",
        "# Attention weights",
        "x = np.array([[1, 2], [3, 4]], dtype=float)",
        "Q_1 = e @ W_Q1",
        "S_1 = Q_1 @ K_1.T",
        "A_1 = softmax(Z_1)",
        "C = np.hstack([H_1, H_2, H_3])",
        "L = 1 / 2 * np.sum((y_hat - y) ** 2)",
        "dL_dW_O = C.T @ dL_dy_hat",
        "dL_dH_2 = dL_dC[:, 4:8]",
        "dL_dZ_1 = A_1 * (dL_dA_1 - (A_1 * dL_dA_1).sum(axis=1, keepdims=True))",
        "eta = 0.1",
        "y_hat_new = y_hat - eta * dL_dy_hat",
    ):
        assert f"\n{line}\n" in text
    assert text.count("# --- ") == 5
    assert ast.get_docstring(ast.parse(text))


def test_a_mask_and_long_ids() -> None:
    text = script(derive("gpt"))
    assert "M = np.array([[0, -np.inf, -np.inf], [0, 0, -np.inf], [0, 0, 0]], dtype=float)\n" in text
    assert "dtype=float)  # enc1.W_Q1\n" in script(derive("bert"))


def test_chinese_comments(tmp_path: Path) -> None:
    text = script(derive("handcalc"), "zh")
    assert "\n# --- 前向传播\n" in text
    done = ran(text, tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{compared(derive('handcalc'))} 个步骤与推导一致\n")


SPEC = """schema = 1
name = "small"
architecture = "attention"
[title]
en = {title}
[dimensions]
positions = 1
d_in = 1
d_model = 1
d_k = 1
d_v = 1
heads = 1
d_out = 1
[inputs]
x = [["{x}"]]
y = [["1/3"]]
[parameters]
W_emb = [["1/7"]]
W_Q = [[".5"]]
W_K = [["-2."]]
W_V = [["+1e-3"]]
W_O = [["007"]]
[loss]
kind = "half_sum_of_squares"
"""


def test_numbers_as_a_specification_writes_them_and_a_hostile_title(tmp_path: Path) -> None:
    spec = tmp_path / "small.toml"
    title = r'"\"\"\" + 1/0 \\N{x} import this \\"'
    spec.write_text(SPEC.format(x="1", title=title), encoding="utf-8")
    text = script(derive(str(spec), wrt=["all"]))
    for value in ("y = np.array([[1 / 3]]", "W_Q = np.array([[.5]]", "W_O = np.array([[7]]", "W_V = np.array([[1e-3]]"):
        assert value in text
    assert isinstance(ast.parse(text).body[0], ast.Expr)
    assert ran(text, tmp_path).returncode == 0


def test_a_number_beyond_floating_point_is_told(tmp_path: Path) -> None:
    spec = tmp_path / "small.toml"
    spec.write_text(SPEC.format(x="1e200", title='"t"'), encoding="utf-8")
    with pytest.raises(UsageError, match=r"^[A-Z]_1 has a number beyond 1e300"):
        script(derive(str(spec)))


def test_the_ending_tells_the_format() -> None:
    assert page_file(None, "check.py", False, False).name == "python"


def test_identifiers_are_valid_unique_and_close_to_the_ids() -> None:
    ids = [
        "Q_1",
        "dL/dy_hat",
        "dL/denc1.W_Q1 via enc1.Q_1",
        "a.b",
        "a/b",
        "lambda",
        "np",
        "1x",
        "²",
        "O",
        "ŷ",
        "ﬁ",
        "fi",
    ]
    assert list(identifiers(ids, ["np"]).values()) == [
        "Q_1",
        "dL_dy_hat",
        "dL_denc1_W_Q1_via_enc1_Q_1",
        "a_b",
        "a_b_2",
        "lambda_",
        "np_",
        "step_1x",
        "step_2",
        "O_",
        "ŷ",
        "fi",
        "fi_2",
    ]


def test_long_lines_are_broken_inside_brackets() -> None:
    terms = [f"quantity_{number}" for number in range(20)]
    for text in (" + ".join(terms), f"np.hstack([{', '.join(terms)}])", f"({' * '.join(terms)}) ** 2"):
        broken = assignment("total", text)
        assert max(len(line) for line in broken.splitlines()) <= WIDTH
        assert ast.dump(ast.parse(broken)) == ast.dump(ast.parse(f"total = {text}"))
    row = ["1.25"] * 40
    broken = matrix([row, row], "x = f(", ")")
    assert max(len(line) for line in broken.splitlines()) <= WIDTH
    assert ast.dump(ast.parse(broken)) == ast.dump(ast.parse(f"x = f([[{', '.join(row)}], [{', '.join(row)}]])"))
    assert comment("one\ntwo\u2028three") == "# one two three"
