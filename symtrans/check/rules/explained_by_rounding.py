r"""A difference that rounding explains.

The printed operands give something else, but the unrounded values before them, or operands within half a
unit of their last digit, give what is printed. A note, not a fault.

Right:

    $\frac{1}{3} \approx 0.33$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST102", "A difference that rounding explains", __doc__)
