"""Pages hold whatever a specification says: dollar signs, letters of other scripts, formulas of any width."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from symtrans.derive.derivation import derive
from symtrans.model.load import load_spec
from symtrans.model.spec import Spec
from symtrans.page.page_writer import page_writer
from symtrans.page.story import Layout
from symtrans.page.telling import tell

REMARK = r"Costs $5, or $\frac{1}{2}$ of 10 $ & 50% of_it; not $\frac{1$ and 中文, Ω"


def odd() -> Spec:
    spec = load_spec("handcalc")
    return replace(spec, title={"en": "A & B_# 中 $y$"}, notes={"W_O": {"en": REMARK, "zh": REMARK}})


def page(spec: Spec, name: str, language: str = "en", **options: object) -> str:
    derivation = derive(spec, **options)  # type: ignore[arg-type]
    story = replace(tell(derivation, "array", language), layout=Layout(standalone=True))
    return page_writer(name).write(story, derivation)


def test_a_dollar_sign_without_a_formula_is_text_in_markdown() -> None:
    text = page(odd(), "md", parts=["inputs"])
    assert text.startswith("# A & B_# 中 \\$y\\$\n")
    assert r"Costs \$5, or $\frac{1}{2}$ of 10 \$ & 50% of_it; not \$\frac{1\$ and 中文, Ω" in text


def test_a_dollar_sign_without_a_formula_is_text_in_latex() -> None:
    text = page(odd(), "tex", parts=["inputs"])
    assert r"Costs \$5, or $\frac{1}{2}$ of 10 \$ \& 50\% of\_it; not \$\textbackslash{}frac\{1\$ and 中文, Ω" in text


def compiled(text: str, engine: str, folder: Path) -> list[str]:
    """The lines of the engine's log that tell of a display beyond the margin; the page must compile."""
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    (folder / "page.tex").write_text(text, "utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    run = subprocess.run(
        command, capture_output=True, text=True, errors="replace", cwd=folder, timeout=120, check=False
    )
    assert run.returncode == 0, run.stdout[-1500:]
    log = (folder / "page.log").read_text("utf-8", "replace").splitlines()
    return [line for line in log if line.startswith("Overfull \\hbox")]


@pytest.mark.tex
@pytest.mark.parametrize(("engine", "language"), [("pdflatex", "en"), ("xelatex", "en"), ("xelatex", "zh")])
def test_odd_words_compile(engine: str, language: str, tmp_path: Path) -> None:
    compiled(page(odd(), "tex", language, parts=["inputs"]), engine, tmp_path)


@pytest.mark.tex
def test_a_display_of_any_width_stays_inside_the_margins(tmp_path: Path) -> None:
    spec = load_spec("handcalc")
    text = page(spec, "tex", settings={"weights": "softmax"}, wrt=["all"], symbolic=True)
    assert r"\shrink{$\displaystyle \begin{aligned}" in text
    too_wide = compiled(text, "pdflatex", tmp_path)
    assert all(float(line.split("(")[1].split("pt")[0]) < 10 for line in too_wide), too_wide
