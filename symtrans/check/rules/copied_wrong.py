"""A number copied wrongly.

A product in names is followed by the same product in numbers, and one of the numbers is not the name's value.

Wrong:

    $A = [1, 2]$

    $B = [[3], [4]]$

    $AB = [1, 2][[3], [5]] = 13$

Right:

    $A = [1, 2]$

    $B = [[3], [4]]$

    $AB = [1, 2][[3], [4]] = 11$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST304", "A number copied wrongly", __doc__)
