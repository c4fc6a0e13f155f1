r"""A formula or a side that is not understood.

The reader could not make sense of this part, so nothing is claimed about it. The message says what it
stumbled over. Other sides of the same formula are judged all the same.

Wrong:

    $a = \unknowncommand{3}$

Right:

    $a = 3$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST001", "A formula or a side that is not understood", __doc__)
