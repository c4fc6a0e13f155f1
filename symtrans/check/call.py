"""What a call of a well-known procedure means as a formula: `self_attention(Q, K, V)` and its like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from symtrans.notation.brackets import KEYWORD
from symtrans.notation.reader import read_expression
from symtrans.notation.tree import Apply, Node, Number, Symbol, substitute
from symtrans.registry import members

Shape = Callable[[Node], tuple[int, ...] | None]


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call, by place and by name; `shape` tells a node's shape, or None."""

    given: Sequence[Node]
    named: Mapping[str, Node]
    shape: Shape = field(repr=False)

    def get(self, place: int, *names: str) -> Node | None:
        """An argument by one of its names, or else by its place."""
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.given[place] if place < len(self.given) else None

    def integer(self, place: int, *names: str) -> int | None:
        """An argument that is a whole number written out."""
        node = self.get(place, *names)
        return int(node.text) if isinstance(node, Number) and node.text.isdigit() and len(node.text) < 6 else None


@dataclass(frozen=True, slots=True)
class Call:
    """A procedure: its names without underscores in small letters, and the formulas that a call may stand for."""

    name: str
    spellings: tuple[str, ...]
    meanings: Callable[[Arguments], Sequence[Node]]


def formula(template: str, **parts: Node) -> Node:
    """A formula with its names replaced."""
    return substitute(read_expression(template), lambda symbol: parts.get(symbol.name.key))


def meanings(node: Node, shape: Shape) -> Sequence[Node]:
    """What a call may mean; nothing for what is no call of a known procedure."""
    if not isinstance(node, Apply):
        return ()
    call = _spelled().get(node.function.replace("_", "").replace("\\", "").lower())
    if call is None:
        return ()
    named: dict[str, Node] = {}
    given: list[Node] = []
    for argument in node.arguments:
        if isinstance(argument, Apply) and argument.function == KEYWORD and isinstance(argument.arguments[0], Symbol):
            named[argument.arguments[0].name.key.replace("_", "").replace("\\", "").lower()] = argument.arguments[1]
        else:
            given.append(argument)
    return tuple(call.meanings(Arguments(given, named, shape)))


def _spelled() -> dict[str, Call]:
    return {word: call for call in members("symtrans.check.calls", "CALL").values() for word in call.spellings}
