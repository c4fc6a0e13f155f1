"""The reader: what each way of writing means, told as sketches of the trees that were drawn up by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symtrans.notation.name import AnyName, DerivativeName, Name, Script
from symtrans.notation.reader import read, read_expression, read_name
from symtrans.notation.tree import (
    Apply,
    BigSum,
    Chain,
    Constant,
    Dots,
    Fraction,
    Group,
    Matrix,
    Node,
    Number,
    Power,
    Product,
    Root,
    Slice,
    Sum,
    Symbol,
    Transpose,
)

PRINTED: dict[str, str] = json.loads((Path(__file__).parent / "data" / "handcalc_printed.json").read_text("utf-8"))
FONTS = {"italic": "", "bold": "b:", "text": "t:", "roman": "r:", "calligraphic": "c:", "blackboard": "bb:"}


def pieces(scripts: tuple[Script, ...]) -> str:
    return "|".join(FONTS[piece.font] + piece.text for piece in scripts)


def name(it: AnyName) -> str:
    if isinstance(it, DerivativeName):
        return f"d{name(it.of)}/d{name(it.by)}" + (f"^{pieces(it.superscript)}" if it.superscript else "")
    text = (f"{it.accent}:" if it.accent else "") + FONTS[it.font] + ("\\" if it.is_command else "") + it.nucleus
    text += "'" * it.primes
    text += f"_{pieces(it.subscript)}" if it.subscript else ""
    return text + (f"^{pieces(it.superscript)}" if it.superscript else "")


def sketch(node: Node | None) -> str:
    """A tree on one line, nothing left out: `(* Q (T K))`, `(+ a -b)`, `[1, 2; 3, 4]`, `(softmax: x)`."""
    match node:
        case None:
            return "?"
        case Number(text):
            return text
        case Constant(which):
            return f"%{which}"
        case Symbol(it):
            return name(it)
        case Dots():
            return "..."
        case Matrix(rows):
            return "[" + "; ".join(", ".join(map(sketch, row)) for row in rows) + "]"
        case Sum(terms):
            return "(+ " + " ".join(("-" if term.sign < 0 else "") + sketch(term.node) for term in terms) + ")"
        case Product(factors, operators):
            signs = (f" {operator}" if operator else "" for operator in operators)
            rest = (f"{sign} {sketch(factor)}" for sign, factor in zip(signs, factors[1:], strict=True))
            return "(* " + sketch(factors[0]) + "".join(rest) + ")"
        case Fraction(above, below):
            return f"(frac {sketch(above)} {sketch(below)})"
        case Power(base, exponent):
            return f"(^ {sketch(base)} {sketch(exponent)})"
        case Transpose(base):
            return f"(T {sketch(base)})"
        case Root(body, degree):
            return f"(root {sketch(body)}" + (f" {sketch(degree)})" if degree else ")")
        case Group(body, bracket):
            return f"<{bracket} {sketch(body)}>"
        case Apply(function, arguments, below):
            return f"({function}{'_' + sketch(below) if below else ''}: {', '.join(map(sketch, arguments))})"
        case BigSum(body, index, low, high, kind):
            bounds = (name(index) if index else "", sketch(low) if low else "", sketch(high) if high else "")
            return f"({kind} {'..'.join(bounds)} {sketch(body)})"
        case Slice(base, rows, columns):
            sides = (":" if r is None else f"{sketch(r[0])}:{sketch(r[1])}" for r in (rows, columns))
            return f"(slice {sketch(base)} {','.join(sides)})"
    raise TypeError(node)


def line(chain: Chain) -> str:
    text = sketch(chain.sides[0])
    for link, side in zip(chain.links, chain.sides[1:], strict=True):
        text += f" {link.relation}{'{' + link.label + '}' if link.label else ''} {sketch(side)}"
    return text


def told(source: str, decimal_comma: bool = False) -> str:
    """The chains, with "|" between them, and behind "!" the source of every trouble."""
    reading = read(source, decimal_comma=decimal_comma)
    text = " | ".join(map(line, reading.chains))
    return text + "".join(f" !{source[trouble.start : trouble.end]}" for trouble in reading.troubles)


NAMES = {
    r"{x}_1": "x_1",
    r"{{\mathbf{K}}_1}^T": "(T b:K_1)",
    r"K^T_1": "(T K_1)",
    r"{\mathbf{W}}_{\mathbf{emb}}": "b:W_b:emb",
    r"{\mathbf{W}}_{Q1}": "b:W_Q1",
    r"{\text{Attention Scores}}_1": "t:Attention Scores_1",
    r"\text{scaled\_score}_{1,0}": "t:scaled_score_1,0",
    r"W_Q^{(1)}": "W_Q^(1)",
    r"W_i^Q": "W_i^Q",
    r"a^{[l]}_j": "a_j^[l]",
    r"W^{(1)\top}": "(T W^(1))",
    r"q_{11}": "q_11",
    r"q1": "q_1",
    r"W_{Q_1}": "W_Q_1",
    r"x_{i+1}": "x_i+1",
    r"W_{\theta}": "W_\\theta",
    r"\hat{\mathbf{y}}": "hat:b:y",
    r"\mathbf{\hat{y}}_i": "hat:b:y_i",
    r"\hat{y_i}": "hat:y_i",
    r"\overline{X}'": "bar:X'",
    r"x_1'": "x'_1",
    r"x^{\prime}": "x'",
    r"\mathbf{W_Q}": "b:W_b:Q",
    r"\bm\theta_t": "b:\\theta_t",
    r"\mathcal{L}": "c:L",
    r"\mathbf{1}_{n}": "b:1_n",
    r"{\bf x}": "b:x",
    r"\text{head}_i": "t:head_i",
    r"error^{(3)}": "error^(3)",
    r"x^{new}": "x^new",
    "ŷ": "hat:y",
    "x̂₁": "hat:x_1",
    "𝐖ᵀ": "(T b:W)",
    "输出": "t:输出",
    r"\frac{\partial L}{\partial \text{Attention Output}}": "dL/dt:Attention Output",
    r"\partial L/\partial W_Q": "dL/dW_Q",
    r"\nabla_{X} L": "dL/dX",
    r"\frac{dL}{dX}": "dL/dX",
    r"\delta{_2}": "\\delta_2",
}
EXPRESSIONS = {
    r"QK^T": "(* Q (T K))",
    r"(a-b{)}^2": "(^ <( (+ a -b)> 2)",
    r"\frac12\left(A+B\right)": "(* (frac 1 2) <( (+ A B)>)",
    r"\frac{1}2 x^23": "(* (frac 1 2) (^ x 2) 3)",
    r"\sqrt[3]{x}\sqrt2": "(* (root x 3) (root 2))",
    r"e^{-x}e^T\mathbf{e}": "(* (^ %e (+ -x)) (T e) b:e)",
    r"A^{-1}A^{-T}": "(* (^ A (+ -1)) (T (^ A (+ -1))))",
    r"a-0.1\times b": "(+ a -(* 0.1 times b))",
    r"2\cdot(-3)": "(* 2 cdot <( (+ -3)>)",
    r"2\times -3": "(* 2 times (+ -3))",
    r"a+-b": "(+ a (+ -b))",
    r"a/b\odot c@d*e\otimes f": "(* a slash b odot c at d times e otimes f)",
    r"1.2\times10^{-3}": "(* 1.2 times (^ 10 (+ -3)))",
    r"1.2e-3": "1.2e-3",
    r"1{,}000+0{,}5+10\,000+1,000": "(+ 1000 0.5 10000 1000)",
    r"50\%": "(frac 50 100)",
    r"-\infty": "(+ -%infty)",
    r"\pi r^2": "(* %pi (^ r 2))",
    r"|x||y|": "(* <| x> <| y>)",
    r"\left\|x\right\|^2+‖y‖+||z||_2": "(+ (^ <‖ x> 2) <‖ y> (norm_2: z))",
    r"\left[3+4\right]\{5\}": "(* <[ (+ 3 4)> <{ 5>)",
    r"\sigma(x)": "(* \\sigma <( x>)",
    r"\sum (\hat{y}-y{)}^2+1": "(+ (sum .... (^ <( (+ hat:y -y)> 2)) 1)",
    r"\sum_{i=1}^{n} x_i y_i": "(sum i..1..n (* x_i y_i))",
    r"\sum_{i,j} a_{ij}": "(sum i.... (sum j.... a_ij))",
    r"\prod_{k}2": "(prod k.... 2)",
    r"X_1+\ldots+X_h": "(+ X_1 ... X_h)",
    r"X_{:,1:4}": "(slice X :,1:4)",
    r"\left(\frac{\partial L}{\partial C}\right)_{:,a:b}": "(slice dL/dC :,a:b)",
    r"\underbrace{a+b}_{\text{sum}}": "(+ a b)",
    r"\color{red}{x}+\textcolor{blue}{y}\,z\phantom{w}": "(+ x (* y z))",
    r"\mathbf{Q K^T}": "(* b:Q (T b:K))",
    "√(a+b)²+√0.25+½×x²": "(+ (^ (root (+ a b)) 2) (root 0.25) (* (frac 1 2) times (^ x 2)))",
    r"a\left(b\right)\bigl(c\bigr)": "(* a <( b> <( c>)",
}
FUNCTIONS = {
    r"\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V": "(* (softmax: (frac (* Q (T K)) (root d_k))) V)",
    r"\operatorname{softmax}(x)": "(softmax: x)",
    r"{\rm softmax}(x)": "(softmax: x)",
    r"\mathrm{softmax}\begin{bmatrix}1&2\end{bmatrix}": "(softmax: [1, 2])",
    r"softmax([1, 2])": "(softmax: [1, 2])",
    r"\text{softmax}_{\text{row}}(x)": "(softmax_t:row: x)",
    r"\text{LayerNorm}(x+\text{FFN}(x))": "(LayerNorm: (+ x (FFN: x)))",
    r"\text{Concat}(\text{head}_1,\ldots,\text{head}_h)W_O": "(* (Concat: t:head_1, ..., t:head_h) W_O)",
    r"\operatorname{foo}(x)": "(foo: x)",
    r"\log_2(x)+\log_{2} 8+\ln\{y\}": "(+ (log_2: x) (log_2: 8) (ln: y))",
    r"\exp(x)^2\exp{y}": "(* (^ (exp: x) 2) (exp: y))",
    r"\sin^2 x+\cos 2x": "(+ (^ (sin: x) 2) (cos: (* 2 x)))",
    r"x_1\cos\theta - x_2\sin\theta x": "(+ (* x_1 (cos: \\theta)) -(* x_2 (sin: \\theta) x))",
    r"-\sum_i y_i\log p_i": "(+ -(sum i.... (* y_i (log: p_i))))",
    r"\log\sum_j e^{z_j}": "(log: (sum j.... (^ %e z_j)))",
    r"\max(0, x)\max\{a,b\}": "(* (max: 0, x) (max: a, b))",
    r"\text{softmax}": "t:softmax",
    r"\left|\begin{array}{cc}1&2\\3&4\end{array}\right|": "(det: [1, 2; 3, 4])",
}
CHAINS = {
    r"a=b\approx c\to d\leftarrow e\ne f\le g\in\mathbb{R}^{2\times3}": "a = b ≈ c → d := e ≠ f ≤ g ∈ (Reals: 2, 3)",
    r"A \xrightarrow{\text{softmax}} B": "A →{softmax} B",
    r"Q=XW_Q,\quad K=XW_K": "Q = (* X W_Q) | K = (* X W_K)",
    r"a=1; b=2, c=3": "a = 1 | b = 2 | c = 3",
    r"\begin{aligned}a&=b\\&=c,\\d&=e\end{aligned}": "a = b = c | d = e",
    r"\begin{align*}a&=b\\&\quad+c\\&=(d\\&+e)\end{align*}": "a = (+ b c) = <( (+ d e)>",
    r"=3=4": "? = 3 = 4",
    r"a=1\text{ and }b=2\Rightarrow c=3": "a = 1 | b = 2 | c = 3",
    r"i=1,\ldots,n": "i = [1, ..., n]",
    r"x = 3 \tag{1} \label{eq:1}": "x = 3",
    r"\boxed{x=3}.": "x = 3",
    r"\rm x_{PE}=1": "r:x_r:PE = 1",
    r"a \stackrel{?}{=} b": "a = b",
    r"x \in \mathbb{R}": "x ∈ (Reals: )",
    r"a = b % told": "a = b",
}
TROUBLES = {
    r"a=\foo x=c": r"a = ? = c !\foo",
    r"\pm x": r"? !\pm",
    r"a=(b=c": "a = ? = c !(",
    r"a)=b": "? = b !)",
    r"a=\quad b=c": "a = ? | b = c !=",
    r"(a+b)_2": "? !_2",
    r"\sum_{j\neq i}x_j": "? !j\\neq i",
    r"\tanh^{-1}(x)": "? !^{-1}",
    r"1 2": "? !2",
    r"x=\begin{bmatrix}1&2\\3\end{bmatrix}": r"x = ? !\begin{bmatrix}1&2\\3\end{bmatrix}",
    r"x=\begin{cases}1\end{cases}": r"x = ? !\begin{cases}1\end{cases}",
    r"\begin{bmatrix}1": r"? !\begin{bmatrix}1",
    r"x=\text{a": r"x = ? !\text{a",
    r"f\{a,b\}": r"? !\{a,b\}",
}
ALIKE = [
    [
        r"\left[\begin{array}{cc}1& 2\\ 3& -4\end{array}\right]", r"\begin{bmatrix}1 & 2 \\ 3 & -4 \\ \end{bmatrix}",
        r"\begin{pmatrix}1&2\\3&-4\end{pmatrix}", r"\left(\begin{array}{c|c}\hline 1&2\\\hline 3&-4\end{array}\right)",
        r"[\begin{matrix}1&2\\3&-4\end{matrix}]", r"\bigl(\begin{smallmatrix}1&2\\3&-4\end{smallmatrix}\bigr)",
        r"\pmatrix{1&2\cr 3&-4}", r"[[1, 2], [3, -4]]", r"[1, 2; 3, -4]", r"[1 2; 3 -4]", "[[ 1. 2.]\n [ 3. −4.]]",
        r"\left[\begin{bmatrix}1&2\\[2pt]3&-4\end{bmatrix}\right]", r"\begin{Bmatrix}1&2\\3&-4\end{Bmatrix}",
    ],
    [r"[1, 2]", r"(1, 2)", r"[1\ 2]", r"[1 2]", r"[1\quad 2]", r"\begin{bmatrix}1&2\end{bmatrix}", r"[[1, 2]]"],
    ["[a, b, c]", r"[a\;b\ c]", "[a, b, c,]", r"(a,b,c)", r"[a~b~c]"],
    [r"[A\ B]", r"\begin{bmatrix}A&B\end{bmatrix}", r"[A,\;B]", r"\left[\begin{array}{cc}A& B\end{array}\right]"],
    [r"[[1],[2]]", r"[1; 2]", r"\begin{bmatrix}1\\2\end{bmatrix}"],
    [
        "A^T", "A^{T}", r"A^\top", r"A^{\top}", r"A^{\mathsf T}", r"A^{\mathrm{T}}", r"A^\intercal", "Aᵀ", "A^{⊤}",
        "{A}^T", r"{A}^{\text{T}}",
    ],
    [r"a\times b", "a × b", "a*b", "a ∗ b", r"a\ast b", r"{a}\times{b}"],
    [r"a\cdot b", "a·b", "a⋅b", r"a\mathbin{\cdot}b"],
    [r"-x+\frac{1}{2}", "−x+½", r"-x+\dfrac12", r"-\,x+\tfrac{1}{2}"],
    [r"\sum_{i=1}^{n}x_i", r"∑_{i=1}^n x_i", r"\sum\limits_{i=1}^{n} x_{i}", r"\displaystyle\sum_{i=1}^{n}{x_i}"],
]  # fmt: skip
COMMAS = {
    "1,5": "1.5",
    "[1,26, 0,65]": "[1.26, 0.65]",
    "0,576·[10,0] + 0,2": "(+ (* 0.576 cdot [10, 0]) 0.2)",
    "[0,707 ; 0 ; −0,707]": "[0.707, 0, (+ -0.707)]",
    r"\begin{bmatrix}0,85 & 0,1\end{bmatrix}": "[0.85, 0.1]",
    r"[0,82(1), \; 0,21(1)]": "[(* 0.82 <( 1>), (* 0.21 <( 1>)]",
}


@pytest.mark.parametrize(("source", "tree"), (NAMES | EXPRESSIONS | FUNCTIONS).items())
def test_a_side_is_read(source: str, tree: str) -> None:
    assert sketch(read_expression(source)) == tree


def test_a_matrix_may_tell_its_size() -> None:
    for size in (r"1\times 2", "(1,2)", "1,2"):
        assert told(rf"\begin{{bmatrix}}1&2\end{{bmatrix}}_{{{size}}}") == told(r"[1, 2]")
    assert "!" in told(r"\begin{bmatrix}1&2\end{bmatrix}_{2\times 2}")


@pytest.mark.parametrize(("source", "chains"), CHAINS.items())
def test_chains_are_read(source: str, chains: str) -> None:
    assert told(source) == chains


@pytest.mark.parametrize(("source", "chains"), TROUBLES.items())
def test_what_is_not_understood_is_told_with_its_place_and_the_rest_is_read(source: str, chains: str) -> None:
    assert told(source) == chains


@pytest.mark.parametrize("sources", ALIKE, ids=lambda sources: sources[0])
def test_dialects_make_no_difference(sources: list[str]) -> None:
    trees = {source: read_expression(source) for source in sources}
    assert {source: sketch(tree) for source, tree in trees.items() if tree != trees[sources[0]]} == {}


@pytest.mark.parametrize(("source", "tree"), COMMAS.items())
def test_a_decimal_comma(source: str, tree: str) -> None:
    assert told(source, decimal_comma=True) == tree


@pytest.mark.parametrize("number", PRINTED)
def test_the_hand_worked_formulas_are_read(number: str) -> None:
    reading = read(PRINTED[number])
    assert reading.troubles == ()
    assert len(reading.chains) == 1
    assert None not in reading.chains[0].sides


def test_some_hand_worked_formulas_in_full() -> None:
    assert told(PRINTED["F12"]) == "b:Q_2 = (* b:e b:W_Q2) = b:Q_1"
    assert told(PRINTED["F22"]) == "t:Attention Weights_2 ≈ t:Attention Weights_1"
    squares = "(^ <( (+ 2.75 -1)> 2) (^ <( (+ 3.3 -0)> 2) (^ <( (+ 2.75 -0)> 2) (^ <( (+ 3.3 -1)> 2)"
    summed = "(* (frac 1 2) (sum .... (^ <( (+ hat:y -y)> 2)))"
    assert told(PRINTED["F29"]) == f"L = {summed} = (* (frac 1 2) <[ (+ {squares})>)"
    assert told(PRINTED["F31"]) == (
        "dL/dt:Attention Output = <( (+ t:Attention Output -y)> = [(+ 2.75 -1), (+ 3.3 -0); (+ 2.75 -0), (+ 3.3 -1)]"
        " = [1.75, 3.3; 2.75, 2.3]"
    )


def test_our_own_formulas_are_read_whole_or_refused() -> None:
    assert read_name(r"{\mathbf{W}}_{Q1}") == Name("W", "bold", subscript=(Script("Q1"),))
    assert read_name(r"\pi") == Name("pi", is_command=True)
    assert read_expression("x") is read_expression("x")
    for source in ("a=b", "", r"\foo", "a, b = c"):
        with pytest.raises(ValueError, match=r"is not one expression|is not known"):
            read_expression(source)
    with pytest.raises(ValueError, match="is not a name"):
        read_name("a+b")
