"""An operation that its operands' shapes do not allow.

A product of matrices whose inner lengths differ, a sum of different shapes, and the like.

Wrong:

    $[1, 2][3, 4] = 11$

Right:

    $[1, 2][3, 4]^T = 11$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST201", "An operation that its operands' shapes do not allow", __doc__)
