"""A program beside: tensorgrad's symbolic gradients of one attention head, for every matrix; it prints the seconds.

It stands alone: nothing of symtrans is imported here, and nothing of tensorgrad anywhere else.
"""

from __future__ import annotations

import time


def main() -> None:
    """Derive, simplify, and tell how long that took."""
    import sympy
    import tensorgrad.functions as F
    from tensorgrad import Variable

    sizes = sympy.symbols("seq d k v")
    seq, d, k, v = sizes
    start = time.perf_counter()
    x, y = Variable("x", seq, d), Variable("y", seq, v)
    w_q, w_k, w_v = Variable("w_q", d, k), Variable("w_k", d, k), Variable("w_v", d, v)
    query, key, value = x @ w_q, (x @ w_k).rename(seq="key"), (x @ w_v).rename(seq="key")
    weights = F.softmax(F.dot(query, key, dim="k"), dim="key")
    error = F.dot(weights, value, dim="key") - y
    loss = F.frobenius2(error)
    for variable in (x, w_q, w_k, w_v):
        loss.grad(variable).full_simplify()
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
