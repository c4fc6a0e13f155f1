"""The proof of the vjps has teeth: every vjp with a sign, a factor, a transpose or a place changed is refused.

Whether a changed formula is a different one is decided by another route: both are carried out on
random rational numbers, as enclosures. The proof must refuse exactly those that differ.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from symtrans.errors import SymtransError, UndefinedValue
from symtrans.notation import tree as t
from symtrans.notation.reader import read_name
from symtrans.notation.tree import Node
from symtrans.ops import all_ops
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.formulas import member_names, run, vjp_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.op import Op
from symtrans.ops.proof import (
    cotangent_name,
    has_vjp,
    prove,
    sample_count,
    sample_lengths,
    sample_settings,
    sample_shapes,
)
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

TWO = t.Number("2")
WITH_ZEROS = ("shift_right", "zeros_like")  # whatever is done to their zeros, they stay
OF_THE_SAME_SIGN = tuple((op, what) for op in ("relu", "reglu") for what in ("doubled", "another name"))  # as 2X, X
IN_THE_OTHER_BRANCH = ("warm_up",)  # the minimum is its second argument at the sample, whatever the first is


def minus(node: Node) -> Node:
    return t.Sum((t.Term(-1, t.Group(node)),))


def changed_here(node: Node, names: list[t.Symbol]) -> Iterator[tuple[str, Node]]:
    """What can go wrong at one node."""
    match node:
        case t.Sum(terms):
            for place, term in enumerate(terms):
                rest = (*terms[:place], *terms[place + 1 :])
                yield "sign", t.Sum((*terms[:place], t.Term(-term.sign, term.node), *terms[place + 1 :]))
                if rest:
                    yield "term dropped", t.Sum(rest)
        case t.Product(factors, operators):
            for place in range(len(factors)):
                kept = [pair for i, pair in enumerate(zip(factors, ("", *operators), strict=True)) if i != place]
                rest = [factor for factor, _ in kept]
                joints = [operator for _, operator in kept[1:]]
                yield "factor dropped", rest[0] if len(rest) == 1 else t.Product(tuple(rest), tuple(joints))
            for place, operator in enumerate(operators):
                other: t.Operator = "" if operator == "odot" else "odot"
                yield "product changed", replace(node, operators=(*operators[:place], other, *operators[place + 1 :]))
            if len(factors) == 2:
                yield "factors exchanged", t.Product(factors[::-1], operators)
        case t.Transpose(base):
            yield "transpose dropped", base
        case t.Symbol():
            yield "transpose added", t.Transpose(node)
            yield "doubled", t.Product((TWO, node), ("",))
            yield from (("another name", name) for name in names if name != node)
        case t.Fraction(numerator, denominator):
            yield "denominator dropped", numerator
            yield "fraction inverted", t.Fraction(denominator, numerator)
        case t.Root(body):
            yield "root dropped", body
        case t.BigSum(body):
            yield "sum dropped", body
        case t.Number(text):
            yield "number changed", t.Number(f"1{text}")
        case t.Slice(_, rows, columns):
            for field, side in (("rows", rows), ("columns", columns)):
                if side is not None:
                    for step in (-1, 1):
                        moved = tuple(t.Sum((t.Term(1, end), t.Term(step, t.Number("1")))) for end in side)
                        yield "slice moved", replace(node, **{field: moved})
                    yield "slice taken whole", replace(node, **{field: None})


def mutants(node: Node, names: list[t.Symbol]) -> Iterator[tuple[str, Node]]:
    """Every formula with one change at one place."""
    yield from changed_here(node, names)
    below = list(t.children(node))
    for place, child in enumerate(below):
        for what, changed in mutants(child, names):
            position = iter(range(len(below)))
            yield what, t.rebuild(node, lambda c, n=position, new=changed: new if next(n) == place else c)  # noqa: B023


def random_tensor(shape: Shape, source: random.Random, algebra: BallAlgebra, least: int) -> Tensor[Any]:
    count = shape[0] * shape[1] if shape else 1
    numbers = (Fraction(source.randint(least, 99), source.randint(1, 19)) for _ in range(count))
    return Tensor(shape, tuple(algebra.scalars.number(number) for number in numbers))


def differs(op: Op, position: int, formula: Node) -> bool:
    """Whether the formula is not the op's vjp: another shape, no value, or other numbers at random points."""
    algebra = BallAlgebra(256)
    count = sample_count(op)
    valued = 0
    for seed in range(4):
        source, least = random.Random(seed), 1 if seed % 2 else -99
        operands = [random_tensor(shape, source, algebra, least) for shape in sample_shapes(op)]
        try:
            result = run(op, operands, algebra, sample_settings(op))
        except UndefinedValue:  # a root, of which positive operands have one
            continue
        valued += 1
        names = {name.key: given for name, given in zip(member_names(op, count), operands, strict=True)}
        names |= {read_name(op.result.name).key: result}
        names |= {cotangent_name(op).key: random_tensor(result.shape, source, algebra, -99)}
        lengths = sample_lengths(op, position)
        right = interpret(vjp_tree(op, position, count), names, algebra, lengths)
        try:
            given = interpret(formula, names, algebra, lengths)
        except SymtransError:
            return True
        if given.shape != right.shape:
            return True
        if not all(x.overlaps(y) for x, y in zip(given.entries, right.entries, strict=True)):
            return True
    assert valued > 1
    return False


def test_the_proof_refuses_every_vjp_that_is_changed() -> None:
    tried: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    alike: Counter[str] = Counter()
    survivors: list[str] = []
    ops = {name: op for name, op in all_ops().items() if op.vjp}
    of_op: Counter[str] = Counter()
    for name, op in ops.items():
        count = sample_count(op)
        for position in (place for place in range(count) if has_vjp(op, place)):
            tree = vjp_tree(op, position, count)
            known = [*member_names(op, count), read_name(op.result.name), cotangent_name(op)]
            changed = [("sign of all", minus(tree)), *mutants(tree, [t.Symbol(n) for n in known])]
            for what, formula in changed:
                tried[what] += 1
                proven = not prove(op, position, formula).faults
                if proven and differs(op, position, formula):
                    survivors.append(f"{name}, operand {position + 1}: {what}")
                elif proven:
                    alike[what] += name not in WITH_ZEROS + IN_THE_OTHER_BRANCH and (name, what) not in OF_THE_SAME_SIGN
                else:
                    assert differs(op, position, formula), f"{name} {what}: refused, and it is the same formula"
                    refused[what] += 1
                    of_op[name] += 1
    differing = sum(refused.values())
    print(f"{sum(tried.values())} changed vjps: {differing} refused, {alike.total()} alike by coincidence")
    print(f"by change: {dict(tried)}", f"alike: {dict(alike)}", sep="\n")
    assert survivors == []
    # A scalar's transpose, the order of a scalar factor, ⊙ in place of a scalar's product: nothing else may be alike.
    assert set(+alike) == {"transpose added", "factors exchanged", "product changed"}
    assert set(of_op) == set(ops)
    assert differing > 400
