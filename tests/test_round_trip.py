"""Write, then read: every tree comes back from its LaTeX, in every dialect, but for brackets that precedence needs."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symtrans.notation.dialect import dialect_names, load_dialect
from symtrans.notation.name import DerivativeName, Name, Script
from symtrans.notation.reader import read, read_expression
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
    rebuild,
)
from symtrans.notation.writer import Writer

WRITERS = {name: Writer(load_dialect(name)) for name in dialect_names()}

NAMES = [
    *(Name("a"), Name("b"), Name("x"), Name("Q"), Name("V", "bold"), Name("y", accent="hat"), Name("x", primes=1)),
    *(Name("W", "bold", subscript=(Script("Q1"),)), Name("S", "bold", "bar", (Script("1"),)), Name("PE")),
    *(Name("W", subscript=(Script("O", "bold"),)), Name("W", subscript=(Script("Q"),), superscript=(Script("i"),))),
    *(Name("mu", is_command=True), Name("gamma", is_command=True, subscript=(Script("2"),))),
    *(Name("Attention Output", "text", subscript=(Script("1"),)), Name("d", subscript=(Script("k"),))),
    *(Name("e", "bold"), Name("L", "calligraphic"), Name("h", superscript=(Script("(1)"),))),
]
DERIVATIVES = [
    DerivativeName(Name("L"), Name("x", "bold")),
    DerivativeName(Name("L"), Name("W", "bold", subscript=(Script("Q1"),))),
    DerivativeName(Name("L"), Name("e", "bold"), (Script("Q1", "text"),)),
]


def bare(node: Node) -> Node:
    """The tree without the brackets that only hold together."""
    node = rebuild(node, bare)
    if isinstance(node, Group) and node.bracket in ("(", "[", "{"):
        return node.body
    return node


numbers = st.sampled_from(["0", "1", "2", "10", "2.0", "0.5", "12.75", "26.805"]).map(Number)
symbols = st.sampled_from([*NAMES, *DERIVATIVES]).map(Symbol)
places = numbers | st.sampled_from([Name("a"), Name("b")]).map(Symbol)
ranges = st.none() | st.tuples(places, places)
leaves = st.one_of(numbers, numbers, symbols, symbols, st.just(Constant("infty")), st.just(Dots()))


def several(nodes: st.SearchStrategy[Node], least: int = 2) -> st.SearchStrategy[tuple[Node, ...]]:
    return st.lists(nodes, min_size=least, max_size=4).map(tuple)


@st.composite
def sums(draw: st.DrawFn, nodes: st.SearchStrategy[Node]) -> Sum:
    inside = draw(several(nodes, 1))
    signs = draw(st.lists(st.sampled_from([1, -1]), min_size=len(inside), max_size=len(inside)))
    if len(inside) == 1:
        signs = [-1]
    return Sum(tuple(Term(sign, node) for sign, node in zip(signs, inside, strict=True)))


@st.composite
def products(draw: st.DrawFn, nodes: st.SearchStrategy[Node]) -> Product:
    factors = draw(several(nodes))
    kinds = st.sampled_from(["", "", "times", "cdot", "odot", "slash", "at", "otimes"])
    operators = draw(st.lists(kinds, min_size=len(factors) - 1, max_size=len(factors) - 1))
    return Product(factors, tuple(operators))  # type: ignore[arg-type]


@st.composite
def matrices(draw: st.DrawFn, nodes: st.SearchStrategy[Node]) -> Matrix:
    width = draw(st.integers(1, 3))
    # A row of rows, [[1, 2], [3, 4]], is how programs print a matrix of two rows, and is read so.
    cells = nodes.filter(lambda node: not (isinstance(bare(node), Matrix)))
    row = st.lists(cells, min_size=width, max_size=width).map(tuple)
    return Matrix(tuple(draw(st.lists(row, min_size=1, max_size=3))))


def larger(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    functions = st.sampled_from(["softmax", "exp", "ln", "tanh", "ReLU", "LayerNorm", "max", "rowsum"])
    # Of the exponents of e, an upright name would be a label; a single bar beside another is nobody's bracket.
    exponents = numbers | sums(nodes)
    return st.one_of(
        sums(nodes),
        products(nodes),
        matrices(nodes),
        st.builds(Fraction, nodes, nodes),
        st.builds(Power, nodes, nodes),
        st.builds(Power, st.just(Constant("e")), exponents),
        st.builds(Transpose, nodes),
        st.builds(Root, nodes, st.none() | numbers),
        st.builds(Group, nodes, st.sampled_from(["(", "["])),
        st.builds(Group, symbols | sums(symbols), st.sampled_from(["|", "‖"])),
        st.builds(Apply, functions, several(nodes, 1)),
        st.builds(Apply, st.just("log"), st.tuples(nodes), numbers),
        st.builds(BigSum, nodes, kind=st.sampled_from(["sum", "prod"])),
        st.builds(BigSum, nodes, st.sampled_from([Name("i"), Name("j")]), st.none() | nodes, st.none() | nodes),
        st.builds(Slice, symbols, ranges, ranges),
    )


trees = st.recursive(leaves, larger, max_leaves=12)


@pytest.mark.parametrize("dialect", WRITERS)
@settings(max_examples=400, deadline=None)
@given(tree=trees)
@example(tree=Product((Slice(Symbol(Name("PE")), None, None), Number("0")), ("",)))  # a function has no rows
def test_a_tree_comes_back_from_its_latex(dialect: str, tree: Node) -> None:
    written = WRITERS[dialect].expression(tree)
    assert bare(read_expression(written)) == bare(tree), written


@pytest.mark.parametrize("dialect", WRITERS)
@settings(max_examples=100, deadline=None)
@given(tree=trees)
def test_what_was_read_is_written_alike(dialect: str, tree: Node) -> None:
    written = WRITERS[dialect].expression(tree)
    assert WRITERS[dialect].expression(read_expression(written)) == written


@pytest.mark.parametrize("dialect", WRITERS)
@settings(max_examples=100, deadline=None)
@given(sides=st.lists(trees, min_size=2, max_size=4), data=st.data())
def test_a_chain_comes_back_from_its_latex(dialect: str, sides: list[Node], data: st.DataObject) -> None:
    relation = st.sampled_from(["=", "≈", "<", ">", "≤", "≥", "≠"])
    links = tuple(Link(data.draw(relation)) for _ in sides[1:])
    written = WRITERS[dialect].chain(Chain(tuple(sides), links))
    reading = read(written)
    assert reading.troubles == ()
    assert [link.relation for link in reading.chains[0].links] == [link.relation for link in links]
    assert [bare(side) for side in reading.chains[0].sides if side] == [bare(side) for side in sides]
