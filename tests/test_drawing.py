"""Formulas drawn in Unicode, compared with pictures set by hand; and pages that fit a width."""

from __future__ import annotations

import unicodedata

import pytest
from click.testing import CliRunner

from symtrans.cli.main import main
from symtrans.cli.terminal import show
from symtrans.notation.reader import read
from symtrans.page.drawing import draw
from symtrans.page.drawn import cells, filled

PICTURES = [
    (r"\mathbf{K}_1=\begin{bmatrix}1&2\\3&40\end{bmatrix}", ["     ⎡1   2⎤", "K₁ = ⎣3  40⎦"]),
    (r"S=QK^{T}", ["S = Q Kᵀ"]),
    (r"x^{-2}+3\times 10^{5}", ["x⁻² + 3×10⁵"]),
    (r"\frac{\partial L}{\partial W}=X^{T}", ["∂L", "── = Xᵀ", "∂W"]),
    (r"\frac{1}{2}\left(a-\left(b+c\right)\right)", ["1", "─ (a − (b + c))", "2"]),
    (r"\hat{y}\approx\sqrt{2}", ["y\u0302 ≈ √2"]),
    (r"\sqrt{a+b}", ["√(a + b)"]),
    (r"A\odot B", ["A ⊙ B"]),
    (r"\operatorname{softmax}\left(Z\right)=\pi", ["softmax(Z) = π"]),
    (r"\gamma_{1}\leq\infty", ["γ₁ ≤ ∞"]),
    (
        r"\begin{bmatrix}1\\2\\3\end{bmatrix}^{T}=\begin{bmatrix}1&2&3\end{bmatrix}",
        ["   T", "⎡1⎤", "⎢2⎥  = [1  2  3]", "⎣3⎦"],
    ),
]


@pytest.mark.parametrize(("latex", "lines"), PICTURES)
def test_a_formula_as_somebody_would_draw_it(latex: str, lines: list[str]) -> None:
    assert draw(read(latex).chains[0], 80) == lines


def test_a_wide_matrix_goes_on_below_with_all_its_numbers() -> None:
    cellsrow = " & ".join(str(1000 + k) for k in range(12))
    lines = draw(read(rf"A=\begin{{bmatrix}}{cellsrow}\end{{bmatrix}}").chains[0], 40)
    assert max(map(len, lines)) <= 40
    assert "".join(lines).split("[")[1].rstrip("]").split() == [str(1000 + k) for k in range(12)]
    assert sum(line.count("[") for line in lines) == sum(line.count("]") for line in lines) == 1


@pytest.mark.parametrize("example", ["handcalc", "encoder"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_line_is_wider_than_the_page(example: str, language: str) -> None:
    text = CliRunner().invoke(main, ["derive", example, "--format", "text", "--language", language]).stdout
    assert max(map(cells, text.splitlines())) <= 100
    assert "\x1b" not in text
    assert text == CliRunner().invoke(main, ["derive", example, "--format", "text", "--language", language]).stdout


def test_running_text_is_filled() -> None:
    assert filled("one two three four", 9) == "one two\nthree\nfour"
    assert filled("前向传播 forward", 8) == "前向传播\nforward"
    assert filled("前向传播前", 4) == "前向\n传播\n前"


def test_widths_are_counted_in_cells() -> None:
    assert cells("前向 x") == 6
    assert cells("y" + unicodedata.lookup("COMBINING CIRCUMFLEX ACCENT")) == 1


def test_headings_have_colours_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Forward\n───────\n\n⎡1⎤\n"
    show(text)
    assert capsys.readouterr().out == text
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click._compat._ansi_color_disabled", None, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    show(text)
    assert capsys.readouterr().out == text
