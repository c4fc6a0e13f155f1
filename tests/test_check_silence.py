r"""What used to pass in silence or was not understood: each formula is judged, or the reason why not is told.

The values are worked out by hand: 1·3 + 2·4 = 11, 5!/(3!·2!) = 10, 1/(1+e^{-2}) = 0.8808, e = 2.71828….
"""

from __future__ import annotations

import pytest

from symtrans.check.finding import LinkVerdict
from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source

VECTORS = "$w = [1, 2]$, $x = [3, 4]$, $M = \\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}$\n\n"


def links(text: str) -> list[LinkVerdict]:
    return list(judge(read(Source("page.md", text))).links)


@pytest.mark.parametrize(
    ("formula", "verdict", "level"),
    [
        (r"e \approx 2.718", "HOLDS", "ok"),
        ("e = 2.71", "FAILS", "last-digit"),
        ("e = 2.81", "FAILS", "error"),
        ("e = 0.3", "DEFINITION", None),  # an error e, say
        ("e = [1, 2]", "DEFINITION", None),
        (r"\pi = 3.14", "HOLDS", "ok"),
        (r"\pi = [0.3, 0.7]", "DEFINITION", None),
        (r"\frac{e}{e+1} = 0.731", "HOLDS", "ok"),
        (r"\frac{e}{e+1} = 0.713", "UNDECIDED", None),
        ("3! = 6", "HOLDS", "ok"),
        ("4!=20", "FAILS", "error"),
        ("n! = 6", "UNDECIDED", None),
        (r"\frac{5!}{3!2!} = 10", "HOLDS", "ok"),
        (r"\binom{5}{2} = 10", "HOLDS", "ok"),
        (r"\binom{5}{2} = 12", "FAILS", "error"),
        ("[1, 2][3, 4] = 11", "FAILS", "error"),
        (r"[1, 2] \cdot [3, 4] = 11", "HOLDS", "ok"),
        (r"\sigma(2) = 0.881", "HOLDS", "ok"),
        (r"\sigma(2) = 0.818", "FAILS", "error"),
        (r"\sigma(0.5) = 0.462", "UNDECIDED", None),  # tanh, called σ
        (r"\tan(1) = 1.557", "HOLDS", "ok"),
        (r"\sinh(1) = 1.157", "FAILS", "error"),
        (r"\text{SiLU}(1) = 0.731", "HOLDS", "ok"),
        (r"7 \times 2 = 14\,\text{GB}", "HOLDS", "ok"),
        (r"7 \times 2 = 15\,\text{GB}", "FAILS", "error"),
        (r"7 \times 10^9 \times 2 = 14 GB", "HOLDS", "ok"),
        (r"1000 \times 60 = 60\,\text{s}", "UNDECIDED", None),  # a thousandth was left out, perhaps
        (r"2097152 \approx 2.1\text{M}", "HOLDS", "ok"),
        ("2X = 6", "UNDECIDED", None),
        ("q^T k = 6", "UNDECIDED", None),
        ("P(A|B) = 0.5", "DEFINITION", None),
        (r"p_\theta(y=1 \mid x) = 0.5", "DEFINITION", None),
        (r"D_{KL}(p \| q) = 0.2", "DEFINITION", None),
        (r"\nabla w = [0.5, 1]", "DEFINITION", None),
        (r"\Delta w = 0.1", "DEFINITION", None),
        ("f(x) = 3", "DEFINITION", None),
        (r"\mathbf{K}_1^T = [1, 2]", "DEFINITION", None),
        (r"\hat y = 0.3", "DEFINITION", None),
        (r"\sigma^2 = 4", "DEFINITION", None),
        ("dW = [1, 2]", "DEFINITION", None),
        ("RMS(x) = 3", "DEFINITION", None),
    ],
)
def test_a_formula_alone(formula: str, verdict: str, level: str | None) -> None:
    (link,) = links(f"${formula}$")
    assert (link.verdict, link.level) == (verdict, level)


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\sum_i w_i x_i = 11", "HOLDS"),
        (r"\sum_i w_i x_i = 12", "FAILS"),
        (r"\sum_{i=1}^{n} w_i x_i = 11", "HOLDS"),
        (r"\sum_{i=1}^{3} w_i x_i = 11", "UNDECIDED"),  # there is no third one
        (r"\sum_j M_{2j} = 7", "HOLDS"),
        (r"\sum_{i,j} M_{ij} = 11", "FAILS"),
        (r"\sum_i w_i M_{ij} = 11", "UNDECIDED"),  # j is free
        (r"\sum_i z_i = 3", "UNDECIDED"),
        ("x_1 + x_2 = 7", "HOLDS"),
        ("x_1 + x_2 = 8", "UNDECIDED"),  # x_1 may be another thing
        ("M_{11} + M_{22} = 5", "HOLDS"),
        (r"w^\top x = 11", "HOLDS"),
        (r"w^\top x + 1 = 13", "FAILS"),
        (r"w^\top x = \begin{bmatrix}3&4\\6&8\end{bmatrix}", "HOLDS"),
    ],
)
def test_entries_of_known_vectors(formula: str, verdict: str) -> None:
    link = links(f"{VECTORS}${formula}$")[-1]
    assert link.verdict == verdict
    assert link.reason or verdict != "UNDECIDED"


def test_a_literal_does_not_give_an_entry_another_value() -> None:
    found = links(VECTORS + "$x_1 + x_2 = 3 + 5 = 8$")
    assert [link.verdict for link in found[-2:]] == ["UNDECIDED", "HOLDS"]


def test_rows_side_by_side_are_told_with_their_shapes() -> None:
    (link,) = links("$[1, 2][3, 4] = 11$")
    assert link.code == "ST201"
    assert link.reason.count("1×2") == 2


def test_the_reason_names_the_undefined_name() -> None:
    (link,) = links("$2X = 6$")
    assert (link.code, link.names) == ("ST301", ("X",))


def test_conditions_and_changes_are_names_of_their_own() -> None:
    text = r"$P(A|B) = 0.5$, $\Delta w = 0.1$, $\nabla w = 0.2$, $2 P(A \mid B) + \Delta w + \nabla w = 1.3$"
    assert [link.verdict for link in links(text)] == ["DEFINITION"] * 3 + ["HOLDS"]


def test_a_call_that_nothing_tells_is_a_name() -> None:
    text = r"$PE(1,0) = \sin 1 = 0.8415$, $PE(1,1) = 0.5403$, $[PE(1,0), PE(1,1)] = [0.8415, 0.5430]$"
    assert [link.verdict for link in links(text)] == ["DEFINITION", "HOLDS", "DEFINITION", "FAILS"]


@pytest.mark.parametrize("words", ["so", "hence", "which gives", "所以"])
def test_what_follows_is_no_new_quantity(words: str) -> None:
    text = f"Let $a = 2$ and $b = 3$. Then $k = a b$, {words} $k = 7$."
    assert links(text)[-1].verdict == "FAILS"


def test_an_operand_that_is_given_right_behind_serves() -> None:
    text = "$q = x W$ where $W = \\begin{bmatrix}1&2\\\\0&1\\end{bmatrix}$ and $x = [1, 1]$, so $q = [1, 4]$."
    assert [link.verdict for link in links(text)] == ["DEFINITION"] * 3 + ["FAILS"]


def test_names_beside_a_vector_may_be_no_entries() -> None:
    text = "Tokens $x_0 = [1, 0]$, $x_1 = [0, 1]$ and $x = [3, 4]$. $\\sum_i x_i = [1, 1]$"
    assert links(text)[-1].verdict == "UNDECIDED"


def test_e_may_be_an_error() -> None:
    text = "$e = 0.8 - 0.5 = 0.3$, $e^2 = 0.09$, $e^2 = 0.19$, $e^{-1} = 0.368$"
    assert [link.verdict for link in links(text)] == ["DEFINITION", "HOLDS", "HOLDS", "FAILS", "HOLDS"]


def test_a_policy_is_no_number() -> None:
    assert links(r"$\pi(a|s) = 0.7$, $2 \pi(a|s) = 1.4$")[-1].verdict == "HOLDS"


def test_lists_that_are_given_further_on_are_columns_too() -> None:
    assert links("$q^T k = 8$ where $q = [2, 2]$ and $k = [1, 3]$")[0].verdict == "HOLDS"


def test_a_formula_too_long_to_be_read_is_told() -> None:
    """An equality that is beyond the reader's cap is unreadable, not unseen; what relates nothing is no equality."""
    report = judge(read(Source("page.md", "$$" + "1+" * 20_000 + "1=5$$\n\n$$" + "1+" * 20_000 + "1$$\n")), 1)
    assert [(link.verdict, link.line) for link in report.links] == [("UNREADABLE", 1)]
    assert report.coverage.unreadable == 1
