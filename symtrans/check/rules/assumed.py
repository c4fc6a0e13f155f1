r"""Stated as an assumption.

The text says that this is assumed or simplified; what would be true is told beside it.

Wrong:

    We ignore the softmax for simplicity:

    $$A \approx [0.5, 0.5]$$

Right:

    $\text{softmax}([1, 2]) \approx [0.27, 0.73]$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST105", "Stated as an assumption", __doc__)
