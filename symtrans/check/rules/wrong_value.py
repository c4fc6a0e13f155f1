r"""A value that does not follow from its own operands.

The right side is not what the left side gives, neither exactly nor rounded to the digits written. The exact
value is told, the sum that gives it, the likeliest slip, and what else is wrong because of it.

Wrong:

    $2 \cdot 3 + 1 = 8$

Right:

    $2 \cdot 3 + 1 = 7$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST101", "A value that does not follow from its own operands", __doc__)
