"""A tower of prime fields, in which an exponential is a homomorphism and small numbers have canonical roots.

Each prime but the last is 1 more than a multiple of the next, so an element of the next field can be an exponent:
`exp(x)` is a fixed element of that order to the power x, and `exp(x + y) = exp(x)·exp(y)`. An exponential of an
exponential takes two steps of the tower, and so on.

Each prime is −1 modulo 8 and modulo the odd primes asked for: then these and 2 are squares in every field, exactly
one of x and −x is a square, and the root of a square that is a square itself is canonical: it multiplies as the
positive roots of positive numbers do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from symtrans.errors import LimitError

BITS = 61
"""How many bits the last and smallest prime has."""
TALLEST = 64
"""How many fields a tower has at most."""
ALWAYS = frozenset({3, 5, 7})


@dataclass(frozen=True, slots=True)
class Tower:
    """The primes from the largest to the smallest, and for each but the last an element of the next one's order."""

    primes: tuple[int, ...]
    bases: tuple[int, ...]

    @property
    def height(self) -> int:
        """How many fields there are: one more than exponentials that can be nested."""
        return len(self.primes)


def tower(height: int, squares: Iterable[int] = ()) -> Tower:
    """The tower of so many fields in which the primes that divide one of `squares` are squares; LimitError if tall."""
    if height > TALLEST:
        raise LimitError(f"more than {TALLEST - 1} exponentials in each other")
    return _tower(height, frozenset(ALWAYS | {p for n in squares for p in _odd_primes(n)}))


@lru_cache(maxsize=64)
def _tower(height: int, wanted: frozenset[int]) -> Tower:
    modulus = 8
    for prime in sorted(wanted):
        modulus *= prime
    primes = [_first_prime(modulus - 1 + modulus * ((1 << BITS) // modulus), modulus)]
    while len(primes) < height:
        last = primes[0]
        start = -2 * pow(last, -1, modulus) % modulus  # 1 + start·last is −1 modulo the modulus
        primes.insert(0, _first_prime(1 + start * last, modulus * last))
    bases = []
    for prime, order in pairwise(primes):
        candidate = 2
        while pow(candidate, (prime - 1) // order, prime) == 1:
            candidate += 1
        bases.append(pow(candidate, (prime - 1) // order, prime))
    return Tower(tuple(primes), tuple(bases))


def _first_prime(start: int, step: int) -> int:
    """The first prime from `start` on in steps of `step`."""
    import flint

    while not flint.fmpz(start).is_prime():
        start += step
    return start


def _odd_primes(number: int) -> set[int]:
    """The odd primes that divide a whole number."""
    found, divisor = set(), 3
    while number and number % 2 == 0:
        number //= 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found.add(divisor)
            number //= divisor
        divisor += 2
    return found | ({number} if number > 1 else set())
