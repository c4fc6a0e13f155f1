"""A name that is not defined.

The name has no value above, so the link is left undecided rather than guessed.

Wrong:

    $Y = 2 X = 6$

Right:

    $X = 2$

    $3 X = 6$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST301", "A name that is not defined", __doc__)
