r"""A shape that is not the declared one.

A quantity is said to lie in a space of matrices of one shape, and it has another.

Wrong:

    $\begin{bmatrix}1 & 2\end{bmatrix} \in \mathbb{R}^{2\times 1}$

Right:

    $\begin{bmatrix}1 & 2\end{bmatrix} \in \mathbb{R}^{1\times 2}$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST203", "A shape that is not the declared one", __doc__)
