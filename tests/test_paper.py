"""LaTeX for papers: a fragment stands in anybody's document, within its margins, and its equations can be cited."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from symtrans.cli.main import main
from symtrans.derive.derivation import derive
from symtrans.model.load import load_spec
from symtrans.page.page_writer import page_writer
from symtrans.page.paper.labels import labels
from symtrans.page.paper.widths import width
from symtrans.page.story import Display, Layout, Story
from symtrans.page.telling import tell


@cache
def story(example: str, dialect: str = "array", language: str = "en", **options: object) -> Story:
    return tell(derive(example, **options), dialect, language)  # type: ignore[arg-type]


def written(told: Story, layout: Layout) -> str:
    return page_writer("tex").write(replace(told, layout=layout), derive("handcalc"))


FRAGMENT, NUMBERED = Layout(), Layout(numbered=True)


def packages(text: str) -> str:
    """What a fragment's head says that the document needs."""
    return text.splitlines()[1].removeprefix("% ")


def log_of(text: str, engine: str, folder: Path, options: str = "", body: str = "\\input{part}") -> str:
    """The engine's log of somebody's article that takes in a fragment; it must compile."""
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    (folder / "part.tex").write_text(text, "utf-8")
    page = f"\\documentclass{options}{{article}}\n{packages(text)}\n\\begin{{document}}\nMine.\n{body}\n"
    (folder / "mine.tex").write_text(page + "\\end{document}\n", "utf-8")
    log = ""
    for _ in range(1 if "ref" not in body else 2):
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", "mine.tex"]
        run = subprocess.run(command, capture_output=True, cwd=folder, timeout=120, check=False)
        log = (folder / "mine.log").read_text("utf-8", "replace")
        assert run.returncode == 0, log[-1500:]
    return log


def overfull(log: str) -> list[str]:
    return [line for line in log.splitlines() if line.startswith("Overfull \\hbox")]


def test_a_fragment_begins_with_what_it_needs_and_has_no_preamble() -> None:
    text = written(story("handcalc", head=1), FRAGMENT)
    assert packages(text) == r"\usepackage{amsmath,amssymb,graphicx}"
    assert "documentclass" not in text
    assert r"\begin{document}" not in text
    assert "ctex" in packages(written(story("handcalc", language="zh", head=1), FRAGMENT))


@pytest.mark.tex
@pytest.mark.parametrize("options", ["", "[twocolumn]", "[a4paper,12pt]"])
@pytest.mark.parametrize("layout", [FRAGMENT, NUMBERED], ids=["plain", "numbered"])
def test_a_fragment_stays_inside_the_margins_of_any_article(options: str, layout: Layout, tmp_path: Path) -> None:
    """Matrices of 12 columns, fractions over fractions, in columns of two: nothing sticks out at all."""
    told = story("encoder-decoder", "ams")
    assert max(width(block.latex) for block in told.blocks if isinstance(block, Display)) > 200
    assert overfull(log_of(written(told, layout), "pdflatex", tmp_path, options)) == []


@pytest.mark.tex
def test_chinese_fragments_compile_under_xelatex(tmp_path: Path) -> None:
    too_wide = overfull(log_of(written(story("handcalc", "array", "zh"), NUMBERED), "xelatex", tmp_path))
    assert all(float(line.split("(")[1].split("pt")[0]) < 10 for line in too_wide), too_wide  # a comma may hang


@pytest.mark.tex
def test_letters_that_a_font_has_not_do_not_stop_a_fragment(tmp_path: Path) -> None:
    spec = replace(load_spec("handcalc"), notes={"W_O": {"en": "中文, Ω"}})
    text = written(tell(derive(spec, parts=["inputs"])), FRAGMENT)
    assert r"\symtransletter{Ω}{03A9}" in text
    for engine in ("pdflatex", "xelatex"):
        log_of(text, engine, tmp_path)


@pytest.mark.tex
def test_equations_are_cited_and_two_fragments_stand_side_by_side(tmp_path: Path) -> None:
    text = written(story("handcalc", head=1), NUMBERED)
    (tmp_path / "other.tex").write_text(written(story("handcalc", head=2, parts=("forward",)), FRAGMENT), "utf-8")
    log = log_of(text, "pdflatex", tmp_path, body=r"{\input{part}} \input{other} By \eqref{eq:K_1}, \ref{eq:K_1}")
    assert "undefined" not in log
    assert "multiply" not in log


def test_labels_are_unique_and_safe() -> None:
    told = story("encoder-decoder", "ams")
    found = labels(told.blocks)
    assert len(set(found.values())) == len(found) == sum(isinstance(block, Display) for block in told.blocks)
    assert all(re.fullmatch(r"eq:[A-Za-z0-9_.-]+", label) for label in found.values())
    assert {"eq:enc.W_Q1", "eq:L", "eq:dL-denc.W_Q1"} <= set(found.values())
    text = written(told, NUMBERED)
    assert sorted(re.findall(r"(?:label\{|fit\[)(eq:[^]}]+)", text)) == sorted(found.values())


def test_lines_of_one_step_are_told_apart() -> None:
    found = set(labels(story("handcalc", head=1, symbolic=True, settings=None).blocks).values())
    assert {"eq:K_1", "eq:K_1-symbolic"} <= found


def test_a_whole_document_can_be_numbered_too() -> None:
    result = CliRunner().invoke(main, ["derive", "--format", "tex", "--standalone", "--numbered", "--head", "1"])
    assert result.output.startswith(r"\documentclass")
    assert r"\begin{equation}\label{eq:x}" in result.output


def test_a_table_of_losses_has_the_rules_of_booktabs() -> None:
    arguments = ["train", "handcalc", "--steps", "1", "--rate", "0.001", "--format", "tex"]
    part, whole = (CliRunner().invoke(main, [*arguments, *more]).output for more in ([], ["--standalone"]))
    table = "\\begin{tabular}{rrr}\n\\toprule\nUpdates & Learning rate & Loss \\\\\n\\midrule\n0 & 0.001 & 12.63 \\\\"
    assert table in part
    assert table in whole
    assert "booktabs" in packages(part)
    assert r"\usepackage{booktabs}" in whole
