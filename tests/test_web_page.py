"""The web page without a browser: its structure, its formulas, its data, and that a stranger's text stays text."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from symtrans.cli.main import main
from symtrans.derive.derivation import Derivation, derive
from symtrans.derive.numerals import Style
from symtrans.model.load import load_spec
from symtrans.page.page_writer import page_writer
from symtrans.page.story import Table
from symtrans.page.telling import tell
from symtrans.page.web.mathml import markup, mathml
from symtrans.page.web.origins import FIRST
from symtrans.page.web.plot import plot
from symtrans.page.web.steps import Steps

VOID = {"meta", "link", "br", "hr", "img", "input"}
EXAMPLES = ("handcalc", "encoder", "gpt", "llama", "bert", "encoder-decoder")


class Reader(HTMLParser):
    """Reads a page and notes what the tests ask for; every tag must be closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.addresses: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a":
            self.links.append(str(given["href"]))
        self.addresses += [str(value) for name, value in attrs if name in ("src", "href", "action", "data")]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of_derivation(derivation: Derivation, dialect: str) -> str:
    told = partial(tell, derivation, dialect)
    return page_writer("html").page(told("en"), told, derivation)


def page_of(example: str, **options: Any) -> str:
    derivation = derive(example, **options)
    return page_of_derivation(derivation, "array")


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done.output


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="_data">(.*?)</script>', html, re.S)
    assert found is not None
    assert "<" not in found[1]
    data: dict[str, Any] = json.loads(found[1])
    return data


def formulas_of(html: str) -> Iterator[ET.Element]:
    for found in re.findall(r"<math>.*?</math>", html.partition("<main")[2].partition("</main>")[0]):
        yield ET.fromstring(found)


@pytest.mark.parametrize("example", ["handcalc", "bert", "encoder-decoder"])
def test_a_page_is_whole_and_its_links_lead_somewhere(example: str) -> None:
    html = page_of(example)
    page = Reader(html)
    assert len(page.ids) == len(set(page.ids))
    assert page.links
    assert {link for link in page.links if link[1:] not in page.ids} == set()
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    # A heading is at most one level below the one before it.
    assert all(after <= before + 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
    assert {link for link in page.addresses if not link.startswith("#")} == set()
    assert "http" not in html.replace("http-equiv", "")
    assert sum(1 for _ in formulas_of(html)) > 50


def test_the_same_page_comes_out_twice() -> None:
    options = {"settings": {"weights": "softmax"}, "wrt": ["all"]}
    assert page_of("handcalc", **options) == page_of("handcalc", **options)


@pytest.mark.parametrize("dialect", ["array", "ams"])
def test_every_marked_cell_is_the_entry_that_the_data_has_for_it(dialect: str) -> None:
    for example, wrt in (("handcalc", ["W_Q1", "W_O"]), ("llama", ["W_up"])):
        derivation = derive(example, wrt=wrt)
        html = page_of_derivation(derivation, dialect)
        data, compared = data_of(html), 0
        for formula in formulas_of(html):
            for table in formula.iter("mtable"):
                if table.get("data-s") is None:
                    continue
                step = data["steps"][int(str(table.get("data-s")))]
                rows = [list(row) for row in table]
                if table.get("data-t"):
                    rows = [list(row) for row in zip(*rows, strict=True)]
                assert len(rows[0]) == step["c"]
                assert sum(map(len, rows)) == len(step["d"])
                for cell, told in zip([cell for row in rows for cell in row], step["d"], strict=True):
                    text = "".join(cell.itertext()).replace("−", "-")
                    if re.fullmatch(r"-?\d+(\.\d+)?", text):
                        assert Fraction(text) == Fraction(told.lstrip("≈")), (step["id"], text, told)
                        compared += 1
        assert compared > 100


def rule_value(text: str, values: list[float]) -> float:
    """A template's value with numbers for its place holders, computed in another way: by Python itself."""
    known = {
        "e": math.e,
        "pi": math.pi,
        "sqrt": math.sqrt,
        "log": math.log,
        "tanh": math.tanh,
        "sin": math.sin,
        "cos": math.cos,
        "erf": math.erf,
        "max": max,
        "positive": lambda x: float(x > 0),
        "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    }
    text = re.sub(r"√([^(]|10000)", r"sqrt(\1)", text).replace("√(", "sqrt(").replace("π", "pi")
    text = text.translate({ord("·"): "*", ord("−"): "-", ord("^"): "**", ord("["): "(", ord("]"): ")"})
    text = "".join(f"({values[ord(c) - FIRST]!r})" if ord(c) >= FIRST else c for c in text)
    return float(eval(text, {"__builtins__": {}}, known))


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_rule_gives_the_value_of_its_step(example: str) -> None:
    derivation = derive(example, wrt=["all"], style=Style("decimal", 15))
    data = Steps(tell(derivation), derivation).data()
    numbers = [[float(text.lstrip("≈")) for text in step["d"]] for step in data["steps"]]
    proven = 0
    for number, step in enumerate(data["steps"]):
        texts = data["templates"][step["t"]] if "t" in step else []
        held = [value for operand in step.get("o", ()) for value in numbers[operand]]
        for text, value in zip(texts, numbers[number], strict=bool(texts)):
            if math.inf not in map(abs, [*held, value]) and not text.startswith("!"):
                assert math.isclose(rule_value(text, held), value, rel_tol=1e-9, abs_tol=1e-12), (step["id"], text)
                proven += 1
    assert proven > 30


def test_the_rule_of_a_product_is_the_sum_that_one_writes_by_hand() -> None:
    derivation = derive("handcalc")
    data = Steps(tell(derivation), derivation).data()
    step = next(step for step in data["steps"] if step["id"] == "Q_1")
    held = [text for operand in step["o"] for text in data["steps"][operand]["d"]]
    text = data["templates"][step["t"]][6]
    assert "".join(held[ord(c) - FIRST] if ord(c) >= FIRST else c for c in text) == "3·0.3 + 4·0.7"
    assert (step["d"][6], step["x"][6], step["c"]) == ("3.7", "37/10", 4)


def test_names_and_backward_steps_lead_to_what_they_name() -> None:
    html = page_of("encoder")
    ids = [step["id"] for step in data_of(html)["steps"]]
    # dL/dW_2 = F^T dL/dF_out: the line names its operands, and says whose gradient it is.
    line = re.search(r'<div class="line" id="dL/dW_2".*?\n', html)
    assert line is not None
    named = {ids[int(number)] for number in re.findall(r'data-n="(\d+)"', line[0])}
    assert {"dL/dW_2", "F"} <= named
    assert '<a class="of" href="#W_2">' in line[0]


def test_a_head_that_repeats_another_is_no_second_heat_map() -> None:
    html = page_of("handcalc", settings={"weights": "softmax"})
    figures = re.findall(r'<figure class="heat".*?</figure>', html, re.S)
    assert len(figures) == 1
    # softmax of (11.92, 26.16): the first position's weights, to three digits.
    assert re.findall(r'<td class="w(\d+)">([^<]*)', figures[0])[:2] == [("0", "6.54e-7"), ("10", "1.00")]


def test_a_page_that_would_be_too_large_says_what_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = page_of("handcalc")
    monkeypatch.setattr("symtrans.page.web.solution.LARGEST", 1000)
    small = page_of("handcalc")
    Reader(small)
    assert data_of(small)["steps"] == []
    assert "data-s=" not in small.partition("<main")[2].partition("</main>")[0]
    assert "--head" in small
    assert len(small) < len(whole)


def test_a_matrix_that_is_shown_in_part_answers_for_no_entry(tmp_path: Path) -> None:
    ones = ", ".join(f'["{place}"]' for place in range(14))
    example = tmp_path / "long.toml"
    example.write_text(
        'schema = 1\nname = "long"\narchitecture = "attention"\n[title]\nen = "Long"\n[dimensions]\npositions = 14\n'
        "d_in = 1\nd_model = 1\nd_k = 1\nd_v = 1\nheads = 1\nd_out = 1\n[inputs]\n"
        f"x = [{ones}]\ny = [{ones}]\n[parameters]\n"
        'W_emb = [["1"]]\nW_Q = [["2"]]\nW_K = [["1"]]\nW_V = [["1"]]\nW_O = [["1"]]\n',
        encoding="utf-8",
    )
    html = page_of(str(example), settings={"weights": "uniform"})
    Reader(html)
    tables = [(t.get("data-s"), len(t), len(t[0])) for f in formulas_of(html) for t in f.iter("mtable")]
    assert {rows for number, rows, _ in tables if number is not None} == {1}  # the weights; all else has 14 rows
    assert max(rows for _, rows, _ in tables) < 14
    assert len(data_of(html)["steps"]) > 5


HOSTILE = "</title></script x></script><!--<script y><script>alert(1)</script><img src=x onerror=alert(2)>&lt;b&gt;'\""


def assert_harmless(html: str) -> None:
    page = Reader(html)
    assert data_of(html)["title"]
    assert page.tags.count("script") == 2
    assert not {"img", "iframe", "b"} & set(page.tags)
    assert not [name for name in page.attributes if name.startswith("on")]
    assert "default-src 'none'" in html


def test_a_specification_cannot_bring_html_in(tmp_path: Path) -> None:
    text = Path(load_spec.__code__.co_filename).parent.joinpath("examples/handcalc.toml").read_text(encoding="utf-8")
    text = re.sub(r'^en = ".*"$', "en = '''" + HOSTILE.replace("'", "’") + "'''", text, flags=re.M)
    example = tmp_path / "hostile.toml"
    example.write_text(text + "\n", encoding="utf-8")
    out = tmp_path / "page.html"
    run("derive", str(example), "-o", str(out))
    html = out.read_text(encoding="utf-8")
    assert_harmless(html)
    assert "alert(1)" in html


def test_a_document_cannot_bring_html_in(tmp_path: Path) -> None:
    document = tmp_path / "notes<img src=x>.md"
    document.write_text(
        f"# {HOSTILE}\n\n$$a=\\text{{{HOSTILE}}}=\\begin{{bmatrix}}1&2\\end{{bmatrix}}$$\n\n"
        r"$2+2=5<img src=x>$, $\foo{<script>alert(1)</script>}=3$" + "\n",
        encoding="utf-8",
    )
    out = tmp_path / "report.html"
    run("verify", str(document), "-o", str(out))
    assert_harmless(out.read_text(encoding="utf-8"))


def test_a_formula_cannot_bring_a_link_a_look_or_a_mark_in(tmp_path: Path) -> None:
    latex = r"\href{javascript:alert(1)}{x}+\style{position:fixed}{y}+\class{wrong}{z}"
    root = mathml(latex)
    assert root is not None
    assert "".join(root.itertext()) == "x+y+z"
    assert {name for element in root.iter() for name in element.attrib} <= {"stretchy"}
    document = tmp_path / "notes.md"
    document.write_text(f"$${latex}=3$$\n", encoding="utf-8")
    assert "javascript" not in run("verify", str(document), "--format", "html").replace("javascript:alert(1)}{x}", "")


@pytest.mark.parametrize(
    ("equality", "marked"),
    [
        (r"M+M=\begin{bmatrix}2&4\\6&9\end{bmatrix}.", ["9"]),
        (r"M=\begin{bmatrix}1&9\\3&4\end{bmatrix}^T", ["[1934]T"]),  # wrong at (1, 2) and (2, 1), which are 3 and 9
        (r"2M=M+\begin{bmatrix}1&2\\3&5\end{bmatrix}", ["M+[1235]"]),
        (r"M=\begin{bmatrix}1&2\\3&5\end{bmatrix}\begin{bmatrix}1&0\\0&1\end{bmatrix}", ["[1235][1001]"]),
    ],
)
def test_cells_are_marked_only_where_they_are_the_entries_of_the_side(
    tmp_path: Path, equality: str, marked: list[str]
) -> None:
    document = tmp_path / "notes.md"
    document.write_text(f"$$M=\\begin{{bmatrix}}1&2\\\\3&4\\end{{bmatrix}}$$\n\n$$0+{equality}$$\n", encoding="utf-8")
    html = run("verify", str(document), "--format", "html")
    found = [c for f in formulas_of(html) for c in f.iter() if c.get("class") in ("wrong", "slight")]
    assert ["".join(c.itertext()) for c in found] == marked


def test_a_report_marks_what_is_wrong_and_links_what_inherits(tmp_path: Path) -> None:
    document = tmp_path / "notes.md"
    document.write_text(
        "$$K=\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}\\begin{bmatrix}0.2&0.3\\\\0.6&0.7\\end{bmatrix}"
        "=\\begin{bmatrix}1.4&1.7\\\\3.2&3.7\\end{bmatrix}$$\n\n$$S=2K=\\begin{bmatrix}2.8&3.4\\\\6.4&7.4\\end{bmatrix}$$\n"
        "\n$$1+1=2$$\n",
        encoding="utf-8",
    )
    out = tmp_path / "report.html"
    run("verify", str(document), "-o", str(out))
    html = out.read_text(encoding="utf-8")
    page = Reader(html)
    assert {link for link in page.links if link[1:] not in page.ids} == set()
    marked = [(c.get("class"), "".join(c.itertext())) for f in formulas_of(html) for c in f.iter() if c.get("class")]
    assert marked == [("wrong", "3.2"), ("mended", "3")]  # 3·0.2 + 4·0.6 = 3
    assert "3·0.2 + 4·0.6 = 3" in html
    assert 'href="#_f1.1"' in html.partition('id="_f1.2"')[2]
    verdicts = re.findall(r'data-verdict="([^"]*)"', html)
    assert verdicts == ["FAILS DEFINITION", "INHERITED DEFINITION", "HOLDS"]
    assert "3 formulas" in html
    assert "3 个公式" in html or "公式" in html


def test_a_training_draws_its_losses(tmp_path: Path) -> None:
    out = tmp_path / "training.html"
    run("train", "handcalc", "--steps", "2", "--rate", "0.01", "--of", "W_O", "-o", str(out))
    html = out.read_text(encoding="utf-8")
    Reader(html)
    assert html.count("<polyline") == 1
    assert html.count("<circle") == 3


def test_a_plot_places_its_points() -> None:
    table = Table(("n", "loss"), (("0", "4"), ("1", "2"), ("2", "0")), plotted=(0, 1))
    drawn = plot(table, [{"en": "n"}, {"en": "loss"}])
    # From 90 to 620 across, from 20 to 216 down: the middle point lies in the middle.
    assert '<polyline points="90,20 355,118 620,216"/>' in drawn


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (
            r"\begin{bmatrix}1&2\end{bmatrix}^T",
            "<math><msup><mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>"
            "<mo>]</mo></mrow><mi>T</mi></msup></math>",
        ),
        (r"\mathbf{1}_{3}", "<math><msub><mn>𝟏</mn><mn>3</mn></msub></math>"),
        (r"\boldsymbol{\gamma}", "<math><mi>𝜸</mi></math>"),
        (
            r"\hat{y}\odot \frac{1}{2}",
            '<math><mrow><mover accent="true"><mi>y</mi><mo>^</mo></mover><mo>⊙</mo>'
            "<mfrac><mn>1</mn><mn>2</mn></mfrac></mrow></math>",
        ),
        (r"Z_{\text{add\_norm}}", "<math><msub><mi>Z</mi><mtext>add_norm</mtext></msub></math>"),
        (r"{\left(A\right)}^{\top}", "<math><msup><mrow><mo>(</mo><mi>A</mi><mo>)</mo></mrow><mo>⊤</mo></msup></math>"),
        (r"-\infty", "<math><mrow><mo>−</mo><mo>∞</mo></mrow></math>"),
    ],
)
def test_latex_becomes_mathml_that_browsers_draw_right(latex: str, expected: str) -> None:
    element = mathml(latex)
    assert element is not None
    assert markup(element) == expected


@pytest.mark.parametrize("latex", ["", "}{", "\\frac" * 3000, "{" * 50_000, "\x00", "x" * 200_000])
def test_what_cannot_be_converted_is_told_so(latex: str) -> None:
    assert mathml(latex) is None
