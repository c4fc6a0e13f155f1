r"""An operation that has no value for its operands.

A division by zero, the logarithm of a negative number, a softmax whose every entry is masked: nothing can be
equal to it. Where a printed decimal is zero, which may be the rounding of a small number, the link stays
undecided instead.

Wrong:

    $\frac{1}{0} = 3$

Right:

    $\frac{1}{2} = 0.5$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST107", "An operation that has no value for its operands", __doc__)
