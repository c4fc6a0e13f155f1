"""What a rule is: a code, a title, and its help page, whose examples are its test."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

from symtrans.errors import UsageError
from symtrans.registry import members


@dataclass(frozen=True, slots=True)
class Rule:
    """A code of the verifier. `help` is the docstring of its module.

    In the help, a paragraph that begins with `Wrong:` holds a document in which the code is told,
    one that begins with `Right:` a document in which it is not.
    """

    name: str
    title: str
    doc: str | None

    @property
    def help(self) -> str:
        """The help page."""
        return inspect.cleandoc(self.doc or "")

    def examples(self, kind: str) -> list[str]:
        """The documents that the help shows as `Wrong` or `Right`."""
        pattern = rf"^{kind}:\n\n((?:    .*\n?|\n)+)"
        return [inspect.cleandoc(found) for found in re.findall(pattern, self.help + "\n", re.M)]


def rules() -> dict[str, Rule]:
    """All rules by code, sorted."""
    return members("symtrans.check.rules", "RULE")


def find_rule(code: str) -> Rule:
    """The rule of a code; UsageError, which names the codes there are, for another."""
    found = rules()
    if code not in found:
        raise UsageError(f"no rule {code}: there are {', '.join(found)}")
    return found[code]
