"""A name bound by its value.

The name is not defined, but what it is said to be is exactly one quantity above; it is taken for that one.

Right:

    $X = 2$

    $3 X = 6$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST302", "A name bound by its value", __doc__)
