"""The value of a side in one world: its names resolved there, some of its literals replaced, faults as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from symtrans.check.lengths import lengths, size_of
from symtrans.check.page_algebra import PageAlgebra
from symtrans.check.sums import bounded, entry
from symtrans.errors import LimitError, ShapeError, SymtransError, Undecided, UndefinedValue
from symtrans.exact.scalars import Scalars
from symtrans.notation.name import AnyName, Name
from symtrans.notation.tree import Dots, Fraction, Matrix, Node, Number, Product, Symbol, rebuild, walk
from symtrans.ops.functions import UnknownFunction
from symtrans.ops.interpret import NotEvaluated, UnknownName, interpret
from symtrans.ops.tensor import Tensor

S = TypeVar("S")
MAX_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """A value, or the fault that there is none: its code and a few words; `names` are the undefined ones."""

    value: Tensor[S] | None = None
    code: str = ""
    reason: str = ""
    names: tuple[AnyName, ...] = field(default=())

    @property
    def is_shape_fault(self) -> bool:
        """Whether an operation met shapes that it does not allow."""
        return self.code == "ST201"

    @property
    def is_outside(self) -> bool:
        """Whether an operation met exact operands for which it has no value: a division by 0."""
        return self.code == "ST107"


def evaluate(
    tree: Node,
    find: Callable[[AnyName], Tensor[S] | None],
    scalars: Scalars[S],
    replaced: Mapping[int, Tensor[S]] | None = None,
    loose: bool = False,
) -> Outcome[S]:
    """The value of a tree. `replaced` gives the values of some of its nodes, by `id`, instead of their own."""
    unknown = undefined(bounded(tree, find), find)
    if unknown:
        return Outcome(code="ST301", reason="not defined: " + ", ".join(name.key for name in unknown), names=unknown)
    if any(isinstance(node, Dots) for node in walk(tree)):
        return Outcome(code="ST902", reason="an ellipsis has no value")
    put: dict[str, Tensor[S]] = {}
    prepared = bounded(_with_values(tree, replaced, put) if replaced else tree, find)
    algebra = PageAlgebra(scalars, loose=loose, dots=not _juxtaposes_lists(tree))

    def meant(name: AnyName) -> Tensor[S] | None:
        if name.key in put:
            return put[name.key]
        found = find(name)
        return found if found is not None else entry(name, find)  # only a sum's index is left undefined here

    try:
        return Outcome(interpret(prepared, meant, algebra, lengths(prepared, meant)))
    except ShapeError as fault:
        return Outcome(code="ST201", reason=str(fault))
    except UnknownName as fault:
        return Outcome(code="ST301", reason=str(fault), names=(fault.name,))
    except (NotEvaluated, UnknownFunction) as fault:
        return Outcome(code="ST902", reason=str(fault))
    except UndefinedValue as fault:
        return Outcome(code="ST107" if _is_exact(tree) else "ST902", reason=str(fault))
    except (LimitError, Undecided) as fault:
        return Outcome(code="ST901", reason=str(fault))
    except (SymtransError, RecursionError) as fault:
        return Outcome(code="ST902", reason=str(fault) or "nested too deep")


def _is_exact(tree: Node) -> bool:
    """Whether it is an exact 0 that there is no value for: a printed 0.00 may be the rounding of something else."""
    if any(isinstance(node, Fraction) and node.denominator == Number("0") for node in walk(tree)):
        return True
    return all("." not in node.text and "e" not in node.text.lower() for node in walk(tree) if isinstance(node, Number))


def undefined(tree: Node, find: Callable[[AnyName], Any]) -> tuple[AnyName, ...]:
    """The names of a tree that stand for nothing here, each once; an applied σ and constants are none."""
    from symtrans.notation.tree import BigSum

    bound = {node.index for node in walk(tree) if isinstance(node, BigSum) and node.index is not None}
    found: dict[AnyName, None] = {}
    applied = {id(f) for node in walk(tree) if isinstance(node, Product) for f in _applied_sigmas(node)}
    for node in walk(tree):
        if not isinstance(node, Symbol) or id(node) in applied or node.name in bound:
            continue
        name = node.name
        if find(name) is None and not _is_known(name, find) and not _indexed_by(name, bound):
            found[name] = None
    return tuple(found)


def _indexed_by(name: AnyName, bound: set[Any]) -> bool:
    keys = {index.key for index in bound}
    return isinstance(name, Name) and any(key in piece.text for key in keys for piece in name.subscript)


def _is_known(name: AnyName, find: Callable[[AnyName], Any]) -> bool:
    if not isinstance(name, Name):
        return False
    if name == Name("pi", is_command=True):
        return True
    size = size_of(name)
    return size is not None and (size.isdigit() or bool(lengths(Symbol(name), find)))


def _applied_sigmas(product: Product) -> list[Node]:
    from symtrans.notation.tree import Group

    sigma = Name("sigma", is_command=True)
    return [
        factor
        for place, factor in enumerate(product.factors[:-1])
        if isinstance(factor, Symbol) and factor.name == sigma and product.operators[place] == ""
        and isinstance(product.factors[place + 1], Group)
    ]  # fmt: skip


def _with_values(tree: Node, replaced: Mapping[int, Tensor[S]], put: dict[str, Tensor[S]]) -> Node:
    """The tree with symbols of our own where values are given."""
    if id(tree) in replaced:
        symbol = Name(f"¤{len(put)}")
        put[symbol.key] = replaced[id(tree)]
        return Symbol(symbol, span=tree.span)
    return rebuild(tree, lambda child: _with_values(child, replaced, put))


def _juxtaposes_lists(tree: Node) -> bool:
    """Whether two rows stand side by side without a sign, which is no product of vectors."""
    for node in walk(tree):
        if isinstance(node, Product):
            for place, operator in enumerate(node.operators):
                pair = node.factors[place], node.factors[place + 1]
                if operator == "" and all(isinstance(f, Matrix) and len(f.rows) == 1 for f in pair):
                    return True
    return False
