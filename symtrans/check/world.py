"""The names of a document as far as it has been read: what each stands for as written, and in truth."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from symtrans.check.finding import Root
from symtrans.check.stated import Numeral
from symtrans.check.sums import entry
from symtrans.exact.field import Element
from symtrans.exact.sign import equal
from symtrans.notation.name import AnyName, Name
from symtrans.notation.tree import Node
from symtrans.ops.tensor import Tensor

Value = Tensor[Element]


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a name stands for.

    `written` is its value as stated, `truth` as its definition gives it, `exact` what is stated
    before it was rounded. `root` is the faulty link that it depends on. `uses` are the names of its
    definition with the version that they had then; `sides` are the expressions that define it.
    `epoch` counts headings, list items and cues up to its definition, `prose` the texts. `by_literal`:
    it is nowhere defined, a literal stands for it. `printed` are the numerals of a result that was
    printed rounded, `digits` their value where the name stands for what it was before. `uncertain`: it was
    computed from something that is known only as a rounding.
    """

    name: AnyName
    written: Value
    truth: Value
    exact: Value
    root: Root | None = None
    uses: tuple[tuple[str, int], ...] = ()
    sides: tuple[Node, ...] = field(default=(), repr=False)
    epoch: int = 0
    is_list: bool = False
    is_given: bool = False
    by_literal: bool = False
    prose: int = 0
    assumed: bool = False
    printed: tuple[Numeral | None, ...] | None = field(default=None, repr=False)
    digits: Value | None = field(default=None, repr=False)
    uncertain: bool = False

    @property
    def is_known_rounded(self) -> bool:
        """Whether all that is known of it is a rounding: what it was before is nowhere told."""
        if self.printed is None:
            return False
        return self.uncertain or (self.root is None and self.exact.entries == self.written.entries)


class World:
    """The quantities by name; fonts count only where two names differ in nothing else."""

    def __init__(self) -> None:
        self._by_key: dict[str, dict[AnyName, Quantity]] = {}
        self._versions: dict[str, int] = {}
        self.order: list[Quantity] = []
        self.later: dict[str, Quantity] = {}
        self.doubted: dict[str, Quantity] = {}
        self.takes_doubted = False
        self.takes_entries = False
        self.takes_digits = False

    def expect(self, given: dict[str, Quantity]) -> None:
        """Quantities that are given further on: they serve until their names are bound."""
        self.later = given

    def meaning(self, name: AnyName) -> Quantity | None:
        """What a name stands for here, or else what is given for it further on.

        With `takes_doubted`, a second giving that may be a new quantity (`if x = 4 ...`) counts before the first.
        With `takes_digits`, a name stands for the digits that were printed of it.
        """
        if self.takes_doubted and name.key in self.doubted:
            return self.doubted[name.key]
        if self.takes_digits:
            known = self.find(name)
            if known is not None and known.digits is not None:
                return replace(known, written=known.digits)
        return self.find(name) or self.later.get(name.key) or self._entry(name)

    def _entry(self, name: AnyName) -> Quantity | None:
        """The entry of a known vector or matrix that a name with an index may mean, with `takes_entries`."""
        if not self.takes_entries or not isinstance(name, Name) or not name.subscript:
            return None
        known = self.find(replace(name, subscript=()))
        if known is None:
            return None
        written, truth, exact = (_entry_of(name, value) for value in (known.written, known.truth, known.exact))
        if written is None:
            return None
        return Quantity(name, written, truth or written, exact or written, known.root)

    def find(self, name: AnyName) -> Quantity | None:
        """What a name stands for: exactly this one, else the one that was last defined of this key."""
        known = self._by_key.get(name.key)
        if not known:
            return None
        return known.get(name) or next(reversed(known.values()))

    def same(self, name: AnyName, shape: tuple[int, ...] | None) -> Quantity | None:
        """The quantity that a second `name = …` speaks of: another font must at least have the shape."""
        found = self.find(name)
        if found is None or found.name == name or shape is None or found.written.shape == shape:
            return found
        return None

    def version(self, key: str) -> int:
        """How often a name has been bound."""
        return self._versions.get(key, 0)

    def bind(self, quantity: Quantity) -> None:
        """A name stands for this from now on."""
        key = quantity.name.key
        self._versions[key] = self.version(key) + 1
        known = self._by_key.setdefault(key, {})
        known.pop(quantity.name, None)
        self.doubted.pop(key, None)
        known[quantity.name] = quantity
        self.order.append(quantity)

    def extend(self, quantity: Quantity, sides: tuple[Node, ...]) -> None:
        """A quantity in force is told again in another form; it stays what it is."""
        known = self._by_key[quantity.name.key]
        if quantity.name in known:
            known[quantity.name] = replace(quantity, sides=quantity.sides + sides)

    def uses(self, names: list[AnyName]) -> tuple[tuple[str, int], ...]:
        """The versions that some names have now."""
        return tuple(dict.fromkeys((name.key, self.version(name.key)) for name in names))

    def changed(self, quantity: Quantity) -> bool:
        """Whether something that a quantity was computed from has been bound anew since."""
        return any(
            self.version(key) != version and not self._came_later(key, version) for key, version in quantity.uses
        )

    def _came_later(self, key: str, version: int) -> bool:
        """Whether what served from further on has only been bound where it is given."""
        return version == 0 and self.version(key) == 1 and key in self.later

    def equals(self, value: Value) -> list[Quantity]:
        """The quantities in force that have this shape and value as written; scalars have too many namesakes."""
        if len(value.entries) < 2:
            return []
        found = []
        for known in self._by_key.values():
            for quantity in known.values():
                if quantity.written.shape == value.shape and all(
                    equal(x, y) for x, y in zip(quantity.written.entries, value.entries, strict=True)
                ):
                    found.append(quantity)
        return found


def _entry_of(name: AnyName, value: Value) -> Value | None:
    return entry(name, lambda _: value)
