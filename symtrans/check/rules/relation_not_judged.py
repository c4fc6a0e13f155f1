"""A relation that says nothing that can be checked.

An arrow, a proportionality, or a comparison of matrices: it is read and counted, but not judged.

Wrong:

    $[1, 2] < [3, 4]$

Right:

    $1 + 1 = 2$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST003", "A relation that says nothing that can be checked", __doc__)
