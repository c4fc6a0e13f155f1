"""From a derivation's lines to a page: which headings, which sentences between the formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from symtrans.derive.derivation import Derivation
from symtrans.derive.elision import FIRST, MOST, is_large
from symtrans.derive.lines import Line
from symtrans.language.words import Words, words
from symtrans.model.tape import Step
from symtrans.notation.dialect import load_dialect
from symtrans.notation.writer import Writer
from symtrans.page.scopes import scope_heading
from symtrans.page.story import Block, Display, Heading, Math, Sentence, Story, display

# Steps whose lines stand under one heading, by their role; a role that is missing stands under none.
ITEMS: Mapping[str, str] = {
    "embedding": "embedding",
    "positional_encoding": "embedding",
    "positional_encoding_Y": "embedding",
    "Y_in": "embedding",
    "X_emb": "embedding",
    "Y_emb": "embedding",
    "X_scaled": "embedding",
    "Y_scaled": "embedding",
    "X_pos": "embedding",
    "Y_pos": "embedding",
    "cosines": "rotation",
    "cosines_Y": "rotation",
    "sines": "rotation",
    "sines_Y": "rotation",
    "rotated_query": "rotation",
    "rotated_key": "rotation",
    "query": "projections",
    "key": "projections",
    "value": "projections",
    "scores": "scores",
    "scaled_scores": "scaled_scores",
    "biased_scores": "biased_scores",
    "masked_scores": "masked_scores",
    "weights": "weights",
    "attention_output": "attention_output",
    "concat": "output",
    "output": "output",
    "Z_attn": "output",
    "Z_masked_attn": "output",
    "Z_cross_attn": "output",
    "residual": "add_norm",
    "mean": "add_norm",
    "deviation": "add_norm",
    "variance": "add_norm",
    "mean_square": "add_norm",
    "normed": "add_norm",
    "add_norm_1": "add_norm",
    "add_norm_2": "add_norm",
    "encoder_output": "add_norm",
    "decoder_output": "add_norm",
    "gate": "ffn",
    "up": "ffn",
    "hidden": "ffn",
    "activated": "ffn",
    "ffn": "ffn",
    "tied_output": "logits",
    "logits": "logits",
    "probabilities": "logits",
    "smooth_labels": "loss",
    "loss": "loss",
    "gradient": "gradient",
    "gradient_sum": "gradient",
    "gradient_zero": "gradient",
    "update": "update",
}

KINKED = ("relu.vjp", "reglu.vjp")  # reverse rules of functions with no derivative at 0


def tell(derivation: Derivation, dialect_name: str = "array", language: str = "en") -> Story:
    """The page of a derivation in a dialect and a language."""
    return _Telling(derivation, dialect_name, language).story()


class _Telling:
    """One page in the making."""

    def __init__(self, derivation: Derivation, dialect_name: str, language: str) -> None:
        self.derivation = derivation
        self.words: Words = words(language)
        self.writer = Writer(load_dialect(dialect_name))
        self.dialect_name = dialect_name
        self.blocks: list[Block] = []
        self._kink_told = False
        self._dots_told = False
        self._shapes_told: set[str] = set()

    def story(self) -> Story:
        part = item = scope = ""
        head: int | None = None
        for line in self.derivation.lines(self.dialect_name):
            step = line.step
            if step.part != part:
                part, item, head, scope = step.part, "", None, ""
                self.blocks.append(Heading(1, self.words.parts[part]))
            if step.scope != scope:
                scope, item, head = step.scope, "", None
                self.blocks.append(Heading(2, scope_heading(scope, self.words)))
            inner = int(bool(scope))
            new_item = ITEMS.get(step.role, "")
            if new_item != item:
                item, head = new_item, None
                if item:
                    self.blocks.append(Heading(2 + inner, self._item(item)))
                    self._before(item, scope)
            if part == "forward" and step.head != head:
                head = step.head
                heading = "shared_by_heads" if head is None else "head"
                self.blocks.append(Heading(3 + inner, self.words.phrases[heading].format(head=head)))
            self._line(line)
        title = self.derivation.spec.title.get(self.words.code) or self.derivation.spec.name
        return Story(title, self.words.code, self.dialect_name, tuple(self.blocks))

    def _item(self, item: str) -> str:
        """An item's heading; the loss and the update are named after their kind."""
        if item == "loss":
            op = next(step.op for step in self.derivation.tape if step.role == "loss")
            return self.words.losses[op.name if op is not None else ""]
        return self.words.items[item]

    def _before(self, item: str, scope: str) -> None:
        """What must be said under an item's heading before its formulas."""
        if item == "projections":
            for shared, copies in self._copies(scope).items():
                original = self.derivation.tape[shared]
                self._say("copies", copies=self._equal(copies, original), shared=self._name(original))

    def _copies(self, scope: str) -> dict[str, list[Step]]:
        """The silent copies of each shared parameter of a layer."""
        found: dict[str, list[Step]] = {}
        for step in self.derivation.told_steps():
            if step.scope == scope and step.silent and step.op is not None and step.op.name == "copy":
                found.setdefault(step.operands[0], []).append(step)
        return found

    def _line(self, line: Line) -> None:
        step = line.step
        if line.elided and not self._dots_told:
            self._dots_told = True
            self._say("elided", most=str(MOST), first=str(FIRST))
        if step.part == "inputs":
            about = self.words.roles.get(step.id) or self.words.roles.get(step.role)
            if about:
                self._sentence(about + (":" if self.words.code == "en" else "："), {})
        if line.telling == "numbers":
            self._explain(step)
        if line.telling in ("symbolic", "expanded"):
            self._say("symbols" if line.telling == "symbolic" else "expanded")
        self.blocks.append(display(line, self.writer))
        self._shape(line)
        if line.telling == "numbers" and self._is_last(line):
            self._notes(step)

    def _shape(self, line: Line) -> None:
        """How large the quantity is, after a step's first line that has dots."""
        step = line.step
        if line.elided and is_large(step.shape) and step.id not in self._shapes_told:
            self._shapes_told.add(step.id)
            rows, columns = map(str, step.shape)
            self._say("elided_shape", name=self._name(step), rows=rows, columns=columns)

    def _is_last(self, line: Line) -> bool:
        """Whether a step's line is the last of its lines so far: notes come after the first numbers line only."""
        told = [b for b in self.blocks if isinstance(b, Display) and b.line.step.id == line.step.id]
        return len([b for b in told if b.line.telling == "numbers"]) == 1

    def _explain(self, step: Step) -> None:
        """Sentences before a step's numbers: a simplification, a sum over uses, a gradient that is zero."""
        if self._numbers_told(step):
            return
        if step.op is not None and step.op.stops and step.head in (None, self._first_head(step)):
            self._say(step.op.stops, name=self._names_of_role(step))
        if step.op is not None and step.op.name.startswith(KINKED) and not self._kink_told:
            self._kink_told = True
            self._say("relu_kink")
        if step.kind == "gradient_zero":
            self._say("gradient_zero", name=self._name(self.derivation.tape[step.of]))
        if step.kind == "gradient_sum" and len(step.operands) > 1:
            self._say("gradient_sum", name=self._name(self.derivation.tape[step.of]), count=str(len(step.operands)))

    def _notes(self, step: Step) -> None:
        """Remarks after a step's numbers: the specification's own, and where a cotangent stops."""
        spec = self.derivation.spec
        note = spec.notes.get(step.id, {})
        switch, _, value = note.get("when", "").partition("=")
        as_specified = self.derivation.wrt == spec.gradients  # remarks are on the page that the file describes
        if self.words.code in note and spec.settings.get(switch, "") == value and as_specified:
            self._sentence(note[self.words.code], {})
        if step.part == "backward" and step.of:
            tape = self.derivation.tape
            source = tape[step.of]
            if source.op is not None and source.op.stops:
                self._say("stops", name=self._name(source))

    def _numbers_told(self, step: Step) -> bool:
        return any(
            isinstance(b, Display) and b.line.step.id == step.id and b.line.telling == "numbers" for b in self.blocks
        )

    def _first_head(self, step: Step) -> int | None:
        return next((s.head for s in self.derivation.told_steps() if s.role == step.role), None)

    def _names_of_role(self, step: Step) -> str:
        return self._list([s for s in self.derivation.told_steps() if s.role == step.role])

    def _name(self, step: Step) -> str:
        return "$" + self.writer.name(step.name) + "$"

    def _equal(self, copies: list[Step], original: Step) -> str:
        """Each copy as an equation, which defines it for a reader of the page."""
        equals = self.writer.dialect.relations["="]
        names = [self.writer.name(step.name) for step in (*copies, original)]
        return self._joined(f"${name}{equals}{names[-1]}$" for name in names[:-1])

    def _joined(self, pieces: Iterable[str]) -> str:
        return (", " if self.words.code == "en" else "、").join(pieces)

    def _list(self, steps: list[Step]) -> str:
        return self._joined(self._name(step) for step in steps)

    def _say(self, phrase: str, **values: str) -> None:
        self._sentence(self.words.phrases[phrase], values)

    def _sentence(self, text: str, values: Mapping[str, str]) -> None:
        filled = re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)
        self.blocks.append(Sentence(tuple(_pieces(filled))))


def _pieces(text: str) -> Iterator[str | Math]:
    """Text cut at its `$…$` formulas; a dollar sign that has no partner, or encloses no whole formula, is text."""
    before, *pieces = text.split("$")
    while pieces:
        formula = pieces.pop(0)
        if pieces and _is_whole(formula):
            if before:
                yield before
            yield Math(formula)
            before = pieces.pop(0)
        else:
            before += "$" + formula
    if before:
        yield before


def _is_whole(formula: str) -> bool:
    """Whether TeX would find the formula's end: braces in pairs, no comment, no parameter, no space at its ends."""
    bare = re.sub(r"\\.", "", formula)
    depth = 0
    for character in bare:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return bool(bare) and depth == 0 and not re.search(r"[%#]|\n\s*\n|^\s|\s$|\\$", bare)
