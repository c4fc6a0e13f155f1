"""The writer: 33 formulas rebuilt token for token from trees made by hand, and brackets where they are needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symtrans.notation.dialect import load_dialect
from symtrans.notation.name import DerivativeName, Name, Script
from symtrans.notation.tree import (
    Apply,
    BigSum,
    Chain,
    Constant,
    Dots,
    Fraction,
    Group,
    Link,
    Matrix,
    Node,
    Number,
    Power,
    Product,
    Root,
    Slice,
    Sum,
    Symbol,
    Term,
    Transpose,
)
from symtrans.notation.writer import Writer

ARRAY = Writer(load_dialect("array"))
AMS = Writer(load_dialect("ams"))


def num(text: str) -> Node:
    return Sum((Term(-1, Number(text[1:])),)) if text.startswith("-") else Number(text)


def rows(text: str) -> Matrix:
    """A matrix of numerals: rows on `;`, cells on blanks."""
    return Matrix(tuple(tuple(num(cell) for cell in row.split()) for row in text.split(";")))


def name(nucleus: str, sub: str = "", font: str = "bold", sub_font: str = "italic", accent: str = "") -> Name:
    scripts = (Script(sub, sub_font),) if sub else ()  # type: ignore[arg-type]
    return Name(nucleus, font, accent, scripts)  # type: ignore[arg-type]


def sym(nucleus: str, sub: str = "", font: str = "bold", sub_font: str = "italic", accent: str = "") -> Symbol:
    return Symbol(name(nucleus, sub, font, sub_font, accent))


def text(words: str, sub: str = "") -> Symbol:
    return sym(words, sub, "text")


def times(*factors: Node) -> Product:
    return Product(factors, tuple("" for _ in factors[1:]))


def plus(*nodes: Node) -> Sum:
    return Sum(tuple(Term(1, node) for node in nodes))


def minus(left: Node, right: Node) -> Sum:
    return Sum((Term(1, left), Term(-1, right)))


def negative(node: Node) -> Sum:
    return Sum((Term(-1, node),))


def chain(*parts: Node | str) -> Chain:
    """Sides joined by "=" unless a relation stands between them."""
    sides: list[Node | None] = []
    links: list[Link] = []
    relation = "="
    for part in parts:
        if isinstance(part, str):
            relation = part
            continue
        if sides:
            links.append(Link(relation))  # type: ignore[arg-type]
        sides.append(part)
        relation = "="
    return Chain(tuple(sides), tuple(links))


X = "1 2; 3 4"
WQ, WK, WV = "0.1 0.2 0.3 0.4; 0.5 0.6 0.7 0.8", "0.2 0.3 0.4 0.5; 0.6 0.7 0.8 0.9", "0.3 0.4 0.5 0.6; 0.7 0.8 0.9 1.0"
Q1, K1, V1 = "1.1 1.4 1.7 2.0; 2.3 3.0 3.7 4.4", "1.4 1.7 2.0 2.3; 3.2 4.1 5.0 5.9", "1.7 2.0 2.3 2.6; 3.8 4.6 5.4 6.2"
K1T = "1.4 3.2; 1.7 4.1; 2.0 5.0; 2.3 5.9"
HALF, H1 = "0.5 0.5; 0.5 0.5", "2.75 3.3 3.85 4.4; 2.75 3.3 3.85 4.4"
C = "; ".join([" ".join(["2.75 3.3 3.85 4.4"] * 3)] * 2)
WO = "; ".join(["1 0", "0 1"] + ["0 0"] * 10)
e, yhat = sym("e"), sym("y", accent="hat")
ctx = text("Attention Output")
gradient = Symbol(DerivativeName(name("L", font="italic"), ctx.name))  # type: ignore[arg-type]
loss, half, y = sym("L", font="italic"), Fraction(Number("1"), Number("2")), sym("y", font="italic")


def square(node: Node) -> Power:
    return Power(Group(node), Number("2"))


def less(a: str, b: str) -> Sum:
    return minus(Number(a), Number(b))


def weight(which: str) -> Symbol:
    return sym("W", which, sub_font="bold")


def project(which: str, head: int, operand: str, value: str) -> Chain:
    return chain(
        sym(which, f"{head}"), times(e, sym("W", f"{which}{head}")), times(rows(X), rows(operand)), rows(value)
    )


def project_again(which: str, head: int) -> Chain:
    return chain(sym(which, f"{head}"), times(e, sym("W", f"{which}{head}")), sym(which, "1"))


def scores_again(head: int) -> Chain:
    rule = times(sym("Q", f"{head}"), Transpose(sym("K", f"{head}")))
    return chain(text("Attention Scores", f"{head}"), rule, text("Attention Scores", "1"))


TREES = {
    "F01": chain(sym("x"), rows(X)),
    "F02": chain(weight("emb"), rows("1 0; 0 1")),
    "F03": chain(weight("Q"), rows(WQ)),
    "F04": chain(weight("K"), rows(WK)),
    "F05": chain(weight("V"), rows(WV)),
    "F06": chain(weight("O"), rows("1 0 0 0 0; 0 1 0 0 0")),
    "F07": chain(sym("y"), rows("1 0; 0 1")),
    "F08": chain(e, times(sym("x"), weight("emb")), rows(X)),
    "F09": project("Q", 1, WQ, Q1),
    "F10": project("K", 1, WK, K1),
    "F11": project("V", 1, WV, V1),
    "F12": project_again("Q", 2),
    "F13": project_again("K", 2),
    "F14": project_again("V", 2),
    "F15": project_again("Q", 3),
    "F16": project_again("K", 3),
    "F17": project_again("V", 3),
    "F18": chain(
        text("Attention Scores", "1"),
        times(sym("Q", "1"), Transpose(sym("K", "1"))),
        times(rows(Q1), rows(K1T)),
        rows("12.8 31.8; 28.6 72.6"),
    ),
    "F19": scores_again(2),
    "F20": scores_again(3),
    "F21": chain(text("Attention Weights", "1"), "≈", rows(HALF)),
    "F22": chain(text("Attention Weights", "2"), "≈", text("Attention Weights", "1")),
    "F23": chain(text("Attention Weights", "3"), "≈", text("Attention Weights", "1")),
    "F24": chain(
        text("Attention Output", "1"),
        times(text("Attention Weights", "1"), sym("V", "1")),
        times(rows(HALF), rows(V1)),
        rows(H1),
    ),
    "F25": chain(text("Attention Output", "2"), text("Attention Output", "1")),
    "F26": chain(text("Attention Output", "3"), text("Attention Output", "1")),
    "F27": chain(
        text("Multi-Head Attention Output"),
        Matrix((tuple(text("Attention Output", f"{head}") for head in (1, 2, 3)),)),
        rows(C),
    ),
    "F28": chain(
        yhat,
        times(text("Multi-Head Attention Output"), weight("O")),
        times(rows(C), rows(WO)),
        rows("2.75 3.3; 2.75 3.3"),
    ),
    "F29": chain(
        loss,
        times(half, BigSum(square(minus(sym("y", font="italic", accent="hat"), y)))),
        times(
            half,
            Group(
                plus(
                    square(less("2.75", "1")),
                    square(less("3.3", "0")),
                    square(less("2.75", "0")),
                    square(less("3.3", "1")),
                ),
                "[",
            ),
        ),
    ),
    "F30": chain(
        loss,
        times(half, Group(plus(Number("3.0625"), Number("10.89"), Number("7.5625"), Number("5.29")), "[")),
        Product((half, Number("26.805")), ("times",)),
        Number("13.4025"),
    ),
    "F31": chain(
        gradient,
        Group(minus(ctx, y)),
        Matrix(((less("2.75", "1"), less("3.3", "0")), (less("2.75", "0"), less("3.3", "1")))),
        rows("1.75 3.3; 2.75 2.3"),
    ),
    "F32": chain(
        text("Attention Output New"),
        minus(ctx, Product((Number("0.1"), gradient), ("times",))),
        minus(rows("2.75 3.3; 2.75 3.3"), Product((Number("0.1"), rows("1.75 3.3; 2.75 2.3")), ("times",))),
    ),
    "F33": chain(text("Attention Output New"), rows("2.575 2.97; 2.475 3.07")),
}

PRINTED = Path(__file__).parent / "data" / "handcalc_printed.json"


def formulas() -> dict[str, str]:
    found: dict[str, str] = json.loads(PRINTED.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("key", sorted(TREES))
def test_a_hand_worked_document_is_rebuilt_token_for_token(key: str) -> None:
    assert ARRAY.chain(TREES[key]) == formulas()[key]


def test_every_formula_has_its_tree() -> None:
    assert len(TREES) == 33
    assert TREES.keys() == formulas().keys()


a, b, c = (sym(letter, font="italic") for letter in "abc")
K = sym("K", "1")

CASES: list[tuple[Node, str, str]] = [
    # a sum or a negative as a factor, after a sign, and under a script
    (times(plus(a, b), c), "(a+b)c", "(a+b)c"),
    (minus(a, plus(b, c)), "a-(b+c)", "a-(b+c)"),
    (minus(a, num("-2")), "a-(-2)", "a-(-2)"),
    (plus(num("-2"), a), "(-2)+a", "(-2)+a"),
    (Product((Number("0.1"), num("-2")), ("times",)), r"0.1\times (-2)", r"0.1\times (-2)"),
    (negative(times(a, b)), "-ab", "-ab"),
    (Power(num("-2"), Number("2")), "(-2{)}^2", "(-2)^2"),
    (Power(times(a, b), Number("2")), "(ab{)}^2", "(ab)^2"),
    (Power(a, b), "{a}^b", "a^b"),
    (Power(sym("A", font="italic"), b), "(A{)}^b", "(A)^b"),
    (Power(a, plus(text("new"), b)), r"(a{)}^{\text{new}+b}", r"(a)^{\text{new}+b}"),
    (Power(Constant("e"), plus(text("new"), b)), r"{e}^{(\text{new}+b)}", r"e^{(\text{new}+b)}"),
    (Power(a, sym("T", font="italic")), "(a{)}^{(T)}", "(a)^{(T)}"),
    (Power(Power(a, Number("2")), Number("3")), "({a}^2{)}^3", "(a^2)^3"),
    (Power(Number("2"), num("-1")), "{2}^{-1}", "2^{-1}"),
    (Power(half, Number("2")), r"{\left(\frac{1}{2}\right)}^2", r"\left(\frac{1}{2}\right)^2"),
    (Power(Group(plus(a, b), "["), Number("2")), r"{\left[a+b\right]}^2", r"\left[a+b\right]^2"),
    (
        Group(times(rows("1"), rows("2")), "["),
        r"\left(\left[\begin{array}{c}1\end{array}\right]\left[\begin{array}{c}2\end{array}\right]\right)",
        r"\left(\begin{bmatrix}1\end{bmatrix}\begin{bmatrix}2\end{bmatrix}\right)",
    ),
    # transposes
    (Transpose(K), r"{{\mathbf{K}}_1}^T", r"{\mathbf{K}_1}^{\top}"),
    (Transpose(sym("K")), r"{\mathbf{K}}^T", r"\mathbf{K}^{\top}"),
    (Transpose(times(a, b)), "(ab{)}^T", r"(ab)^{\top}"),
    (Transpose(Transpose(a)), "({a}^T{)}^T", r"(a^{\top})^{\top}"),
    (Transpose(gradient), *2 * (r"\left(\frac{\partial L}{\partial \text{Attention Output}}\right)",)),
    (
        Transpose(rows("1 -2")),
        r"{\left[\begin{array}{cc}1& -2\end{array}\right]}^T",
        r"\begin{bmatrix}1 & -2\end{bmatrix}^{\top}",
    ),
    # products
    (times(a, times(b, c)), "a(bc)", "a(bc)"),
    (times(a, Number("2")), "a(2)", "a(2)"),
    (times(Number("2"), Number("3")), "2(3)", "2(3)"),
    (Product((a, b), ("odot",)), r"a\odot b", r"a\odot b"),
    (Product((a, plus(b, c)), ("slash",)), "a/(b+c)", "a/(b+c)"),
    (times(Symbol(Name("mu", is_command=True)), a), r"\mu a", r"\mu a"),
    (
        Product((Number("6.54103"), Power(Number("10"), num("-7"))), ("times",)),
        r"6.54103\times {10}^{-7}",
        r"6.54103\times 10^{-7}",
    ),
    # sums over an index
    (times(BigSum(a), b), r"\left(\sum a\right)b", r"\left(\sum a\right)b"),
    (plus(BigSum(a), b), r"\sum a+b", r"\sum a+b"),
    (BigSum(plus(a, b)), r"\sum (a+b)", r"\sum (a+b)"),
    (
        BigSum(a, Name("i"), Number("1"), sym("N", font="italic")),
        r"\sum_{i=1}^N a",
        r"\sum_{i=1}^N a",
    ),
    # functions
    (Root(plus(a, b)), r"\sqrt{a+b}", r"\sqrt{a+b}"),
    (Root(a, Number("3")), r"\sqrt[3]{a}", r"\sqrt[3]{a}"),
    (Apply("softmax", (Fraction(a, Root(b)),)), *2 * (r"\left(\frac{a}{\sqrt{b}}\right)",)),
    (Apply("exp", (a,)), r"\exp(a)", r"\exp(a)"),
    (Power(Constant("e"), plus(a, b)), "{e}^{a+b}", "e^{a+b}"),
    (Apply("log", (a,), Number("2")), r"\log_2(a)", r"\log_2(a)"),
    (Power(Apply("sin", (a,)), Number("2")), r"(\sin(a){)}^2", r"(\sin(a))^2"),
    # what is cut out of a matrix, series, norms
    (Slice(a, None, (Number("1"), Number("4"))), "{a}_{:,1:4}", "a_{:,1:4}"),
    (Slice(a, (Number("2"), Number("2")), (Number("3"), Number("3"))), "{a}_{2:2,3}", "a_{2:2,3}"),
    (Slice(K, (Number("2"), Number("2")), None), r"{{\mathbf{K}}_1}_{2,:}", r"{\mathbf{K}_1}_{2,:}"),
    (plus(a, Dots(), b), r"a+\ldots+b", r"a+\ldots+b"),
    (Group(a, "|"), r"\left|a\right|", r"\lvert a\rvert "),
    (Constant("infty"), r"\infty", r"\infty"),
]
WORDS = {"softmax": (r"\text{softmax}", r"\operatorname{softmax}")}


@pytest.mark.parametrize(("tree", "array", "ams"), CASES, ids=[f"{i:02}" for i in range(len(CASES))])
def test_brackets_stand_where_the_tree_needs_them(tree: Node, array: str, ams: str) -> None:
    if isinstance(tree, Transpose) and tree.base is gradient:
        array, ams = f"{{{array}}}^T", rf"{ams}^{{\top}}"
    if isinstance(tree, Apply) and tree.function in WORDS:
        array, ams = WORDS[tree.function][0] + array, WORDS[tree.function][1] + ams
    assert ARRAY.expression(tree) == array
    assert AMS.expression(tree) == ams


NAMES: list[tuple[Name, str, str]] = [
    (Name("x"), "x", "x"),
    (Name("x", subscript=(Script("1"),)), "{x}_1", "x_1"),
    (Name("W", subscript=(Script("Q"),), superscript=(Script("i"),)), "{W}_Q^i", "W_Q^i"),
    (Name("W", "bold", "bar", (Script("Q1"),)), r"{\bar{\mathbf{W}}}_{Q1}", r"\bar{\mathbf{W}}_{Q1}"),
    (Name("mu", is_command=True, subscript=(Script("1"),)), r"{\mu}_1", r"\mu_1"),
    (Name("mu", "bold", is_command=True), r"\boldsymbol{\mu}", r"\boldsymbol{\mu}"),
    (Name("add_norm", "text"), r"\text{add\_norm}", r"\text{add\_norm}"),
    (Name("PE"), r"\mathit{PE}", r"\mathit{PE}"),
    (Name("R", "blackboard"), r"\mathbb{R}", r"\mathbb{R}"),
    (Name("d", subscript=(Script("model", "text"),)), r"{d}_{\text{model}}", r"d_{\text{model}}"),
    (Name("x", primes=1), "x'", "x'"),
]


@pytest.mark.parametrize(("name", "array", "ams"), NAMES)
def test_names_are_spelled(name: Name, array: str, ams: str) -> None:
    assert ARRAY.name(name) == array
    assert AMS.name(name) == ams


def test_a_part_of_a_derivative_carries_its_mark() -> None:
    part = DerivativeName(Name("L"), Name("e", "bold"), (Script("Q1", "text"),))
    assert ARRAY.name(part) == r"{\frac{\partial L}{\partial \mathbf{e}}}^{\text{Q1}}"
    assert AMS.name(part) == r"\frac{\partial L}{\partial \mathbf{e}}^{\text{Q1}}"


def test_a_continuation_begins_with_its_relation() -> None:
    assert AMS.chain(Chain((None, a), (Link("≈"),))) == r"\approx a"
