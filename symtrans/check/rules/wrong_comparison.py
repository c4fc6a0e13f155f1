"""A comparison that is false.

An inequality whose sides compare the other way.

Wrong:

    $2 + 2 > 5$

Right:

    $2 + 2 < 5$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST106", "A comparison that is false", __doc__)
