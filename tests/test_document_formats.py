"""Every format: its formulas, decoded, and each digit's place in the file as it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtrans.document.block import Document, Formula
from symtrans.document.mapped import Mapped
from symtrans.document.outline import outline
from symtrans.document.read import formats, read
from symtrans.document.source import Source

SAMPLES = {
    "x.md": "# T\n\n> - $\\frac{1}{2}=0.5$ and &times;\n\n| 3 | 4×5 = 20 |\n|---|---|\n| $6=7$ | 8 |\n\n![](http://a/latex?9%20%3D%2010)\n",
    "x.tex": (
        "\\newcommand{\\half}{\\frac{1}{2}}\\newcommand{\\twice}[1]{#1+#1}\\begin{document}\n"
        "% $9=9$\n\\section{S} $\\half = 0.5$ \\[\\twice{34} = 68 % no\n\\] \\verb|$7=8$| 5 + 5 = 10\\end{document}"
    ),
    "x.ipynb": (
        '{"cells":[{"cell_type":"markdown","source":["$\\\\frac{12}{3} = 4$\\n","\\n","5 \\u00d7 6 = 30"]},'
        '{"cell_type":"code","source":"A @ A","outputs":[{"text":["[[ 7. 10.]\\n"," [15. 22.]]\\n"]}]}]}'
    ),
    "x.html": (
        "<p>x<sup>2</sup> = 9 and \\(y = 1 &lt; 23\\)</p><math><mfrac><mn>1</mn><mn>25</mn></mfrac>"
        "<mo>=</mo><mn>0.04</mn></math>"
        '<pre>3 &#215; 4 = 12</pre><script type="math/tex; mode=display">z = 56</script>'
    ),
    "x.ptx": "<section><p><m>a \\lt 12</m></p><md><mrow>b \\amp= 34</mrow><mrow>\\amp= 56</mrow></md></section>",
    "x.jsx": 'const a = <M tex="b = 12" />; c = String.raw`\\frac{3}{4} = 0.75`; d = {tex: "e \\\\times 5 = 67"};',
    "x.mdx": "Text <TeX math={`a \\\\times 12 = 34`} /> and 5 + 6 = 11.\n",
    "x.typ": "= H\n$ mat(1, 2; 3, 4) vec(5, 6) = 78/9 $\nand $x_10^2 = 11$, 12 + 13 = 25 // 9 = 9\n",
}


def document(path: str, text: str) -> Document:
    return read(Source(path, text))


def formulas(path: str, text: str) -> list[Formula]:
    return [formula for block in document(path, text).blocks for formula in block.formulas]


def texts(path: str) -> list[str]:
    return [formula.text for formula in formulas(path, SAMPLES[path])]


@pytest.mark.parametrize("path", SAMPLES)
def test_every_digit_of_a_formula_is_that_digit_of_the_file(path: str) -> None:
    text = SAMPLES[path]
    digits = 0
    for formula in formulas(path, text):
        assert formula.text == formula.mapped.text
        for index, character in enumerate(formula.text):
            if character.isdigit() and formula.mapped.is_copied(index):
                assert text[formula.offset_at(index)] == character
                assert formula.source_span(index, index + 1) == (formula.offset_at(index), formula.offset_at(index) + 1)
                digits += 1
    assert digits >= 4


def test_markdown() -> None:
    assert texts("x.md") == [r"\frac{1}{2}=0.5", "4×5 = 20", "6=7", "9 = 10"]
    assert [formula.kind for formula in formulas("x.md", SAMPLES["x.md"])] == ["inline", "table", "inline", "image"]


def test_latex() -> None:
    assert texts("x.tex") == [r"\frac{1}{2} = 0.5", "34+34 = 68", "5 + 5 = 10"]
    found = formulas("x.tex", SAMPLES["x.tex"])
    assert [(each.line, each.column, each.kind) for each in found] == [
        (3, 14, "inline"), (3, 29, "display"), (4, 17, "plain"),
    ]  # fmt: skip
    use = SAMPLES["x.tex"].index("\\half =")
    assert found[0].source_span(0, 11) == (use, use + 5)


def test_latex_macros_that_never_end_are_remarked() -> None:
    found = document("x.tex", "\\newcommand{\\a}{\\a\\a}$\\a = 1$")
    assert [formula.text for block in found.blocks for formula in block.formulas] == ["\\a = 1"]
    assert "macros do not end" in found.remarks[0].text


def test_notebook() -> None:
    assert texts("x.ipynb") == [r"\frac{12}{3} = 4", "5 × 6 = 30", "A @ A → [[ 7.0 10.0]\n[15.0 22.0]]"]
    assert [block.index for block in document("x.ipynb", SAMPLES["x.ipynb"]).blocks] == [1, 2, 3]


def test_html_and_mathml() -> None:
    assert texts("x.html") == ["x^{2} = 9", "y = 1 < 23", r"\frac{1}{25}=0.04", "3 × 4 = 12", "z = 56"]


@pytest.mark.parametrize(
    ("mathml", "latex"),
    [
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mi>W</mi><mn>1</mn><mi>T</mi></msubsup>", "W_{1}^{ T}"),
        ("<msqrt><mn>1</mn><mo>+</mo><mn>3</mn></msqrt>", r"\sqrt{1+3}"),
        ("<mroot><mn>8</mn><mn>3</mn></mroot>", r"\sqrt[3]{8}"),
        ("<mover><mi>y</mi><mo>^</mo></mover>", r"\hat{ y}"),
        ("<mi>softmax</mi><mo>&#8289;</mo><mo>(</mo><mn>1</mn><mo>)</mo>", r"\text{softmax}(1)"),
        ("<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable><mo>]</mo>",
         r"[\begin{matrix}1 & 2\end{matrix}]"),
        ("<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mo>=</mo><mn>1</mn></mtd></mtr></mtable>",
         r"\begin{aligned} a & =1\end{aligned}"),
        ('<semantics><mn>1</mn><annotation encoding="application/x-tex">q &lt; 1</annotation></semantics>', "q < 1"),
    ],
)  # fmt: skip
def test_mathml_as_latex(mathml: str, latex: str) -> None:
    (formula,) = formulas("x.html", f"<math>{mathml}</math>")
    assert formula.text == latex.strip()


def test_what_a_page_hides_is_not_read_twice() -> None:
    page = (
        '<span class="katex"><span class="katex-mathml"><math><mn>1</mn><mo>=</mo><mn>1</mn></math></span>'
        '<span class="katex-html" aria-hidden="true"><span>1=1</span></span></span><style>a = 1</style><!-- 1 = 2 -->'
    )
    assert [formula.text for formula in formulas("x.html", page)] == ["1=1"]


def test_pretext() -> None:
    assert texts("x.ptx") == ["a <12", r"\begin{aligned}b &= 34 \\ &= 56\end{aligned}"]


def test_programs() -> None:
    assert texts("x.jsx") == ["b = 12", r"\frac{3}{4} = 0.75", r"e \times 5 = 67"]
    assert texts("x.mdx") == [r"a \times 12 = 34", "5 + 6 = 11"]


def test_typst() -> None:
    assert texts("x.typ") == [
        r"\begin{bmatrix}1 & 2 \\ 3 & 4\end{bmatrix} \begin{bmatrix}5 \\ 6\end{bmatrix} = \frac{78}{9}",
        "x_{10}^{2} = 11", "12 + 13 = 25",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typst", "latex"),
    [
        ("a dot b approx 0.5", r"a \cdot b \approx 0.5"),
        ("sqrt(x^2 + 1) = norm(v)", r"\sqrt{x^{2} + 1} = \|v\|"),
        ("(a + b)/(c d) = 1", r"\frac{a + b}{c d} = 1"),
        ('"softmax"(alpha) = hat(y)', r"\text{softmax}(\alpha ) = \hat{y}"),
        ("x &= 1 \\\n &= 2", r"\begin{aligned}x &= 1  \\  &= 2\end{aligned}"),
        ('mat(delim: "[", 1, 2) = 50%', r"\begin{bmatrix}1 & 2\end{bmatrix} = 50\%"),
        ("bold(A)^T -> sum_(i=1)^n i", r"\mathbf{A}^{T} \to  \sum _{i=1}^{n} i"),
    ],
)
def test_typst_as_latex(typst: str, latex: str) -> None:
    (formula,) = formulas("x.typ", f"$ {typst} $")
    assert " ".join(formula.text.split()) == " ".join(latex.split())


PARTS = st.one_of(
    st.sampled_from("[]{}()=≈`'\"%|x2.^_²/\\,;:$é\n\r\0\ue000"),
    st.sampled_from(["$$", "\\[", "\\]", "\\(", "```", "\n\n", "<math>", "</math>", "<mn>", "<sup>", "<!--", "tex="]),
    st.sampled_from(["->", "\\begin{align}", "\\end{align}", "&amp;", "# ", "- ", "> ", "String.raw`", "mat(", "\\a"]),
    st.sampled_from(
        ["\\def\\a{\\a}", '{"cells":[{"cell_type":"code","source":', "array([", ".. math::", "mean of 1: 2"]
    ),
)


@pytest.mark.parametrize("name", formats())
@given(text=st.one_of(st.text(max_size=80), st.lists(PARTS, max_size=40).map("".join)))
@settings(max_examples=60, deadline=None)
def test_nothing_is_refused_and_no_copied_character_is_misplaced(name: str, text: str) -> None:
    found = outline(Source("x", text), name, formats()[name].read(Mapped.whole(text)))
    for number, block in enumerate(found.blocks, start=1):
        assert block.index == number
        for formula in block.formulas:
            assert 0 <= formula.start <= formula.end <= len(text)
            for index, character in enumerate(formula.text):
                if formula.mapped.is_copied(index):
                    assert text[formula.offset_at(index)] == character
