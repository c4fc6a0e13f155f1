"""Arithmetic modulo primes: where two formulas differ at a random point they differ, where they agree that supports.

Rational identities hold in a prime field too, and so do those of exponentials (`exp(x+y) = exp(x)·exp(y)`), of
roots and rational powers of positive numbers, of tanh and the sigmoid, which are made of exponentials. The error
function, the logarithm, sine and cosine and pi are values drawn by the argument: equal arguments have equal ones,
erf and sine are odd, cosine is even, and `sin² + cos² = 1`. Other identities, such as `log(xy) = log x + log y`, do
not hold here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from hashlib import shake_128
from typing import TypeAlias

from symtrans.errors import LimitError, Undecided, UndefinedValue
from symtrans.exact.kinks import largest
from symtrans.exact.prime_tower import Tower
from symtrans.exact.scalars import ConstantName, FunctionName

Residues: TypeAlias = tuple[int, ...]
"""An entry's residue modulo each prime of the tower, as far as it has them; none is minus infinity."""


class TooLow(LimitError):
    """More exponentials in each other than the tower of primes has fields for."""


class PrimeScalars:
    """The scalars are residues in a tower of prime fields.

    A value keeps a residue for each field in which it is known; an exponential has one less than its
    argument, so values that meet keep the residues that both have. `seed` settles all that is drawn.
    A number that is no square has no root, and what is returned for such a root means nothing: `roots`
    counts the roots that were taken, `rootless` notes which of them, in which field. A kink has no
    sides in a finite field: which side to take is read from `sides`; without them squares are positive.
    """

    def __init__(self, tower: Tower, seed: str) -> None:
        self.tower = tower
        self.seed = seed
        self.roots = 0
        self.rootless: list[tuple[int, int]] = []
        self.sides: Iterator[int] | None = None
        self._numbers: dict[Fraction, Residues] = {}

    def drawn(self, *key: object) -> Residues:
        """An entry drawn at random by a key, other than 0; the same for the same seed and key."""
        return tuple(self._drawn(level, *key) for level in range(self.tower.height))

    def _drawn(self, level: int, *key: object) -> int:
        prime = self.tower.primes[level]
        text = "|".join(map(str, (self.seed, level, *key)))
        digest = shake_128(text.encode()).digest((prime.bit_length() + 7) // 8 + 16)
        return 1 + int.from_bytes(digest, "big") % (prime - 1)

    def number(self, value: Fraction) -> Residues:
        """A rational number."""
        known = self._numbers.get(value)
        if known is None:
            if any(value.denominator % p == 0 for p in self.tower.primes):
                raise Undecided("a number's denominator is a multiple of one of the primes")
            known = tuple(value.numerator * pow(value.denominator, -1, p) % p for p in self.tower.primes)
            self._numbers[value] = known
        return known

    def constant(self, name: ConstantName) -> Residues:
        """Pi, a square that is drawn, or e."""
        if name == "e":
            return self.function("exp", self.number(Fraction(1)))
        root = self.drawn("pi")
        return self.multiply(root, root)

    def minus_infinity(self) -> Residues:
        """A masked entry."""
        return ()

    def add(self, left: Residues, right: Residues) -> Residues:
        """The sum."""
        return tuple((x + y) % p for x, y, p in zip(left, right, self.tower.primes, strict=False))

    def subtract(self, left: Residues, right: Residues) -> Residues:
        """The difference."""
        if not right:
            raise Undecided("minus infinity is taken away")
        return tuple((x - y) % p for x, y, p in zip(left, right, self.tower.primes, strict=False))

    def multiply(self, left: Residues, right: Residues) -> Residues:
        """The product; an infinity has none here."""
        result = tuple(x * y % p for x, y, p in zip(left, right, self.tower.primes, strict=False))
        return result or self._infinite()

    def divide(self, left: Residues, right: Residues) -> Residues:
        """The quotient; UndefinedValue for a divisor of zero."""
        if not all(right):
            raise UndefinedValue("a division by zero has no value")
        return self.multiply(
            left, tuple(pow(y, -1, p) for y, p in zip(right, self.tower.primes[: len(left)], strict=False))
        )

    def negate(self, value: Residues) -> Residues:
        """The opposite."""
        return tuple(-x % p for x, p in zip(value, self.tower.primes, strict=False)) or self._infinite()

    def power(self, base: Residues, exponent: Fraction) -> Residues:
        """A rational power; a number that is no square has only whole ones, and a divisor of 0 none."""
        if exponent < 0:
            return self.divide(self.number(Fraction(1)), self.power(base, -exponent))
        whole = exponent.denominator == 1
        result = []
        for level, (x, p) in enumerate(zip(base, self.tower.primes, strict=False)):
            count = exponent.numerator
            if not whole:
                self._root_exists(level, x)
                count = count * pow(exponent.denominator, -1, (p - 1) // 2) % ((p - 1) // 2)
            result.append(pow(x, count, p))
        self.roots += not whole
        return tuple(result) or self._infinite()

    def function(self, name: FunctionName, argument: Residues) -> Residues:
        """A function of one variable."""
        match name:
            case "exp":
                return self._exponential(argument)
            case "sqrt":
                return self.power(argument, Fraction(1, 2))
            case "sigmoid":
                one = self.number(Fraction(1))
                return self.divide(one, self.add(one, self._exponential(self.negate(argument))))
            case "tanh":
                one, double = self.number(Fraction(1)), self._exponential(self.add(argument, argument))
                return self.divide(self.subtract(double, one), self.add(double, one))
            case "abs":
                return self.negate(argument) if self.side(argument) < 0 else argument
            case "positive":
                return self.number(Fraction(self.side(argument) > 0))
            case "log":
                return self._logarithm(argument)
        return self._odd_or_even(name, argument)

    def _exponential(self, argument: Residues) -> Residues:
        if not argument:
            return self.number(Fraction(0))
        if len(argument) == 1:
            raise TooLow("the tower of primes is too low")
        return tuple(map(pow, self.tower.bases, argument[1:], self.tower.primes))

    def _logarithm(self, argument: Residues) -> Residues:
        if not argument or not argument[0]:
            raise UndefinedValue("the logarithm of zero has no value")
        if argument[0] == 1:
            return self.number(Fraction(0))[: len(argument)]
        return tuple(self._drawn(level, "log", argument[0]) for level in range(len(argument)))

    def _odd_or_even(self, name: FunctionName, argument: Residues) -> Residues:
        """Sine, cosine or the error function, drawn by the one of x and -x that is a square."""
        if not argument:
            self._infinite()
        first, prime = argument[0], self.tower.primes[0]
        if not first:
            return self.number(Fraction(name == "cos"))[: len(argument)]
        sign = 1 if pow(first, (prime - 1) // 2, prime) == 1 else -1
        key = first if sign > 0 else prime - first
        result = []
        for level in range(len(argument)):
            p = self.tower.primes[level]
            value = self._drawn(level, "erf" if name == "erf" else "angle", key)
            if name != "erf":  # a point of the circle, by the slope of a line through (-1, 0)
                below = pow(1 + value * value, -1, p)
                value = 2 * value * below if name == "sin" else (1 - value * value) * below
            result.append((value if name == "cos" else sign * value) % p)
        return tuple(result)

    def softmax(self, logits: Sequence[Residues]) -> list[Residues]:
        """The weights of one row; masked entries weigh 0."""
        if not any(logits):
            raise UndefinedValue("every entry of the row is masked, so its softmax has no value")
        powers = [self._exponential(logit) for logit in logits]
        share = self.divide(self.number(Fraction(1)), self.sum(powers))
        return [self.multiply(power, share) for power in powers]

    def side(self, value: Residues) -> int:
        """On which side of 0 a value lies: 1, -1 or 0."""
        if self.sides is not None:
            return next(self.sides)
        p = self.tower.primes[0]
        return 0 if not value[0] else 1 if pow(value[0], (p - 1) // 2, p) == 1 else -1

    def maximum(self, values: Sequence[Residues]) -> Residues:
        """The largest value."""
        return values[largest(self, values)]

    def sum(self, values: Sequence[Residues]) -> Residues:
        """The total; 0 for none."""
        if not values:
            return self.number(Fraction(0))
        return tuple(sum(parts) % p for parts, p in zip(zip(*values, strict=False), self.tower.primes, strict=False))

    def is_zero(self, value: Residues) -> bool:
        """Whether all residues are zero."""
        return bool(value) and not any(value)

    def _root_exists(self, level: int, value: int) -> None:
        """Notes a number that is no square of its field."""
        prime = self.tower.primes[level]
        if value and pow(value, (prime - 1) // 2, prime) != 1:
            self.rootless.append((self.roots, level))

    @staticmethod
    def _infinite() -> Residues:
        raise Undecided("an infinity is neither added up nor multiplied here")
