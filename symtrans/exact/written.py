"""Numbers as written: the digits are kept, because `2.0` and `2` promise different things."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from symtrans.errors import LimitError, UsageError

MAX_DIGITS = 400
MAX_EXPONENT = 4000

_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?")
_RATIO = re.compile(r"([+-]?\d+)/(\d+)")


@dataclass(frozen=True, slots=True)
class Written:
    """A numeral: its text, its exact value, and how many decimals it shows (None for a ratio such as `1/3`).

    `decimals` counts from the point, so that the last digit shown is worth 10^-decimals;
    `6.54103e-7` shows 12.
    """

    text: str
    value: Fraction
    decimals: int | None

    @property
    def is_integer(self) -> bool:
        """Whether it is written without a decimal point, ratio bar or exponent."""
        return self.decimals == 0 and "." not in self.text and "e" not in self.text.lower()

    @property
    def significant(self) -> int:
        """How many digits count, from the first that is not 0; none of a ratio."""
        digits = re.split("[eE]", self.text)[0]
        return 0 if self.decimals is None else len(re.sub(r"[^0-9]", "", digits).lstrip("0"))

    @classmethod
    def parse(cls, text: str) -> Written:
        """Read `0.1`, `.5`, `1/3`, `-2` or `1.2e-3`; UsageError for anything else, LimitError over the caps."""
        if len(text) > MAX_DIGITS:
            raise LimitError(f"the number {text[:12]}… is longer than {MAX_DIGITS} characters")
        clean = text.strip().replace("−", "-")
        ratio = _RATIO.fullmatch(clean) if clean.isascii() else None
        if ratio and int(ratio[2]):
            return cls(text, Fraction(int(ratio[1]), int(ratio[2])), None)
        match = _DECIMAL.fullmatch(clean)
        if not match or not (match[2] or match[3]) or not clean.isascii():
            raise UsageError(f"{text!r} is not a number; numbers are written 0.1, 1/3, -2 or 1.2e-3")
        sign, whole, decimals, exponent = match[1], match[2] or "", match[3] or "", int(match[4] or 0)
        if abs(exponent) > MAX_EXPONENT:
            raise LimitError(f"the number {text} has an exponent beyond {MAX_EXPONENT}")
        value = Fraction(int(whole + decimals or "0")) * Fraction(10) ** (exponent - len(decimals))
        return cls(text, -value if sign == "-" else value, len(decimals) - exponent)
