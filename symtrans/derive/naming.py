"""Which name a quantity has in which line: a document may call it otherwise in its loss or its gradients."""

from __future__ import annotations

from collections.abc import Mapping

from symtrans.model.tape import Step
from symtrans.notation.name import AnyName, DerivativeName, Name

Aliases = Mapping[tuple[str, str], Name]


class Naming:
    """Names by part: `aliases[step id, part]` where the document has another name there, else the step's own."""

    def __init__(self, aliases: Aliases) -> None:
        self.aliases = aliases

    def __call__(self, step: Step, at: Step) -> AnyName:
        """The name of `step` in the line of the step `at`."""
        name = self.aliases.get((step.id, at.part), step.name)
        if isinstance(name, DerivativeName) and step.of:
            by = self.aliases.get((step.of, at.part))
            if by is not None:
                return DerivativeName(name.of, by, name.superscript)
        return name
