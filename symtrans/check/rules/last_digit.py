r"""A result that is off in its last digit.

The result is within one unit of its last digit, but is not a right rounding: cut off, or rounded carelessly.
A note, not a fault.

Wrong:

    $\frac{2}{3} \approx 0.66$

Right:

    $\frac{2}{3} \approx 0.67$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST103", "A result that is off in its last digit", __doc__)
