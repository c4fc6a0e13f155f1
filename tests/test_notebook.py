"""Notebooks: valid, the same each time, with outputs that their cells give again; faces and cell magics."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

import symtrans
from symtrans.check.judge import judge
from symtrans.cli.main import main
from symtrans.derive.optimizer import Optimizer
from symtrans.derive.training import train
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.errors import LimitError, UsageError
from symtrans.model.load import load_spec

nbformat = pytest.importorskip("nbformat")
shells = pytest.importorskip("IPython.core.interactiveshell")
ROOT = Path(__file__).resolve().parent.parent
TOML = (ROOT / "symtrans" / "model" / "examples" / "encoder.toml").read_text("utf-8").replace('"encoder"', '"mine"', 1)
VARIANTS: dict[str, list[str]] = {
    "bundled": ["--set", "weights=softmax", "--head", "1", "--numbers", "fraction", "--language", "zh"],
    "own": ["own.toml", "--part", "inputs", "--part", "forward", "--digits", "9", "--dialect", "ams"],
    "files": ["files.toml", "--symbolic", "--part", "forward"],
}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text(TOML.replace("\n", "\r\n"), "utf-8", newline="")
    import numpy as np

    np.savez("w.npz", W=np.eye(2))
    Path("files.toml").write_text(
        'name = "files"\narchitecture = "multi_head_attention"\n[dimensions]\nd_model = 2\nheads = 1\n'
        '[inputs]\nquery = [["1", "2"], ["3", "4"]]\n[parameters]\n'
        + "".join(f'W_{k} = {{ file = "w.npz", key = "W" }}\n' for k in "QKVO"),
        "utf-8",
    )


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["derive", *arguments])


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_notebook_is_valid_and_its_cells_give_what_it_shows(variant: str) -> None:
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    result = run(*VARIANTS[variant], "-o", "a.ipynb")
    assert (result.exit_code, result.output) == (0, "")
    written = nbformat.read("a.ipynb", 4)
    nbformat.validate(written)
    carried_out = deepcopy(written)
    nbclient.NotebookClient(carried_out, timeout=120).execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    cells = [cell for cell in written.cells if cell.cell_type == "code"]
    again = [cell for cell in carried_out.cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in again] == [cell.outputs for cell in cells]
    assert [cell.execution_count for cell in again] == list(range(1, len(cells) + 1))
    shown = [output["data"] for cell in cells for output in cell.outputs]
    assert len(shown) >= 5
    assert all(data["text/html"].count("<math") == 1 for data in shown)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_notebook_is_the_same_each_time_and_holds(variant: str) -> None:
    first, second = (run(*VARIANTS[variant], "--format", "notebook").stdout for _ in range(2))
    assert first == second
    ids = [cell["id"] for cell in json.loads(first)["cells"]]
    assert len(set(ids)) == len(ids)
    report = judge(read(Source("a.ipynb", first)))
    assert [link for link in report.links if link.is_failure or link.verdict == "UNREADABLE"] == []
    assert report.coverage.checked >= 8


def test_the_first_cell_says_all_that_was_asked_for() -> None:
    cells = json.loads(run(*VARIANTS["bundled"], "--format", "notebook").stdout)["cells"]
    assert "".join(cells[1]["source"]).splitlines()[-2:] == [
        'example = symtrans.load("handcalc")',
        "derivation = example.derive(settings={'weights': 'softmax'}, head=1, "
        "style=Style(numbers='fraction', digits=6, full=False))",
    ]
    assert 'example = symtrans.load("files.toml")' in "".join(
        json.loads(run(*VARIANTS["files"], "--format", "notebook").stdout)["cells"][1]["source"]
    ).replace("'", '"')


@pytest.mark.parametrize("ending", ["", "'", "\\", "\n# '''\n"])
def test_any_toml_comes_back_from_its_cell(ending: str) -> None:
    from symtrans.page.rederiving import code

    text = TOML.rstrip() + (f"\n# end{ending}" if ending else "")
    example = symtrans.loads(text)
    names: dict[str, Any] = {}
    source = code(example.derive()).replace("symtrans.loads(", "keep(").rsplit("\n", 1)[0]
    program = f"import json\ndef keep(text): print(json.dumps(text))\n{source}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    names = json.loads(done.stdout)
    assert str(names).strip() == text.strip()


def test_an_example_brings_no_html_and_no_link_into_markdown() -> None:
    hostile = "<img src=x onerror=alert(1)> [a](javascript:alert(2)) $1<script>2$"
    text = load_spec("handcalc").text.replace("A simple Transformer worked out by hand", hostile)
    text = re.sub(r'(?m)^(\[notes.W_O\]\nen = )".*"$', lambda m: f'{m[1]}"{hostile}"', text)
    told = symtrans.loads(text).derive(parts=["inputs"])._repr_mimebundle_()["text/markdown"]
    assert told.count("&lt;img src=x onerror=alert(1)> [a]&#40;javascript:alert(2))") == 2
    assert r"$1\lt script>2$" in told
    assert "<" not in told
    assert "](" not in told


def test_what_was_made_in_python_has_no_notebook() -> None:
    from dataclasses import replace

    from symtrans.derive.derivation import derive
    from symtrans.page.rederiving import code

    with pytest.raises(UsageError, match="made in Python"):
        code(derive(replace(load_spec("handcalc"), text="")))


def test_without_nbformat_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nbformat", None)
    result = run("-o", "a.ipynb")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "pip install nbformat" in result.stderr
    assert not Path("a.ipynb").exists()


def test_faces() -> None:
    derivation = symtrans.load("handcalc").derive(head=1)
    step = derivation["K_1"]
    assert step._repr_mimebundle_() == {"text/html": step._repr_html_(), "text/latex": step._repr_latex_()}
    assert str(step._repr_latex_()).endswith(
        r"\left[\begin{array}{cccc}1.4& 1.7& 2.0& 2.3\\ 3.0& 3.7& 4.4& 5.1\end{array}\right]$$"
    )
    bundle = derivation._repr_mimebundle_()
    assert bundle["text/markdown"] == run("--head", "1", "--no-save").stdout
    assert bundle["text/latex"].count("$$") == 2 * len(derivation.lines())
    assert derivation._repr_mimebundle_(include=["text/latex"]).keys() == {"text/latex"}
    assert derivation._repr_mimebundle_(exclude=["text/latex"]).keys() == {"text/html", "text/markdown"}
    training = train(load_spec("handcalc"), Optimizer.of("sgd", "0.001", {}), 1, only=["W_O"])
    assert str(training._repr_markdown_()).splitlines()[2] == "| 0 | 0.001 | 12.63 |"
    cells = [[cell_text(cell) for cell in row] for row in html(training).iter("tr")]
    assert cells == [["Updates", "Learning rate", "Loss"], ["0", "0.001", "12.63"], ["1", "", "6.56042"]]


def html(shown: Any) -> ElementTree.Element:
    """The bundle's HTML, which must be well-formed, and load and run nothing."""
    text = shown._repr_mimebundle_()["text/html"]
    assert not re.search(r"<script|<style|<link|<img|href=|src=|url\(|http|\son\w+=", text)
    return ElementTree.fromstring(f"<div>{text}</div>")


def cell_text(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


def matrices(element: ElementTree.Element) -> list[list[list[str]]]:
    return [[[cell_text(cell) for cell in row] for row in table] for table in element.iter("mtable")]


def test_a_step_is_one_formula_of_mathml() -> None:
    root = html(symtrans.load("handcalc").derive(head=1)["K_1"])
    (formula,) = root.iter("math")
    assert matrices(formula) == [[["1.4", "1.7", "2.0", "2.3"], ["3.0", "3.7", "4.4", "5.1"]]]
    assert cell_text(formula).startswith("𝐊1=[")


def test_a_derivation_is_a_line_for_each_formula() -> None:
    derivation = symtrans.load("handcalc").derive()
    root = html(derivation)
    lines = [cell_text(formula) for formula in root.iter("math")]
    assert len(lines) == len(derivation.lines("ams"))
    assert [cell_text(one) for one in root.iter("p")] == [
        "A simple Transformer worked out by hand",
        "Inputs and parameters",
        "Forward pass",
        "Loss",
        "Backward pass",
        "Update",
    ]
    (scores,) = [formula for formula in root.iter("math") if cell_text(formula).startswith("Attention Scores1=")]
    assert cell_text(scores).startswith("Attention Scores1=𝐐1𝐊1⊤=")
    assert matrices(scores) == [[["11.92", "26.16"], ["25.84", "56.72"]]]  # the numbers put in are left out
    assert len(str(derivation._repr_html_())) < 15_000


def test_a_long_derivation_says_how_much_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symtrans.page.faces.derivation.MOST_LINES", 9)
    derivation = symtrans.load("handcalc").derive()
    root = html(derivation)
    assert len(list(root.iter("math"))) == 9
    assert cell_text(list(root)[-1]) == f"and {len(derivation.lines('ams')) - 9} more lines"


def test_a_very_small_loss_is_a_power_of_ten() -> None:
    from symtrans.page.faces.training import _number

    class Small:
        def decimals(self, digits: int) -> list[list[str]]:
            return [["6.54103e-07"]]

    (power,) = ElementTree.fromstring(_number(Small(), 6)).iter("msup")  # type: ignore[arg-type]
    assert cell_text(power) == "10−7"


def test_a_report_marks_wrong_entries_in_mathml() -> None:
    left, right = r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", r"\begin{bmatrix}0.2&0.3\\0.6&0.7\end{bmatrix}"
    report = symtrans.verify(
        f"$$K={left}{right}=\\begin{{bmatrix}}1.4&1.7\\\\3.2&3.7\\end{{bmatrix}}$$ $$a<script>=1$$"
    )
    root = html(report)
    marked = [cell_text(cell) for cell in root.iter("mtd") if "background" in cell.get("style", "")]
    assert marked == ["3.2"]
    assert "entry (2, 1) is 3.2, right is 3" in cell_text(root)


def test_a_document_is_verified_from_python() -> None:
    report = symtrans.verify("$$1+1=3$$\n\n$$2\\cdot 3=6$$\n\n$$x<y$$")
    assert report.fails
    assert {key: report.verdicts[key] for key in ("FAILS", "HOLDS")} == {"FAILS": 1, "HOLDS": 1}
    assert next((link.code, link.line) for link in report.findings) == ("ST101", 1)
    assert report.coverage.formulas == 3
    assert "1+1=3does not hold; stated is 3, right is 2" in cell_text(html(report))
    assert "`ST101`" in str(report._repr_markdown_())
    assert str(report).startswith("<text>:1:6: ST101")
    assert list(html(symtrans.verify("$$x<y=1$$")).iter("math"))


def test_a_file_is_verified_and_mended_without_being_changed() -> None:
    Path("notes.md").write_text("$$1+1=3$$\n")
    for place in ("notes.md", Path("notes.md")):
        assert symtrans.verify(place).fails
    assert symtrans.verify("notes.md", mend=True).mended == "$$1+1=2$$\n"
    assert Path("notes.md").read_text() == "$$1+1=3$$\n"
    assert not symtrans.verify("1+1=2").fails
    with pytest.raises(UsageError, match=r"nosuch\.md does not exist"):
        symtrans.verify("nosuch.md")


def test_a_judge_that_dies_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from symtrans.check import apart

    monkeypatch.setattr(apart, "PROGRAM", "import os; os._exit(3)")
    with pytest.raises(LimitError, match="ended with code 3"):
        symtrans.verify("$1+1=2$")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    made = shells.InteractiveShell.instance()
    made.history_manager.enabled = False
    made.run_line_magic("load_ext", "symtrans")
    yield made
    shells.InteractiveShell.clear_instance()


def test_magics(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    solution = shell.run_cell(f"%%symtrans derive --part forward --language zh\n{TOML}").result
    assert solution["Q_1"].shape == solution.derivation["Q_1"].shape
    assert solution._repr_markdown_() == run("own.toml", "--part", "forward", "--language", "zh", "--no-save").stdout
    assert repr(shell.run_cell("%symtrans derive gpt --part loss").result) == "<solution of gpt>"
    report = shell.run_cell("%%symtrans verify --language zh\nnotes.md\n$$1+1=3$$").result
    assert (report.fails, report.language) == (True, "zh")
    assert shell.run_cell("%symtrans verify own.toml").result.verdicts is not None
    capsys.readouterr()
    assert shell.run_cell("%symtrans derive --help").result is None
    assert "Usage: %%symtrans derive" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("%symtrans", "%%symtrans : is no command here; there are derive and verify"),
        ("%symtrans derive nosuch", "nosuch: no example or file of this name"),
        ("%symtrans derive -o x.md", "-o: is for the command line, and not for a cell"),
        ("%symtrans derive --head x", "Invalid value for '--head': 'x' is not a valid integer."),
        ("%symtrans derive 'x", "a quotation mark is not closed"),
        ("%symtrans verify a.md b.md", "the cell is the document, or one file"),
        ("%%symtrans derive gpt\nname = 1", "gpt: the cell is the example; leave one of them out"),
        ("%%symtrans derive\nname = 1", "the text: "),
    ],
)
def test_a_wrong_cell_is_one_sentence(shell: Any, cell: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert not shell.run_cell(cell).success
    told = capsys.readouterr()
    assert sentence in told.err
    assert "Traceback" not in told.err + told.out
