"""Fifty digits of an example's loss, against its forward pass written out once more for mpmath."""

from __future__ import annotations

from typing import Any

from mpmath import mp, mpf

from symtrans.derive.derivation import derive
from symtrans.model.load import load_spec

Rows = list[list[Any]]


def product(left: Rows, right: Rows) -> Rows:
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left
    ]


def weights(row: list[Any]) -> list[Any]:
    powers = [mp.exp(x) for x in row]
    return [power / sum(powers) for power in powers]


def llama_loss() -> Any:
    """The loss of the `llama` example: root mean square norms, rotary positions, one shared key head, SwiGLU."""
    spec = load_spec("llama")

    def given(key: str, number: int = 0) -> Rows:
        return [[mpf(c.value.numerator) / c.value.denominator for c in row] for row in spec.matrices[key][number]]  # type: ignore[union-attr]

    epsilon = given("epsilon")[0][0]

    def norm(x: Rows, key: str) -> Rows:
        (gamma,) = given(key)
        roots = [mp.sqrt(sum(cell**2 for cell in row) / 4 + epsilon) for row in x]
        return [
            [g * cell / root for g, cell in zip(gamma, row, strict=True)] for row, root in zip(x, roots, strict=True)
        ]

    def turned(x: Rows) -> Rows:
        pairs = [(mp.cos(p), mp.sin(p)) for p in range(len(x))]
        return [[c * a - s * b, s * a + c * b] for (a, b), (c, s) in zip(x, pairs, strict=True)]

    def added(x: Rows, y: Rows) -> Rows:
        return [[a + b for a, b in zip(one, other, strict=True)] for one, other in zip(x, y, strict=True)]

    x = product(given("tokens"), given("E"))
    y = norm(x, "gamma_1")
    keys, values = turned(product(y, given("W_K"))), product(y, given("W_V"))
    joined: Rows = [[] for _ in x]
    for head in range(2):
        queries = turned(product(y, given("W_Q", head)))
        for place, query in enumerate(queries):
            scores = [sum(a * b for a, b in zip(query, key, strict=True)) / mp.sqrt(2) for key in keys[: place + 1]]
            told = weights(scores)
            joined[place] += [sum(w * v[j] for w, v in zip(told, values, strict=False)) for j in range(2)]
    x = added(x, product(joined, given("W_O")))
    y = norm(x, "gamma_2")
    gate, up = product(y, given("W_gate")), product(y, given("W_up"))
    inner = [[g / (1 + mp.exp(-g)) * u for g, u in zip(a, b, strict=True)] for a, b in zip(gate, up, strict=True)]
    x = norm(added(x, product(inner, given("W_down"))), "gamma_final")
    logits = product(x, given("W_out"))
    return -sum(mp.log(weights(row)[label]) for row, label in zip(logits, (3, 0, 2), strict=True)) / 3


def test_fifty_digits_of_the_loss() -> None:
    with mp.workdps(80):
        expected = mp.nstr(llama_loss(), 50, strip_zeros=False)
    assert derive("llama")["L"].decimals(50) == [[expected]]


def test_fewer_digits_are_roundings_of_more() -> None:
    with mp.workdps(80):
        value = llama_loss()
        for digits in (1, 2, 5, 10, 20):
            assert mpf(derive("llama")["L"].decimals(digits)[0][0]) == mpf(mp.nstr(value, max(digits, 2)))
