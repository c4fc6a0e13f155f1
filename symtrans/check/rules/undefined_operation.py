r"""An operation that its operands' shapes do not allow.

A product of matrices whose inner lengths differ, a sum of different shapes, and the like.

Wrong:

    $\begin{bmatrix}1 & 2\\ 3 & 4\end{bmatrix}\begin{bmatrix}1 & 2 & 3\end{bmatrix} = 11$

Right:

    $\begin{bmatrix}1 & 2\\ 3 & 4\end{bmatrix}\begin{bmatrix}1\\ 2\end{bmatrix} = \begin{bmatrix}5\\ 11\end{bmatrix}$
"""

from symtrans.check.rule import Rule

RULE = Rule("ST201", "An operation that its operands' shapes do not allow", __doc__)
