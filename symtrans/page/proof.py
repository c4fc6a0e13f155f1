"""What is proven of an example's gradients, told as text or as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from symtrans.derive.line_proofs import LineProof, Verdict
from symtrans.derive.proving import GradientProof, Proving
from symtrans.language.words import Words
from symtrans.ops.shapes import Shape, told

SCHEMA = 1
VERDICTS: tuple[Verdict, ...] = ("proven", "supported", "undecided", "refuted")


def proof_text(proving: Proving, words: Words) -> str:
    """The proof as lines of text."""
    return "\n".join(_text(proving, words.proof)) + "\n"


def _text(proving: Proving, say: Any) -> Iterator[str]:
    count = sum(len(line.lines) for line in proving.lines)
    yield say["heading"].format(
        example=proving.example, lines=count, sums=proving.sums, gradients=len(proving.gradients)
    )
    yield from ("", say["lines"])
    for line in proving.lines:
        yield from _entry(line.verdict, _line(line, say), _reason(line, say), say)
        yield "      " + say["steps"].format(steps=", ".join(line.lines))
    yield from ("", say["gradients"])
    for gradient in proving.gradients:
        yield from _entry(gradient.verdict, _gradient(gradient, say), _doubt(gradient, say), say)
    yield from ("", say["certificate"], *(f"  {sentence}" for sentence in _certificate(proving, say)))
    verdicts = Counter(line.verdict for line in proving.lines for _ in line.lines)
    verdicts.update(gradient.verdict for gradient in proving.gradients)
    yield from ("", say["means"], *(f"  {say[f'means_{verdict}']}" for verdict in VERDICTS if verdict in verdicts))
    yield from ("", _total(proving, say))


def _entry(verdict: str, what: str, why: str, say: Any) -> Iterator[str]:
    yield f"  {say[verdict]}  {what}"
    if why:
        yield f"      {why}"


def _line(line: LineProof, say: Any) -> str:
    return str(say["line"].format(op=line.op, operand=line.operand, shapes=_shapes(line.shapes), formula=line.formula))


def _reason(line: LineProof, say: Any) -> str:
    """On what the verdict of a line rests."""
    if line.fault and line.verdict != "supported":
        return line.fault
    if line.agrees is not True and line.verdict != "proven":
        return str(say["untried" if line.agrees is None else "disagrees"])
    if line.proven_at is None:
        return str(say["no_identity"])
    key = "compared" if line.verdict == "proven" else "at_sample"
    return str(say[key].format(count=line.compared, shapes=_shapes(line.proven_at)))


def _gradient(gradient: GradientProof, say: Any) -> str:
    return str(say["gradient"].format(id=gradient.id, shape=told(gradient.shape), lines=gradient.lines))


def _doubt(gradient: GradientProof, say: Any) -> str:
    """Why a gradient is not proven, where that is not told by its lines."""
    return gradient.fault or ("" if gradient.agrees else str(say["disagrees"]))


def _certificate(proving: Proving, say: Any) -> Iterator[str]:
    known = proving.certificate
    agree = sum(alone.agrees for alone in known.alone)
    bits, count = known.prime.bit_length(), len(known.alone)
    yield say["together" if known.together else "apart"].format(bits=bits, agree=agree, count=count)
    yield say["chance"].format(digits=known.digits, degree=known.degree, smallest=known.smallest.bit_length())
    if known.moved:
        yield say["moved"].format(steps=", ".join(known.moved))


def _total(proving: Proving, say: Any) -> str:
    lines = Counter(line.verdict for line in proving.lines for _ in line.lines)
    gradients = Counter(gradient.verdict for gradient in proving.gradients)
    both = lines + gradients
    return str(
        say["total"].format(
            lines=lines.total(),
            lines_proven=lines["proven"],
            gradients=gradients.total(),
            gradients_proven=gradients["proven"],
            supported=both["supported"],
            undecided=both["undecided"],
            refuted=both["refuted"],
        )
    )


def _shapes(shapes: Sequence[Shape]) -> str:
    return ", ".join(map(told, shapes))


def proof_data(proving: Proving) -> dict[str, Any]:
    """The proof as data; primes are strings, for they are longer than most programs' whole numbers."""
    known = proving.certificate
    return {
        "schema": SCHEMA,
        "example": proving.example,
        "settings": dict(proving.settings),
        "stands": proving.stands,
        "lines": [
            {
                "verdict": line.verdict,
                "op": line.op,
                "operand": line.operand,
                "position": line.position + 1,
                "formula": line.formula,
                "shapes": [list(shape) for shape in line.shapes],
                "settings": dict(line.settings),
                "proven_at": None if line.proven_at is None else [list(shape) for shape in line.proven_at],
                "compared": line.compared,
                "agrees": line.agrees,
                "fault": line.fault,
                "steps": list(line.lines),
            }
            for line in proving.lines
        ],
        "gradients": [
            {
                "verdict": gradient.verdict,
                "of": gradient.id,
                "shape": list(gradient.shape),
                "lines": gradient.lines,
                "agrees": gradient.agrees,
                "fault": gradient.fault,
            }
            for gradient in proving.gradients
        ],
        "certificate": {
            "prime": str(known.prime),
            "smallest_prime": str(known.smallest),
            "fields": known.height,
            "added_to": list(known.moved),
            "degree": known.degree,
            "chance_below": f"1e-{known.digits}",
            "together": known.together,
        },
    }
