"""Not decided within the precision limit.

The enclosures of both sides overlap at the highest precision that is tried, and no identity proves them equal.

Right:

    $2^3 = 8$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST903", "Not decided within the precision limit", __doc__)
