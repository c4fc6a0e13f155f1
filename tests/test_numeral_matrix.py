"""Matrices of plain numbers: written and compared without a tree for every cell, as the trees would be."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtrans.derive.naming import Naming
from symtrans.derive.numerals import Kind, Style, exact_rational, exact_text, exact_texts, rounded_entry, rounded_text
from symtrans.derive.sides import Sides
from symtrans.derive.values import Values
from symtrans.errors import LimitError, ShapeError
from symtrans.exact.decimals import magnitude
from symtrans.exact.field import MAX_RATIONAL_BITS, Field
from symtrans.exact.rounding import certify
from symtrans.exact.written import Written
from symtrans.model.tape import Tape
from symtrans.notation import tree as t
from symtrans.notation.dialect import load_dialect
from symtrans.notation.name import Name
from symtrans.notation.numeral_matrix import NumeralMatrix, numeral_node
from symtrans.notation.tree import Matrix, Number, Power, Product, Sum, Term, rebuild
from symtrans.notation.writer import Writer
from symtrans.ops.domains.rational import MOST_COMMON, whole
from symtrans.ops.tensor import Tensor

FIELD = Field()
RATIONALS = st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**5)
TEXTS = ("2", "-2", "0", "2.50", "-0.125", "3/4", "-3/4", "6.54103e-7", "-1.5e20", "-12/7")


def test_the_cells_of_a_numeral_matrix() -> None:
    negative = Sum((Term(-1, t.Fraction(Number("3"), Number("4"))),))
    small = Product((Number("6.5"), Power(Number("10"), Sum((Term(-1, Number("7")),)))), ("times",))
    large = Product((Number("1.5"), Power(Number("10"), Number("20"))), ("times",))
    matrix = NumeralMatrix((("2.0", "-3/4"), ("6.5e-7", "1.5e20")))
    plain = Matrix(((Number("2.0"), negative), (small, large)))
    assert matrix.rows == plain.rows
    assert matrix == plain
    assert plain == matrix
    assert hash(matrix) == hash(plain)
    assert matrix == NumeralMatrix((("2.0", "-3/4"), ("6.5e-7", "1.5e20")))
    assert matrix != NumeralMatrix((("2", "-3/4"), ("6.5e-7", "1.5e20")))
    assert matrix != Matrix(((Number("2.0"),),))


@pytest.mark.parametrize("dialect", ["array", "ams"])
def test_a_numeral_matrix_is_written_as_its_cells_are(dialect: str) -> None:
    writer = Writer(load_dialect(dialect))
    rows = (TEXTS[:5], TEXTS[5:])
    cells = Matrix(tuple(tuple(map(numeral_node, row)) for row in rows))
    assert writer.expression(NumeralMatrix(rows)) == writer.expression(cells)


def test_the_spelling_of_a_numeral_matrix() -> None:
    matrix = NumeralMatrix((("-3/4", "2.0"), ("-6.5e-7", "0")))
    array = r"\left[\begin{array}{cc}-\frac{3}{4}& 2.0\\ -6.5\times {10}^{-7}& 0\end{array}\right]"
    assert Writer(load_dialect("array")).expression(matrix) == array
    ams = r"\begin{bmatrix}-\frac{3}{4} & 2.0 \\ -6.5\times 10^{-7} & 0\end{bmatrix}"
    assert Writer(load_dialect("ams")).expression(matrix) == ams


def test_a_rebuilt_numeral_matrix_is_a_matrix() -> None:
    assert rebuild(NumeralMatrix((("1", "2"),)), lambda cell: Number("9")) == Matrix(((Number("9"), Number("9")),))


@given(RATIONALS, st.sampled_from(["integer", "decimal", "natural"]), st.sampled_from(["decimal", "fraction"]))
def test_an_exact_number_is_written_as_its_tree(value: Fraction, kind: Kind, numbers: str) -> None:
    style = Style("fraction" if numbers == "fraction" else "decimal")
    text = exact_text(value.numerator, value.denominator, kind, style)
    assert (None if text is None else numeral_node(text)) == exact_rational(value, kind, style)
    together = exact_texts([value.as_integer_ratio()], kind, style)
    assert together == (None if text is None else [text])
    if text is not None and "e" not in text:
        assert Fraction(text) == value


@given(RATIONALS, st.integers(1, 12))
def test_a_rounded_number_is_the_nearest_decimal(value: Fraction, digits: int) -> None:
    style = Style("decimal", digits)
    text = rounded_text(FIELD.rational(value), "natural", style)
    assert numeral_node(text) == rounded_entry(FIELD.rational(value), "natural", style)
    told = Decimal(text)
    with localcontext() as context:
        context.prec = 60
        nearest = (Decimal(value.numerator) / Decimal(value.denominator)).quantize(
            Decimal(1).scaleb(int(told.as_tuple().exponent)), rounding=ROUND_HALF_EVEN
        )
    assert told == nearest


@pytest.mark.parametrize(
    ("value", "told"),
    [("1/8", "0.12"), ("3/8", "0.38"), ("-1/8", "-0.12"), ("-3/8", "-0.38"), ("1/80", "0.012"), ("12500", "12500")],
)
def test_a_tie_goes_to_the_even_neighbour(value: str, told: str) -> None:
    printed = certify(FIELD.rational(Fraction(value)), 2)
    assert printed.plain == told
    assert printed.tie == ("." in told)
    more = certify(FIELD.rational(Fraction(value) + Fraction(1, 10**9)), 2)  # beyond the middle: always upwards
    assert Fraction(more.plain) >= Fraction(value)


@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40))
def test_the_magnitude_is_the_exponent_of_the_first_digit(value: Fraction) -> None:
    power = magnitude(value)
    assert Fraction(10) ** power <= value < Fraction(10) ** (power + 1)


def test_numbers_too_long_for_a_fraction_are_not_written_exactly() -> None:
    assert exact_text(10**60, 7, "natural", Style("fraction")) is None
    assert exact_texts([(1, 2), (10**60, 7)], "natural", Style("fraction")) is None
    assert exact_text(1, 10**60 + 1, "natural", Style("fraction")) is None
    assert exact_text(10**60 - 1, 7, "natural", Style("fraction")) == f"{10**60 - 1}/7"
    assert exact_text(1, 10**6 + 1, "natural", Style()) is None
    assert exact_text(123456789012345, 1, "natural", Style("fraction")) is None  # 15 digits that count


# --- whole matrices


def test_the_tensor_of_a_whole_matrix_is_a_tensor() -> None:
    values = [Fraction(1, 2), Fraction(-3), Fraction(5, 7), Fraction(0), Fraction(9, 4), Fraction(-1, 6)]
    tensor = whole((2, 3), values).tensor(FIELD)
    plain = Tensor((2, 3), tuple(map(FIELD.rational, values)))
    assert tensor.entry(2, 3) == Fraction(-1, 6)
    assert tensor.entry(1, 2) == -3
    assert tensor == plain
    assert plain == tensor
    assert hash(tensor) == hash(plain)
    assert tensor.rows() == plain.rows()
    assert tensor.entry(1, 3) == Fraction(5, 7)
    assert tensor != Tensor((3, 2), plain.entries)
    with pytest.raises(ShapeError):
        whole((2, 3), values).tensor(FIELD).entry(0, 1)
    assert whole((), [Fraction(3, 4)]).tensor(FIELD).item == Fraction(3, 4)


@given(st.sampled_from([6, 36]).flatmap(lambda count: st.lists(RATIONALS, min_size=count, max_size=count)))
def test_the_ratios_of_a_whole_matrix_are_in_lowest_terms(values: list[Fraction]) -> None:
    matrix = whole((3, 2) if len(values) == 6 else (6, 6), values)
    assert matrix.entries() == [flint.fmpq(value.numerator, value.denominator) for value in values]
    assert list(matrix.ratios()) == [value.as_integer_ratio() for value in values]
    common = matrix.value.numer_denom()
    assert all(abs(int(number)).bit_length() <= matrix.bits for number in (*common[0].entries(), common[1]))


def test_a_matrix_without_a_small_common_denominator() -> None:
    values = [Fraction(1, 3**3000), Fraction(-5, 2**3000)]
    matrix = whole((1, 2), values)
    assert matrix.bits > MOST_COMMON
    assert list(matrix.ratios()) == [value.as_integer_ratio() for value in values]


def test_a_number_beyond_the_cap_is_refused_when_it_is_looked_at() -> None:
    tensor = whole((1, 2), [Fraction(1), Fraction(1 << MAX_RATIONAL_BITS)]).tensor(FIELD)
    assert tensor.entry(1, 1) == 1
    with pytest.raises(LimitError):
        _ = tensor.entries


# --- a step's value


def value_of(rows: list[list[str]], style: Style) -> list[tuple[str, bool]]:
    """A given matrix as its sides: the LaTeX, and whether it is rounded."""
    tape = Tape()
    literal = tuple(tuple(Written.parse(cell) for cell in row) for row in rows)
    tape.add(id="A", name=Name("A"), part="inputs", role="A", kind="input", literal=literal)
    sides = Sides(Values(tape), style, Naming({})).value(tape["A"])
    return [(Writer(load_dialect("ams")).expression(side.node), side.rounded) for side in sides]


def test_a_value_in_decimals() -> None:
    assert value_of([["0.5", "-2"]], Style()) == [(r"\begin{bmatrix}0.5 & -2.0\end{bmatrix}", False)]


def test_a_value_with_a_fraction_is_told_rounded_besides() -> None:
    exact, rounded = value_of([["1/3", "-2.5"]], Style("decimal", 4))
    assert exact == (r"\begin{bmatrix}\frac{1}{3} & -2.5\end{bmatrix}", False)
    assert rounded == (r"\begin{bmatrix}0.3333 & -2.5\end{bmatrix}", True)


def test_a_value_without_a_short_form_is_told_rounded_only() -> None:
    assert value_of([["1/1234567", "2"]], Style()) == [
        (r"\begin{bmatrix}8.10001\times 10^{-7} & 2.0\end{bmatrix}", True)
    ]


def test_a_value_in_fractions_is_told_once() -> None:
    assert value_of([["1/3", "-2.5"]], Style("fraction")) == [
        (r"\begin{bmatrix}\frac{1}{3} & -\frac{5}{2}\end{bmatrix}", False)
    ]
