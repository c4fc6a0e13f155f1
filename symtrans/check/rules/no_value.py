r"""Something that has no value here.

It is read, but has no value: an ellipsis, a function without a rule, a division by zero.

Wrong:

    $\frac{1}{0} = 3$

Right:

    $\frac{1}{2} = 0.5$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST902", "Something that has no value here", __doc__)
