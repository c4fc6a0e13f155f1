r"""Something that has no value here.

It is read, but has no value: an ellipsis, a function without a rule, a division by a printed 0.00, and whatever
needs a matrix that an ellipsis stands in for a part of.

Wrong:

    $1 + \ldots + 4 = 10$

Right:

    $1 + 2 + 3 + 4 = 10$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST902", "Something that has no value here", __doc__)
