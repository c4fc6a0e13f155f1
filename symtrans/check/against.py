"""A document beside a derivation: which of its named quantities have the derivation's values, and which have not."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symtrans.check.finding import Shown
from symtrans.check.judge import judge
from symtrans.check.show import decimal
from symtrans.derive.derivation import Derivation, derive
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.errors import UsageError
from symtrans.exact.enclosure import bounds
from symtrans.exact.field import Element
from symtrans.exact.rounding import Agreement, decide, exact_decimal
from symtrans.exact.written import Written
from symtrans.model.tape import Step
from symtrans.ops.tensor import Tensor

LONGEST = 100


@dataclass(frozen=True, slots=True)
class Difference:
    """A quantity that differs: its name in the document, what is stated, what the derivation gives, and the step."""

    name: str
    stated: str
    right: str
    step: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many quantities are in both, how many agree, the ones that differ, and remarks by key.

    Remarks: `weights`: the true attention weights are not those; `scale`: the scores are not divided
    by the root of the key dimension; `gradient`: what is called so is the gradient of the prediction.
    """

    all: int
    same: int
    differences: tuple[Difference, ...]
    remarks: tuple[str, ...]


def compare(source: Source, example: str) -> Comparison:
    """Compare a document with an example's derivation, as the example has its switches."""
    report = judge(read(source), readers=1)
    derivation = derive(example)
    names = _names(derivation)
    differences: list[Difference] = []
    total = 0
    for key, stated in report.quantities.items():
        step = names.get(key)
        if step is None:
            continue
        total += 1
        value = derivation.values.tensor(step.id)
        if not _agrees(stated, value):
            differences.append(Difference(key, _told(stated), _told(_decimals(value)), step.id))
    return Comparison(total, total - len(differences), tuple(differences), tuple(_remarks(derivation, example)))


def _names(derivation: Derivation) -> dict[str, Step]:
    """Every name that the example has for a step, in any part."""
    found = {step.name.key: step for step in derivation.tape if step.shape or not step.silent}
    for (step_id, _), name in derivation.spec.aliases.items():
        found.setdefault(name.key, derivation.tape[step_id])
    return found


def _agrees(stated: Shown, value: Tensor[Element]) -> bool:
    rows = [(stated,)] if isinstance(stated, str) else list(stated)
    if [len(rows), len(rows[0])] != [len(value.rows()), len(value.rows()[0])]:
        return False
    pairs = zip((cell for row in rows for cell in row), value.entries, strict=True)
    return all(_same(text, entry) for text, entry in pairs)


def _same(text: str, entry: Element) -> bool:
    try:
        return decide(entry, Written.parse(text)) in (Agreement.EXACT, Agreement.ROUNDED)
    except UsageError:
        return False


def _decimals(value: Tensor[Element]) -> Shown:
    if value.is_scalar:
        return decimal(value.item)
    return tuple(tuple(decimal(entry) for entry in row) for row in value.rows())


def _told(value: Shown) -> str:
    rows = (value,) if isinstance(value, str) else tuple(" ".join(_short(cell) for cell in row) for row in value)
    text = _short(value) if isinstance(value, str) else "[" + "; ".join(rows) + "]"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _short(number: str) -> str:
    """A fraction as a decimal where it ends; anything else as it is."""
    try:
        return exact_decimal(Fraction(number)) or number
    except ValueError:
        return number


def _remarks(derivation: Derivation, example: str) -> list[str]:
    """What the document's own simplifications hide, found by deriving the example without them."""
    settings = derivation.spec.settings
    remarks = []
    if settings.get("weights") == "uniform" and not _weights_are_even(example):
        remarks.append("weights")
    if settings.get("scale") == "none":
        remarks.append("scale")
    if ("y_hat", "backward") in derivation.spec.aliases:
        remarks.append("gradient")
    return remarks


def _weights_are_even(example: str) -> bool:
    """Whether the softmax of the example's scores is anywhere near even: within a tenth."""
    real = derive(example, settings={"weights": "softmax"})
    for step in real.tape:
        if step.role == "weights":
            even = Fraction(1, step.shape[1])
            for entry in real.values.tensor(step.id).entries:
                found = bounds(entry, 64)
                if found is None or abs(found[0] - even) > Fraction(1, 10):
                    return False
    return True
