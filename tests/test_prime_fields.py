"""The prime fields: exponentials are homomorphisms, roots are canonical, derivatives are those of other libraries.

Small fields are worked out by hand; rational arithmetic is compared with fractions, dual numbers with mpmath and with
SymPy's derivatives, and every operation's vjp is carried out modulo primes against dual numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy

from symtrans.errors import LimitError, Undecided, UndefinedValue
from symtrans.exact.degree_scalars import DegreeScalars
from symtrans.exact.dual_scalars import DualScalars
from symtrans.exact.prime_scalars import PrimeScalars, Residues, TooLow
from symtrans.exact.prime_tower import Tower, tower
from symtrans.exact.sided_balls import SidedBalls
from symtrans.notation.reader import read_name
from symtrans.ops import all_ops
from symtrans.ops.algebra import Algebra
from symtrans.ops.domains.prime import PrimeAlgebra, nested_exponentials
from symtrans.ops.formulas import member_names, run, vjp_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.op import Op
from symtrans.ops.proof import (
    cotangent_name,
    has_vjp,
    sample_count,
    sample_lengths,
    sample_settings,
    sample_shapes,
)
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

OverRegistry = Callable[[Callable[[Op], int]], dict[str, int]]
BY_HAND = PrimeScalars(Tower((23, 11), (2,)), "by hand")  # 2 has the order 11 modulo 23


def scalars(height: int = 4, seed: str = "seed") -> PrimeScalars:
    return PrimeScalars(tower(height), seed)


def number(prime: PrimeScalars, value: int | Fraction) -> Residues:
    return prime.number(Fraction(value))


# --- the tower


@pytest.mark.parametrize(("height", "squares"), [(1, ()), (2, (4, 6)), (7, (64, 11, 35)), (12, (26,))])
def test_a_tower_is_one(height: int, squares: tuple[int, ...]) -> None:
    known = tower(height, squares)
    assert known.height == height
    assert known.primes[-1].bit_length() == 62
    for prime in known.primes:
        assert sympy.isprime(prime)
        assert prime % 8 == 7
        for square in (2, 3, 5, 7, *squares):
            assert sympy.legendre_symbol(square, prime) == 1
    for (prime, order), base in zip(pairwise(known.primes), known.bases, strict=True):
        assert (prime - 1) % order == 0
        assert base != 1 == pow(base, order, prime)


def test_a_tower_has_an_end() -> None:
    with pytest.raises(LimitError):
        tower(65)
    with pytest.raises(TooLow):
        scalars(1).function("exp", scalars(1).drawn("x"))


# --- by hand


def test_exponentials_by_hand() -> None:
    three, five = number(BY_HAND, 3), number(BY_HAND, 5)
    assert (three, five) == ((3, 3), (5, 5))
    assert BY_HAND.function("exp", three) == (8,)  # 2^3
    assert BY_HAND.function("exp", five) == (9,)  # 2^5 = 32
    assert BY_HAND.multiply((8,), (9,)) == (3,)  # 72 = 3·23 + 3
    assert BY_HAND.function("exp", BY_HAND.add(three, five)) == (3,)  # 2^8 = 256 = 11·23 + 3
    assert BY_HAND.softmax([three, five, ()]) == [(14,), (10,), (0,)]  # 8·19 and 9·19, for 17·19 = 1


def test_numbers_and_roots_by_hand() -> None:
    assert number(BY_HAND, Fraction(1, 2)) == (12, 6)
    assert BY_HAND.function("sqrt", (2,)) == (18,)  # 18² = 324 = 14·23 + 2, and 18 = 8² is a square, 5 is none
    assert BY_HAND.function("sqrt", (4,)) == (2,)
    assert BY_HAND.function("abs", (-2 % 23,)) == (2,)
    assert BY_HAND.rootless == []
    BY_HAND.function("sqrt", (5,))
    assert BY_HAND.rootless == [(2, 0)]  # the third root that was taken
    assert [BY_HAND.function("positive", (x,))[0] for x in (2, 21, 0)] == [1, 0, 0]


# --- what holds for numbers holds here


def test_rational_arithmetic_is_that_of_fractions() -> None:
    source, prime = random.Random(1), scalars(3)
    compared = 0
    for _ in range(200):
        a, b = (Fraction(source.randint(-50, 50), source.randint(1, 50)) for _ in range(2))
        x, y = number(prime, a), number(prime, b)
        assert prime.add(x, y) == number(prime, a + b)
        assert prime.subtract(x, y) == number(prime, a - b)
        assert prime.multiply(x, y) == number(prime, a * b)
        assert prime.negate(x) == number(prime, -a)
        assert prime.sum([x, y, x]) == number(prime, 2 * a + b)
        assert prime.power(x, Fraction(3)) == number(prime, a**3)
        if b:
            assert prime.divide(x, y) == number(prime, a / b)
            assert prime.power(y, Fraction(-2)) == number(prime, b**-2)
            compared += 1
    assert compared > 150


def test_functions_keep_their_identities() -> None:
    prime = scalars()
    x, y = prime.drawn("x"), prime.drawn("y")
    one, half = number(prime, 1), Fraction(1, 2)

    def of(name: Any, value: Residues) -> Residues:
        return prime.function(name, value)

    def minus(value: Residues) -> Residues:
        return prime.negate(value)

    assert of("exp", prime.add(x, y)) == prime.multiply(of("exp", x), of("exp", y))
    assert prime.multiply(of("exp", x), of("exp", minus(x))) == one[:3]
    assert prime.power(of("exp", x), half) == of("exp", prime.multiply(x, number(prime, half)))
    assert of("exp", of("exp", x)) != of("exp", of("exp", y))
    assert len(of("exp", of("exp", x))) == 2
    assert of("exp", number(prime, 0)) == one[:3]
    double = of("sigmoid", prime.add(x, x))
    assert of("tanh", x) == prime.subtract(prime.add(double, double), one)
    squared = [prime.power(of(name, x), Fraction(2)) for name in ("sin", "cos")]
    assert prime.sum(squared) == one
    assert of("sin", minus(x)) == minus(of("sin", x))
    assert of("erf", minus(x)) == minus(of("erf", x))
    assert of("cos", minus(x)) == of("cos", x)
    assert (of("log", one), of("sin", minus(number(prime, 0))), of("cos", number(prime, 0))) == (
        number(prime, 0),
        number(prime, 0),
        one,
    )
    assert of("log", x) == of("log", prime.subtract(prime.add(x, y), y)) != of("log", y)


def test_roots_multiply_as_those_of_positive_numbers() -> None:
    prime = PrimeScalars(tower(3, [11]), "roots")
    for value in range(1, 13):
        assert prime.function("sqrt", number(prime, value * value)) == number(prime, value)
    root = {n: prime.function("sqrt", number(prime, n)) for n in (2, 3, 6, 11, 22)}
    assert prime.multiply(root[2], root[3]) == root[6]
    assert prime.multiply(root[2], root[11]) == root[22]
    assert prime.power(number(prime, 10000), Fraction(1, 2)) == number(prime, 100)
    third = prime.power(number(prime, 10000), Fraction(1, 3))
    assert prime.power(third, Fraction(3)) == number(prime, 10000)
    circle = prime.constant("pi")
    assert prime.power(prime.function("sqrt", circle), Fraction(2)) == circle
    assert prime.rootless == []


def test_minus_infinity_is_a_mask_and_nothing_else() -> None:
    prime = scalars()
    masked, x = prime.minus_infinity(), prime.drawn("x")
    assert prime.add(x, masked) == masked
    assert prime.function("exp", masked) == number(prime, 0)
    weights = prime.softmax([x, masked, prime.drawn("y")])
    assert weights[1] == number(prime, 0)[:3]
    assert prime.sum(weights) == number(prime, 1)[:3]
    for refused in (lambda: prime.multiply(x, masked), lambda: prime.subtract(x, masked), lambda: prime.negate(masked)):
        with pytest.raises(Undecided):
            refused()
    with pytest.raises(UndefinedValue):
        prime.softmax([masked, masked])
    with pytest.raises(UndefinedValue):
        prime.divide(x, number(prime, 0))
    with pytest.raises(UndefinedValue):
        prime.function("log", number(prime, 0))
    with pytest.raises(Undecided):
        number(prime, Fraction(1, prime.tower.primes[1]))


def test_what_is_drawn_is_settled_by_the_seed() -> None:
    assert scalars().drawn("x", 1) == scalars().drawn("x", 1) != scalars().drawn("x", 2)
    assert scalars().drawn("x") != scalars(seed="other").drawn("x")


# --- dual numbers

FUNCTIONS = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sqrt": mpmath.sqrt,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tanh": mpmath.tanh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "erf": mpmath.erf,
    "abs": abs,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_slope_of_a_function_is_mpmaths(name: Any) -> None:
    balls = SidedBalls(200)
    for x in (Fraction(3, 7), Fraction(9, 4)):
        tangent = DualScalars(balls).function(name, (balls.number(x), balls.number(Fraction(3))))[1]
        with mpmath.workdps(40):
            true = 3 * mpmath.diff(FUNCTIONS[name], mpmath.mpf(x.numerator) / x.denominator)
            assert abs(mpmath.mpf(tangent.mid().str(40, radius=False)) - true) < mpmath.mpf(10) ** -15
        assert tangent.rad() < 1e-40


def test_dual_numbers_differentiate_rational_functions_as_sympy_does() -> None:
    x, y = sympy.symbols("x y")
    prime = scalars(2)
    dual = DualScalars(prime)
    values = {x: prime.drawn("x"), y: prime.drawn("y")}
    steps = {x: prime.drawn("dx"), y: prime.drawn("dy")}

    def both(build: Callable[[Any, Any, Any], Any], plain: Any) -> None:
        got = build(dual, *((values[s], steps[s]) for s in (x, y)))[1]
        above, below = sympy.fraction(
            sympy.together(plain.diff(x) * sympy.Symbol("a") + plain.diff(y) * sympy.Symbol("b"))
        )
        point = {"x": values[x][0], "y": values[y][0], "a": steps[x][0], "b": steps[y][0]}
        p = prime.tower.primes[0]
        up, down = (int(part.subs(point)) for part in (above, below))
        assert got[0] == up * pow(down, -1, p) % p

    both(lambda d, a, b: d.divide(d.multiply(a, b), d.add(a, b)), x * y / (x + y))
    both(lambda d, a, b: d.subtract(d.power(a, Fraction(-3)), d.negate(d.power(b, Fraction(2)))), x**-3 + y**2)
    both(lambda d, a, b: d.divide(d.number(Fraction(2)), d.subtract(d.number(Fraction(1)), a)), 2 / (1 - x))
    both(lambda d, a, b: d.sum([a, d.multiply(a, a), d.constant("e")]), x + x**2)
    both(lambda d, a, b: d.maximum([d.number(Fraction(0)), d.multiply(b, b)]), y**2)


def test_a_kink_takes_the_side_that_is_told() -> None:
    prime = scalars(1)
    dual = DualScalars(prime)
    x, step = prime.drawn("x"), prime.drawn("dx")
    for side, slope in ((1, step), (-1, None), (0, None)):
        prime.sides = iter([side])
        assert dual.maximum([dual.number(Fraction(0)), (x, step)])[1] == slope
    for side, slope in ((1, step), (-1, prime.negate(step)), (0, None)):
        prime.sides = iter([side])
        assert dual.function("abs", (x, step))[1] == slope


def drawn_tensor(prime: PrimeScalars, shape: Shape, *key: object) -> Tensor[Residues]:
    count = shape[0] * shape[1] if shape else 1
    return Tensor(shape, tuple(prime.drawn(*key, place) for place in range(count)))


def test_every_vjp_agrees_with_dual_numbers_modulo_primes(over_registry: OverRegistry) -> None:
    def check(op: Op) -> int:
        count, shapes, settings = sample_count(op), sample_shapes(op), sample_settings(op)
        squares = [n for shape in shapes for n in shape] + list(settings.values())
        for seed in range(400):  # until all roots exist
            prime = PrimeScalars(tower(3, squares), str(seed))
            operands = [drawn_tensor(prime, shape, "operand", i) for i, shape in enumerate(shapes)]
            result = run(op, operands, PrimeAlgebra(prime), settings)
            if not any(level < 2 for _, level in prime.rootless):
                break
        else:
            pytest.fail(f"{op.name} has no roots")
        names = {n.key: t for n, t in zip(member_names(op, count), operands, strict=True)}
        cotangent = drawn_tensor(prime, result.shape, "cotangent")
        names |= {read_name(op.result.name).key: result, cotangent_name(op).key: cotangent}
        algebra: Algebra[Any] = Algebra(DualScalars(prime))
        compared = 0
        for position in range(count):
            direction = drawn_tensor(prime, shapes[position], "direction", position)
            duals = [
                Tensor(
                    o.shape,
                    tuple(zip(o.entries, direction.entries if i == position else [None] * len(o.entries), strict=True)),
                )
                for i, o in enumerate(operands)
            ]
            pushed = run(op, duals, algebra, settings).map(lambda dual: dual[1])
            pairs = zip(cotangent.entries, pushed.entries, strict=True)
            right = prime.sum([prime.multiply(c, t)[:1] for c, t in pairs if t is not None] or [number(prime, 0)[:1]])
            left = number(prime, 0)[:1]
            if has_vjp(op, position):
                lengths = sample_lengths(op, position)
                given = interpret(vjp_tree(op, position, count), names, PrimeAlgebra(prime), lengths, by_rows=True)
                parts = zip(given.entries, direction.entries, strict=True)
                left = prime.sum([prime.multiply(g, d)[:1] for g, d in parts])
            assert left[:1] == right[:1], (op.name, position)
            compared += 1
        return compared

    over_registry(check)


def test_how_many_exponentials_an_operand_stands_under() -> None:
    ops = all_ops()
    assert nested_exponentials(ops["softmax"], 1) == (1,)
    assert nested_exponentials(ops["swiglu"], 2) == (1, 0)
    assert nested_exponentials(ops["cross_entropy"], 3) == (1, 0, 0)
    assert nested_exponentials(ops["gelu"], 1) == (1,)
    assert nested_exponentials(ops["layer_norm"], 6) == (0,) * 6


# --- degrees


def test_the_degree_is_sympys_or_more_where_something_cancels() -> None:
    prime = scalars(2)
    degrees = DegreeScalars(prime)
    x, y = (degrees.variable(prime.drawn(name)) for name in "xy")
    one, a, b = degrees.number(Fraction(1)), *sympy.symbols("x y")
    cases = [
        (degrees.divide(degrees.add(x, y), degrees.multiply(x, y)), (a + b) / (a * b)),
        (degrees.add(degrees.divide(one, x), degrees.divide(y, x)), (1 + b) / a),
        (degrees.divide(one, degrees.add(one, degrees.divide(one, x))), a / (a + 1)),
        (degrees.subtract(degrees.power(x, Fraction(3)), degrees.divide(x, y)), (a**3 * b - a) / b),
        (degrees.power(degrees.divide(x, y), Fraction(-2)), b**2 / a**2),
        (degrees.sum([x, degrees.divide(one, degrees.add(x, one)), degrees.divide(one, y)]), a + 1 / (a + 1) + 1 / b),
    ]
    for found, expression in cases:
        above, below = sympy.fraction(sympy.cancel(expression))
        assert found.above == sympy.Poly(above, a, b).total_degree()
        assert degrees.common([degrees.divide(one, found)]) == sympy.Poly(below, a, b).total_degree()
    assert degrees.function("exp", degrees.power(x, Fraction(9))).above == 1
    assert degrees.power(degrees.number(Fraction(2)), Fraction(1, 2)).above == 0
    assert degrees.multiply(y, degrees.subtract(x, x)).above == 0
    assert degrees.common([x, degrees.power(y, Fraction(4)), degrees.negate(x)]) == 4
