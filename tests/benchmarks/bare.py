"""The hand calculation written down as bare calls of a matrix library: forward, loss and all gradients.

It serves `flint.fmpq_mat` and `flint.arb_mat` alike, and nothing of symtrans takes part in it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

HEADS = 3


def numbers() -> dict[str, list[list[Fraction]]]:
    """The matrices of the hand calculation."""
    step = [[Fraction(k + 4 * row, 10) for k in range(1, 5)] for row in (0, 1)]
    identity = [[Fraction(int(i == j)) for j in range(2)] for i in range(2)]
    return {
        "x": [[Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)]],
        "y": identity,
        "W_emb": identity,
        "W_Q": step,
        "W_K": [[entry + Fraction(1, 10) for entry in row] for row in step],
        "W_V": [[entry + Fraction(2, 10) for entry in row] for row in step],
        "W_O": [[Fraction(int(i == j)) for j in range(2)] for i in range(12)],
    }


def forward_backward(matrix: Any, given: dict[str, Any], exp: Any = None) -> dict[str, Any]:
    """All values of the calculation; `matrix` makes one of its height, its width and its entries.

    With `exp`, the exponential of an entry, the weights are the softmax; without it they are `half`.
    """
    x, y, w_emb, w_o = (given[name] for name in ("x", "y", "W_emb", "W_O"))
    w_q, w_k, w_v = (given[name] for name in ("W_Q", "W_K", "W_V"))
    h = x * w_emb
    heads = []
    for _ in range(HEADS):
        q, k, v = h * w_q, h * w_k, h * w_v
        s = q * k.transpose()
        a = weights(matrix, s, exp) if exp else given["half"]
        heads.append((q, k, v, a, a * v))
    o = matrix(2, 12, [entry for i in (0, 1) for head in heads for entry in head[4].entries()[4 * i : 4 * i + 4]])
    error = o * w_o - y
    loss = sum(e * e for e in error.entries()) / 2
    do = (error * w_o.transpose()).entries()
    found = {"L": loss, "dL/dW_O": o.transpose() * error}
    dh = matrix(2, 2, [0] * 4)
    for number, (q, k, v, a, _) in enumerate(heads):
        part = slice(4 * number, 4 * number + 4)
        d_own = matrix(2, 4, do[:12][part] + do[12:][part])
        dv = a.transpose() * d_own
        found[f"dL/dW_V{number + 1}"] = h.transpose() * dv
        dh = dh + dv * w_v.transpose()
        if exp:
            ds = before_softmax(matrix, a, d_own * v.transpose())
            dq, dk = ds * k, ds.transpose() * q
            found[f"dL/dW_Q{number + 1}"] = h.transpose() * dq
            found[f"dL/dW_K{number + 1}"] = h.transpose() * dk
            dh = dh + dq * w_q.transpose() + dk * w_k.transpose()
    found["dL/dW_emb"] = x.transpose() * dh
    found["dL/dx"] = dh * w_emb.transpose()
    return found


def weights(matrix: Any, s: Any, exp: Any) -> Any:
    """The softmax of two rows."""
    powers = [exp(entry) for entry in s.entries()]
    return matrix(2, 2, [p / total for r in (0, 2) for total in [powers[r] + powers[r + 1]] for p in powers[r : r + 2]])


def before_softmax(matrix: Any, a: Any, da: Any) -> Any:
    """The cotangent of the scores: each row a ⊙ (da − Σ a ⊙ da)."""
    own, given = a.entries(), da.entries()
    entries = []
    for r in (0, 2):
        mean = own[r] * given[r] + own[r + 1] * given[r + 1]
        entries += [own[i] * (given[i] - mean) for i in (r, r + 1)]
    return matrix(2, 2, entries)
