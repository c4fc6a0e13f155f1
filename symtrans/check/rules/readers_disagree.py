r"""Two independent readers understand a side differently.

A link holds only where a second, independent reader gives the side the same value. Here it does not;
both readings are quoted, and the link stays undecided.

Right:

    $2 \cdot 3 = 6$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST002", "Two independent readers understand a side differently", __doc__)
