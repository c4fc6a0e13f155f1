"""A limit was reached.

Judging this takes more time, digits or memory than is given to a stranger's text.

Right:

    $2^3 = 8$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST901", "A limit was reached", __doc__)
