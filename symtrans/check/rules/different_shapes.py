"""Two sides of different shapes.

The left side is a matrix of one shape, the right side of another.

Wrong:

    $[1, 2] + [3, 4] = [4, 6, 0]$

Right:

    $[1, 2] + [3, 4] = [4, 6]$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST202", "Two sides of different shapes", __doc__)
