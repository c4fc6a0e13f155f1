"""The reader against strangers: exact places, no exception for any text, no long reading, a clean grammar."""

from __future__ import annotations

import json
import time
from pathlib import Path

import lark
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symtrans.notation.name import DerivativeName
from symtrans.notation.parser import Scanned, grammar
from symtrans.notation.reader import MAX_HEIGHT, MAX_LENGTH, Reading, read, read_expression
from symtrans.notation.tree import Constant, Node, Number, Symbol, children, walk

PRINTED: dict[str, str] = json.loads((Path(__file__).parent / "data" / "handcalc_printed.json").read_text("utf-8"))
SNIPPETS = [
    r"\mu=\frac{1}{N}\sum_{i=1}^{N}z_i,\quad \sigma=\sqrt{\frac{1}{N}\sum_{i=1}^{N}(z_i-\mu)^2}",
    r"\text{softmax}\left(\frac{QK^{\top}}{\sqrt{d_k}}\right)V=\left[ 0.1\ 0.2 \right]\cdot[[1, 2], [-3, x^2]]",
    r"W_{1} \leftarrow W_1-\eta\cdot\frac{\partial L}{\partial W_1}\approx\begin{bmatrix}0.5-0.0005&0.6\end{bmatrix}",
    r"{{\mathbf{K}}_1}^T (a-b{)}^2 = \|x\|_2^2 + |y| - -2 \times -3",
    r"\left(\frac{\partial L}{\partial C}\right)_{:,1:4} = \left[\text{softmax}(x)_{1:2,:}\right]",
    r"\begin{aligned}a&=b + 1{,}000\\&=\log_2 8 - \cos 2x\\&=e^{-x}y^{(1)}\end{aligned}",
    r"\underbrace{a+b}_{c} = {x}_{1}' + \hat{\mathbf{y}}^{T} + W_Q^{(2)} 50\%",
]
WRITTEN = r"""
\frac \sqrt \text \mathbf \left( \right) \left[ \right] \begin{bmatrix} \end{bmatrix} \begin{aligned} \end{aligned}
\begin{array}{cc} \end{array} \\ & \sum \prod \times \cdot \log \exp \hat \partial \nabla \quad \, \foo \infty \in
\mathbb{R} \left| \right| \| \{ \} \underbrace \color{red} \xrightarrow \rm { } ( ) [ ] ^ _ ' + - = / * , ; : . | 1
2.5 0{,}5 1e-3 a x T softmax softmax( word Q_1 {)} $ % \ ² ᵀ √ ½ ∑ → 值 Σ ‖ ŷ
"""
PIECES = [*WRITTEN.split(), " ", "\n", "\\text{a b}", "\x00", "\u0302"]
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join),
    st.text(st.characters(codec="utf-8") | st.sampled_from("\\{}[]()^_&$|=+-,;0123456789"), max_size=60),
)


def sides(reading: Reading) -> list[Node]:
    return [side for chain in reading.chains for side in chain.sides if side is not None]


@pytest.mark.parametrize("source", [*PRINTED.values(), *SNIPPETS])
def test_what_stands_at_a_nodes_place_is_read_as_that_node(source: str) -> None:
    reading = read(source)
    assert reading.troubles == ()
    checked = 0
    for side in sides(reading):
        for node in walk(side):
            if node == Number("100") and node.span is None:  # that of a percent sign
                continue
            assert node.span is not None
            text = source[node.span.start : node.span.end]
            if isinstance(node, Constant) and node.which == "e":
                assert text == "e"
            else:
                assert read_expression(text) == node, text
                checked += 1
    assert checked >= len(sides(reading))


@pytest.mark.parametrize("source", [*PRINTED.values(), *SNIPPETS])
def test_a_node_stands_within_the_one_above(source: str) -> None:
    for side in sides(read(source)):
        for node in walk(side):
            for child in children(node):
                if child.span is not None and node.span is not None:
                    assert node.span.start <= child.span.start < child.span.end <= node.span.end


def test_relations_have_their_places() -> None:
    source = r"a = b \approx c \xrightarrow{f} d := e"
    links = read(source).chains[0].links
    spans = [link.span for link in links]
    assert [source[span.start : span.end] for span in spans if span] == ["=", r"\approx", r"\xrightarrow{f}", ":="]


@settings(max_examples=1500)
@given(source=texts)
@example(r"\text{")
@example(r"x_{y^{")
@example("||")
@example("\\mathbf %\n{}")
@example("\\")
@example(r"\begin{aligned}\end{array}")
def test_no_text_raises_and_every_trouble_has_its_place(source: str) -> None:
    began = time.process_time()
    reading = read(source)
    assert time.process_time() - began < HANGS
    for trouble in reading.troubles:
        assert 0 <= trouble.start <= trouble.end <= len(source)
        assert trouble.what
    for chain in reading.chains:
        assert len(chain.sides) == len(chain.links) + 1
        assert None not in chain.sides[1:] or reading.troubles
    for side in sides(reading):
        for node in walk(side):
            assert node.span is None or 0 <= node.span.start <= node.span.end <= len(source)
            assert not isinstance(node, Symbol) or isinstance(node.name, DerivativeName) or node.name.nucleus
    assert read(source, decimal_comma=True) is not None


HANGS = 20  # seconds: no measure of speed, which a busy machine would make fail, but the end of all patience
REPEATED = [
    "(", "[", "{", "|", "x^{", "x_{", r"\left(", r"\sqrt", r"\sin ", r"\log_{x} ", r"\sum", r"\hat", r"\text{", "exp_{",
    r"\begin{bmatrix}", r"\frac", r"\mathbf{", "-", "x", "x'", "x^1", "x,", "1;", "a=b\\\\", "{a&", "|a", r"\rm ",
    "[1;", "(1+2*", r"\frac{1}{", "½", "值", "1,000,", "''", "\\quad", "...", "\u0302", "²", r"\%",
]  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED)
def test_no_repetition_takes_long_or_grows_high(piece: str) -> None:
    for source in (piece * (MAX_LENGTH // len(piece)), piece * 50 + "x" + ")}]"[:1] * 50, piece * 50 + "x" + "}" * 50):
        began = time.process_time()
        reading = read(source)
        assert time.process_time() - began < HANGS
        for side in sides(reading):
            height, level = 0, [side]
            while level:
                height, level = height + 1, [child for node in level for child in children(node)]
            assert height <= MAX_HEIGHT
            assert hash(side) == hash(side)


def test_caps_are_told() -> None:
    assert "20,000 characters" in read("x" * (MAX_LENGTH + 1)).troubles[0].what
    assert "400 digits" in read("1" * 401 + "=2").troubles[0].what
    assert read("1" * 400 + "=2").troubles == ()
    assert "deeper than 60" in read("(" * 60 + "x" + ")" * 60).troubles[0].what
    assert read("(" * 59 + "x" + ")" * 59).troubles == ()


def test_the_grammar_has_no_conflicts() -> None:
    assert lark.Lark(grammar(), parser="lalr", lexer=Scanned, strict=True).rules


def test_a_formula_is_read_within_milliseconds() -> None:
    read("x")  # the parser is built once
    began = time.process_time()
    for source in PRINTED.values():
        read(source)
    assert (time.process_time() - began) / len(PRINTED) < 0.005  # about a quarter of a millisecond
