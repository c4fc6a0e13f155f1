r"""Wrong because of something above.

This link follows from values above it, and one of these is wrong. It is right once the root, which is
named, is mended.

Wrong:

    $A = 2 \cdot 3 = 7$

    $B = A + 1 = 8$

Right:

    $A = 2 \cdot 3 = 6$

    $B = A + 1 = 7$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST104", "Wrong because of something above", __doc__)
