"""A training as a page: for each update the loss, the gradients and the worked updates, then a table of losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symtrans.derive.elision import FIRST, MOST
from symtrans.derive.lines import Lines, Plan
from symtrans.derive.naming import Naming
from symtrans.derive.sides import Sides
from symtrans.derive.steps import DerivedStep
from symtrans.derive.training import Training, Update
from symtrans.language.words import words
from symtrans.notation.dialect import load_dialect
from symtrans.notation.writer import Writer
from symtrans.page.story import Block, Display, Heading, Sentence, Story, Table, display

# Losses and gradients are told with their values: how they come about is what `symtrans derive` tells.
BY_VALUE = ("loss", "loss_of_logits", "gradient", "loss_gradient", "gradient_sum", "gradient_zero")


def tell_training(training: Training, dialect_name: str = "array", language: str = "en") -> Story:
    """The page of a training in a dialect and a language."""
    return _Telling(training, dialect_name, language).story()


def loss_rows(training: Training) -> list[tuple[int, DerivedStep | None, DerivedStep]]:
    """For each row of the table of losses: how many updates were made, the rate of the next one, and the loss."""
    derivation = training.derivation
    rows: list[tuple[int, DerivedStep | None, DerivedStep]] = [
        (update.number - 1, derivation[update.rate], derivation[update.loss]) for update in training.updates
    ]
    return [*rows, (len(training.updates), None, derivation[training.final_loss])]


def loss_table(training: Training, language: str = "en") -> Table:
    """The table of losses: how many updates were made, the rate of the next one, and the loss."""
    phrases, digits = words(language).phrases, training.derivation.style.digits
    rows = []
    for count, rate, loss in loss_rows(training):
        told = "" if rate is None else rate.decimals(digits)[0][0]
        rows.append((str(count), told, loss.decimals(digits)[0][0]))
    return Table((phrases["updates"], phrases["rate"], phrases["loss"]), tuple(rows), plotted=(0, 2))


class _Telling:
    """One page in the making."""

    def __init__(self, training: Training, dialect_name: str, language: str) -> None:
        self.training = training
        self.derivation = training.derivation
        self.words = words(language)
        self.dialect_name = dialect_name
        self.writer = Writer(load_dialect(dialect_name))
        table = load_dialect(dialect_name).chains
        plan = Plan({**table, **dict.fromkeys(BY_VALUE, ("name", "value"))}, {})
        # No let-bound symbols: the steps that would define them are not told here.
        sides = Sides(self.derivation.values, self.derivation.style, Naming({}), most_symbols=0)
        self.lines = Lines(sides, plan, [step.id for step in self.derivation.tape], self.derivation.spec.name)

    def story(self) -> Story:
        phrases = self.words.phrases
        blocks: list[Block] = [Sentence((self._optimizer(),))]
        if self.training.optimizer.warm_up:
            blocks.append(Sentence((phrases["warm_up"].format(warm_up=self.training.optimizer.warm_up),)))
        blocks.append(Sentence((phrases["training_start"],)))
        blocks += self._displays(self.training.parameters)
        for update in self.training.updates:
            blocks += self._update(update)
        blocks += [
            Heading(1, phrases["losses"]),
            *self._displays([self.training.final_loss]),
            loss_table(self.training, self.words.code),
        ]
        if any(isinstance(block, Display) and block.line.elided for block in blocks):
            blocks.insert(0, Sentence((phrases["elided"].format(most=MOST, first=FIRST),)))
        title = self.derivation.spec.title.get(self.words.code) or self.derivation.spec.name
        return Story(title, self.words.code, self.dialect_name, tuple(blocks))

    def _optimizer(self) -> str:
        optimizer = self.training.optimizer
        values: Mapping[str, str] = {"rate": optimizer.rate.text, **{k: v.text for k, v in optimizer.constants.items()}}
        return self.words.phrases[f"optimizer_{optimizer.kind}"].format(**values)

    def _update(self, update: Update) -> Iterator[Block]:
        phrases, tape = self.words.phrases, self.derivation.tape
        yield Heading(1, phrases["update_number"].format(number=update.number))
        yield Sentence((phrases["training_loss"],))
        yield from self._displays([update.loss, *update.gradients])
        if not tape[update.rate].silent:
            yield from self._displays([update.rate])
        of = ""
        for step_id in update.steps:
            if tape[step_id].of != of and self.training.optimizer.kind != "sgd":
                of = tape[step_id].of
                yield Heading(2, of)
            zeros = [i for i in tape[step_id].operands if i.partition("@")[2].partition(".")[0] == "0"]
            yield from self._displays([*zeros, step_id])

    def _displays(self, ids: list[str] | tuple[str, ...]) -> Iterator[Block]:
        for step_id in ids:
            for line in self.lines.of(self.derivation.tape[step_id]):
                yield display(line, self.writer)
