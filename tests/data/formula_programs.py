"""The 25 formulas as small programs, in SymPy and in PyTorch: the independent side of their tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

Program = dict[str, Any]


class SympyKit:
    """What the programs below are made of, in SymPy; a ReLU's steps are constants where it is differentiated."""

    def ones(self, rows: int, columns: int) -> Any:
        return sympy.ones(rows, columns)

    def root(self, number: int) -> Any:
        return sympy.sqrt(number)

    def each(self, function: str, a: Any) -> Any:
        return a.applyfunc(getattr(sympy, function))

    def odot(self, a: Any, b: Any) -> Any:
        return a.multiply_elementwise(b)

    def over(self, a: Any, b: Any) -> Any:
        return a.multiply_elementwise(b.applyfunc(lambda x: 1 / x))

    def relu(self, a: Any) -> Any:
        return a.applyfunc(lambda x: x if x.subs(dict.fromkeys(x.free_symbols, 0)) > 0 else sympy.Integer(0))

    def beside(self, parts: list[Any]) -> Any:
        return sympy.Matrix.hstack(*parts)

    def softmax(self, a: Any) -> Any:
        powers = a.applyfunc(lambda x: sympy.Integer(0) if x == -sympy.oo else sympy.exp(x))
        return self.over(powers, powers * self.ones(a.cols, a.cols))

    def masked(self, a: Any, mask: Any) -> Any:
        return sympy.Matrix(a.rows, a.cols, lambda i, j: mask[i, j] if mask[i, j] == -sympy.oo else a[i, j])

    def positions(self, p: Any, width: int) -> Any:
        def entry(i: int, j: int) -> Any:
            angle = p[i, 0] / sympy.Integer(10000) ** sympy.Rational(j - j % 2, width)
            return (sympy.cos if j % 2 else sympy.sin)(angle)

        return sympy.Matrix(p.rows, width, entry)


class Step(sympy.Function):  # type: ignore[misc]
    """1 where its argument is positive, else 0; constant but at 0, where nobody asks."""

    def fdiff(self, argindex: int = 1) -> Any:
        return sympy.Integer(0)


class Power(sympy.Function):  # type: ignore[misc]
    """The exponential, which SymPy shall not take apart."""

    def fdiff(self, argindex: int = 1) -> Any:
        return self


class SymbolKit(SympyKit):
    """SymPy on symbols, of which nobody knows the sign."""

    def softmax(self, a: Any) -> Any:
        powers = a.applyfunc(lambda x: sympy.Integer(0) if x == -sympy.oo else Power(x))
        return self.over(powers, powers * self.ones(a.cols, a.cols))

    def relu(self, a: Any) -> Any:
        return a.applyfunc(lambda x: x * Step(x))


class TorchKit:
    """The same in PyTorch, whose automatic differentiation owes nothing to ours."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def ones(self, rows: int, columns: int) -> Any:
        return self.torch.ones(rows, columns, dtype=self.torch.float64)

    def root(self, number: int) -> Any:
        return number**0.5

    def each(self, function: str, a: Any) -> Any:
        return getattr(self.torch, function)(a)

    def odot(self, a: Any, b: Any) -> Any:
        return a * b

    def over(self, a: Any, b: Any) -> Any:
        return a / b

    def relu(self, a: Any) -> Any:
        return self.torch.relu(a)

    def beside(self, parts: list[Any]) -> Any:
        return self.torch.cat(parts, dim=1)

    def softmax(self, a: Any) -> Any:
        return self.torch.softmax(a, dim=1)

    def masked(self, a: Any, mask: Any) -> Any:
        return a.masked_fill(self.torch.isinf(mask), float("-inf"))

    def positions(self, p: Any, width: int) -> Any:
        columns = [
            (self.torch.cos if j % 2 else self.torch.sin)(p / 10000 ** ((j - j % 2) / width)) for j in range(width)
        ]
        return self.torch.cat(columns, dim=1)


class Run:
    """A formula's program carried out: every quantity goes through `at`, which may change it and notes it."""

    def __init__(self, kit: Any, given: Program, change: Callable[[str, Any], Any] = lambda key, value: value) -> None:
        self.kit, self.change = kit, change
        self.known: Program = {}
        for key, value in given.items():
            self.at(key, value)

    def at(self, key: str, value: Any) -> Any:
        self.known[key] = self.change(key, value)
        return self.known[key]

    def __getitem__(self, key: str) -> Any:
        return self.known[key]

    def attention(self, q: Any, k: Any, v: Any, index: str = "", mask: Any = None) -> Any:
        s = self.at(f"S{index}", q @ k.T)
        z = self.at(f"Z{index}", s / self.kit.root(q.shape[1]))
        if mask is not None:
            z = self.at(f"N{index}", self.kit.masked(z, mask))
        return self.at(f"H{index}", self.at(f"P{index}", self.kit.softmax(z)) @ v)

    def multi_head(self, q: Any, k: Any, v: Any, result: str, mask: Any = None) -> Any:
        heads = []
        for i in (1, 2):
            projected = [self.at(f"{n}_{i}", x @ self[f"W_{n}^{i}"]) for n, x in zip("QKV", (q, k, v), strict=True)]
            heads.append(self.attention(*projected, f"_{i}", mask))
        return self.at(result, self.at("C", self.kit.beside(heads)) @ self["W_O"])

    def feed_forward(self, x: Any, result: str) -> Any:
        rows = self.kit.ones(x.shape[0], 1)
        a = self.at("A", self.kit.relu(self.at("H", x @ self["W_1"] + rows @ self["b_1"])))
        return self.at(result, a @ self["W_2"] + rows @ self["b_2"])

    def mean(self, z: Any) -> Any:
        return self.at("mu", z @ self.kit.ones(z.shape[1], 1) / z.shape[1])

    def deviation(self, z: Any) -> Any:
        n = z.shape[1]
        c = self.at("c", z - self.mean(z) @ self.kit.ones(1, n))
        return self.at("sigma", self.kit.each("sqrt", self.kit.odot(c, c) @ self.kit.ones(n, 1) / n))

    def layer_norm(self, z: Any, result: str) -> Any:
        n, rows = z.shape[1], self.kit.ones(z.shape[0], 1)
        sigma = self.deviation(z)
        s = self.at("s", sigma + rows @ self["epsilon"])
        normal = self.kit.over(self["c"], s @ self.kit.ones(1, n))
        return self.at(result, self.kit.odot(normal, rows @ self["gamma"]) + rows @ self["beta"])


def projections(r: Run) -> None:
    for letter in "QKV":
        r.at(letter, r["X"] @ r[f"W_{letter}"])


def up_to_weights(r: Run) -> None:
    r.attention(r["Q"], r["K"], r["K"])


def sublayer(r: Run) -> None:
    r.at("J_F", r["W"].T)
    r.layer_norm(r.at("R", r["x"] + r.at("F", r["x"] @ r["W"])), "Y")


def add_norm(a: str, b: str, result: str) -> Callable[[Run], Any]:
    return lambda r: r.layer_norm(r.at("R", r[a] + r[b]), result)


def embedded(x: str) -> Callable[[Run], Any]:
    def run(r: Run) -> None:
        e = r.at(f"{x}_emb", r[x] @ r["E"])
        r.at(f"{x}_pos", e + r.at("P", r.kit.positions(r["p"], e.shape[1])))

    return run


def output(r: Run) -> None:
    rows = r.kit.ones(r["Z_decoder_output"].shape[0], 1)
    z = r.at("Z", r["Z_decoder_output"] @ r["W_out"] + rows @ r["b_out"])
    r.at("P", r.kit.softmax(z))


PROGRAMS: dict[int, Callable[[Run], Any]] = {
    1: projections,
    2: up_to_weights,
    3: up_to_weights,
    4: up_to_weights,
    5: lambda r: r.at("O", r["P"] @ r["V"]),
    6: lambda r: r.multi_head(r["Q"], r["K"], r["V"], "Y"),
    7: lambda r: r.feed_forward(r["x"], "Y"),
    8: sublayer,
    9: lambda r: r.layer_norm(r["z"], "y"),
    10: lambda r: r.mean(r["z"]),
    11: lambda r: r.deviation(r["z"]),
    12: lambda r: r.at("P", r.kit.positions(r["p"], 4)),
    13: embedded("X"),
    14: lambda r: r.multi_head(r["X_pos"], r["X_pos"], r["X_pos"], "Z_attn"),
    15: add_norm("X_pos", "Z_attn", "Z_add_norm_1"),
    16: lambda r: r.feed_forward(r["Z_add_norm_1"], "Z_ffn"),
    17: add_norm("Z_add_norm_1", "Z_ffn", "Z_encoder_output"),
    18: embedded("Y"),
    19: lambda r: r.multi_head(r["Y_pos"], r["Y_pos"], r["Y_pos"], "Z_masked_attn", r["M"]),
    20: add_norm("Y_pos", "Z_masked_attn", "Z_add_norm_1"),
    21: lambda r: r.multi_head(r["Z_add_norm_1"], r["Z_encoder_output"], r["Z_encoder_output"], "Z_cross_attn"),
    22: add_norm("Z_add_norm_1", "Z_cross_attn", "Z_add_norm_2"),
    23: lambda r: r.feed_forward(r["Z_add_norm_2"], "Z_ffn"),
    24: add_norm("Z_add_norm_2", "Z_ffn", "Z_decoder_output"),
    25: output,
}


def words(run: Run) -> dict[str, Callable[..., Any]]:
    """The words that formulas contain, defined by the programs above, on the inputs of one."""
    kit, scratch = run.kit, Run(run.kit, run.known)
    return {
        "softmax": kit.softmax,
        "ReLU": kit.relu,
        "Attention": lambda q, k, v: scratch.attention(q, k, v),
        "MultiHead": lambda q, k, v: scratch.multi_head(q, k, v, "word"),
        "MaskedMultiHead": lambda q, k, v: scratch.multi_head(q, k, v, "word", run["M"]),
        "FFN": lambda x: scratch.feed_forward(x, "word"),
        "LayerNorm": lambda z: scratch.layer_norm(z, "word"),
        "Sublayer": lambda x: x @ run["W"],
        "Embedding": lambda x: x @ run["E"],
        "PositionalEncoding": lambda x: kit.positions(run["p"], run["E"].shape[1]),
    }
