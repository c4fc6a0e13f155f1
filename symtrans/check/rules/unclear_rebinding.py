"""A name given another value, without a word about it.

The name had a value, and gets another one; whether that is a claim or a new value the text does not say.

Right:

    $X = 2$

    $3 X = 6$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST303", "A name given another value, without a word about it", __doc__)
