"""Values judged as written: digits, rounding, shapes, functions; every verdict here was worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtrans.check.finding import LinkVerdict
from symtrans.check.judge import judge
from symtrans.document.claims import decimal_comma
from symtrans.document.read import read
from symtrans.document.source import Source


def links(*formulas: str, path: str = "page.md", readers: int = 1) -> list[LinkVerdict]:
    text = "\n\n".join(f"$$\n{formula}\n$$" for formula in formulas) + "\n"
    return list(judge(read(Source(path, text)), readers).links)


def told(link: LinkVerdict) -> str:
    return link.verdict if link.level in (None, "ok") else f"{link.verdict}/{link.level}"


HOLDS, ERROR = "HOLDS", "FAILS/error"
LAST, EXPLAINED = "FAILS/last-digit", "FAILS/explained-by-rounding"


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("2+3=5", HOLDS),
        ("2+3=6", ERROR),
        (r"\frac{2}{3}=0.667", HOLDS),  # 0.6666…
        (r"\frac{2}{3}=0.666", LAST),  # cut off
        (r"\frac{2}{3}=0.665", ERROR),  # more than a unit
        (r"\frac{1}{8}=0.12", HOLDS),  # a tie, either way
        (r"\frac{1}{8}=0.13", HOLDS),
        (r"\frac{1}{4}=0.26", ERROR),  # 0.25 ends within two digits
        (r"\frac{2}{3}=1", ERROR),  # an integer is exact
        (r"\frac{2}{3}\approx 1", HOLDS),  # except alone after ≈
        (r"\frac{4}{3}\approx 2", LAST),
        (r"[\frac{1}{2}, \frac{1}{3}]=[0.5, 0]", ERROR),
        (r"[\frac{1}{2}, \frac{1}{30}]=[0.5, 0]", HOLDS),  # 0 among decimals shows one: 0.0
        (r"\frac{1}{3}=\frac{2}{6}", HOLDS),
        (r"\frac{3}{4}=75\%", HOLDS),
        (r"1.2\times10^{-3}=0.0012", HOLDS),
        (r"6\times 0.0002=1.3\times10^{-3}", ERROR),  # 0.0012 ends there
        (r"0.1+0.2=0.3", HOLDS),
        ("1,000+2=1,002", HOLDS),
        (r"\sqrt{3^2+4^2}=5", HOLDS),
        (r"\sqrt{2}\cdot\sqrt{8}=4", HOLDS),
        (r"\log_2 8=3", HOLDS),
        (r"-\ln(0.5)\approx 0.693", HOLDS),
        (r"\ln(0.5)=-1", ERROR),
        (r"e^{0.5}=1.6487", HOLDS),
        (r"\sigma(0)=\frac{1}{2}", HOLDS),
        (r"\tanh(0.5)\approx 0.4621", HOLDS),
        (r"\text{ReLU}([-1, 2])=[0, 2]", HOLDS),
        (r"\text{ReLU}([-1, 2])=[1, 2]", ERROR),
        (r"\max(0, -3)=0", HOLDS),
        (r"\|(3,4)\|=5", HOLDS),
        (r"\sum_{i=1}^{3} i^2=14", HOLDS),
        (r"\text{mean}([1, 2, 6])=3", HOLDS),
        (r"\text{LayerNorm}([1, 3])=[-1, 1]", HOLDS),
        (r"\det\begin{pmatrix}1&2\\3&4\end{pmatrix}=-2", HOLDS),
        (r"\begin{bmatrix}1&2\\3&4\end{bmatrix}^{-1}=\begin{bmatrix}-2&1\\1.5&-0.5\end{bmatrix}", HOLDS),
        (r"[1, 2]\cdot[3, 4]=11", HOLDS),
        (r"[1, 2]\odot[3, 4]=[3, 8]", HOLDS),
        (r"[1, 2]+1=[2, 3]", HOLDS),
        (r"\text{Concat}([1, 2], [3])=[1, 2, 3]", HOLDS),
        ("3<4", HOLDS),
        (r"3\ge 4", ERROR),
    ],
)
def test_a_link_is_judged_by_the_digits_that_it_shows(formula: str, verdict: str) -> None:
    assert [told(link) for link in links(formula)] == [verdict]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\text{softmax}([1, 0, 0])=[1, 0, 0]", ERROR),  # e/(e+2) is 0.576
        (r"\text{softmax}([1, 1])=[0.5, 0.5]", HOLDS),
        (r"\text{softmax}([1, 2, 3])=[0.09, 0.24, 0.67]", HOLDS),
        (r"\text{softmax}([0, -\infty])=[1, 0]", HOLDS),
        (r"\text{softmax}([1, 2])=\left[\frac{e^1}{e^1+e^2}, \frac{e^2}{e^1+e^2}\right]", HOLDS),
        (r"\text{softmax}([1, 2])=\left[\frac{1}{1+e^1}, \frac{1}{1+e^{-1}}\right]", HOLDS),
        (r"\text{softmax}([1, 2])=\left[\frac{1}{1+e^1}, \frac{1}{1+e^{-2}}\right]", ERROR),
        # by rows of a matrix, along a column
        (r"\text{softmax}\begin{pmatrix}0&0\\1&1\end{pmatrix}=\begin{pmatrix}0.5&0.5\\0.5&0.5\end{pmatrix}", HOLDS),
        (r"\text{softmax}\begin{pmatrix}0\\0\end{pmatrix}=\begin{pmatrix}0.5\\0.5\end{pmatrix}", HOLDS),
        (r"\begin{pmatrix}3\\3\end{pmatrix}\xrightarrow{\text{softmax}}\begin{pmatrix}0.5\\0.5\end{pmatrix}", HOLDS),
    ],
)
def test_a_softmax_is_exact_until_it_is_rounded(formula: str, verdict: str) -> None:
    assert [told(link) for link in links(formula)] == [verdict]


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        (r"\begin{bmatrix}1&2\end{bmatrix}\begin{bmatrix}1&2\end{bmatrix}=5", "ST201"),
        (
            r"\begin{bmatrix}1&2\\3&4\end{bmatrix}+\begin{bmatrix}1\\2\end{bmatrix}=\begin{bmatrix}2&3\\5&6\end{bmatrix}",
            "ST201",
        ),
        (
            r"\begin{bmatrix}1\\2\end{bmatrix}\odot\begin{bmatrix}1&1\\1&1\end{bmatrix}=\begin{bmatrix}1\\2\end{bmatrix}",
            "ST201",
        ),
        (r"2\begin{bmatrix}1\\2\end{bmatrix}=\begin{bmatrix}2&4\end{bmatrix}", "ST202"),
        (r"\begin{bmatrix}1&2\end{bmatrix}\in\mathbb{R}^{2\times 1}", "ST203"),
    ],
)
def test_a_shape_that_does_not_fit_is_a_fault(formula: str, code: str) -> None:
    (link,) = links(formula)
    assert (link.verdict, link.level, link.code) == ("FAILS", "error", code)


def test_a_wrong_entry_is_told_with_its_place_and_its_right_value() -> None:
    (link,) = links(
        r"\begin{bmatrix}1&2\\3&4\end{bmatrix}\begin{bmatrix}0.5\\1\end{bmatrix}=\begin{bmatrix}2.5\\5.6\end{bmatrix}"
    )
    (entry,) = link.entries
    assert (entry.row, entry.col, entry.stated, entry.exact, entry.decimal) == (2, 1, "5.6", "11/2", "5.5")
    assert link.exact == (("5/2",), ("11/2",))


def test_rounding_upstream_explains_a_digit() -> None:
    # 1/3 is shown as 0.33, and 2 · 1/3 as 0.67, which 2 · 0.33 is not.
    first, second = links(r"\frac{1}{3}\approx 0.33", r"2\times 0.33=0.67")
    assert (told(first), told(second)) == (HOLDS, EXPLAINED)
    assert [told(link) for link in links(r"2\times 0.33=0.67")] == [EXPLAINED]  # 0.33 may stand for 0.3349
    assert [told(link) for link in links(r"2\times 0.33=0.68")] == [ERROR]  # 2 · 0.335 is 0.67


def test_operands_that_are_known_to_be_exact_explain_nothing() -> None:
    found = links(r"a=0.33", r"2a=2\times 0.33=0.67")
    assert [told(link) for link in found] == ["DEFINITION", HOLDS, ERROR]


def test_expressions_agree_where_every_number_is_a_right_rounding() -> None:
    assert [told(x) for x in links(r"0.483\times 0.57+0.517\times 0.61=0.275+0.315")] == [EXPLAINED]
    assert [told(x) for x in links(r"0.483\times 0.57+0.517\times 0.61=0.275+0.316")] == [ERROR]


@settings(max_examples=60)
@given(st.data())
def test_a_planted_error_is_found(data: st.DataObject) -> None:
    n, k, m = (data.draw(st.integers(1, 3)) for _ in range(3))
    numbers = st.integers(-99, 99)
    a = data.draw(st.lists(st.lists(numbers, min_size=k, max_size=k), min_size=n, max_size=n))
    b = data.draw(st.lists(st.lists(numbers, min_size=m, max_size=m), min_size=k, max_size=k))
    tenths = [[sum(a[i][x] * b[x][j] for x in range(k)) for j in range(m)] for i in range(n)]
    i, j = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, m - 1))
    wrong = [row[:] for row in tenths]
    wrong[i][j] += data.draw(st.integers(1, 9)) * data.draw(st.sampled_from([-1, 1]))

    def matrix(rows: list[list[int]], decimals: int) -> str:
        def spelled(x: int) -> str:
            return str(x) if not decimals else f"{'-' if x < 0 else ''}{abs(x) // 10}.{abs(x) % 10}"

        return r"\begin{bmatrix}" + r"\\".join("&".join(spelled(x) for x in row) for row in rows) + r"\end{bmatrix}"

    product = matrix(a, 1) + matrix(b, 0)
    right, planted = links(f"{product}={matrix(tenths, 1)}", f"{product}={matrix(wrong, 1)}")
    assert told(right) == HOLDS
    assert told(planted) == ERROR
    assert [(e.row, e.col) for e in planted.entries] == [(i + 1, j + 1)]


def test_both_readers_must_agree_before_a_link_holds() -> None:
    (twice,) = links(r"\frac{1}{2}\times 3+1=2.5", readers=2)
    (once,) = links(r"\text{softmax}([1, 1])=[0.5, 0.5]", readers=2)
    assert (twice.verdict, twice.readers) == ("HOLDS", 2)
    assert (once.verdict, once.readers) == ("HOLDS", 1)


def test_what_the_second_reader_reads_otherwise_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    from sympy import Integer

    from symtrans.notation import second_reader

    other = second_reader.Rereading("read", Integer(7), text="2+3")
    monkeypatch.setattr(second_reader, "reread", lambda source, tree, value: other)
    (link,) = links("2+3=5", readers=2)
    assert (link.verdict, link.code) == ("UNDECIDED", "ST002")
    assert link.readings == ("2+3", "2+3 = 7")


@pytest.mark.parametrize(
    ("formula", "slip"),
    [
        (r"[1,2;3,4][5,7;6,8]=[19,22;43,50]", "transpose-missing"),
        (r"\frac{[4, 6]}{\sqrt{4}\cdot\sqrt{9}}=[2, 3]", "scale-missing"),
        (r"\frac{1}{\sqrt{2}}[4, 6]=[2, 3]", "root-missing"),
        (r"\text{softmax}([1, 3])=[0.25, 0.75]", "plain-normalisation"),
        (r"\text{softmax}([0,0;1,0])=[0.27,0.5;0.73,0.5]", "columnwise-softmax"),
        (r"-\ln(0.5)=1", "logarithm-base"),
        (r"\frac{6}{4}=6", "scale-missing"),
        (r"3\times(-2)=6", "sign"),
        (r"0.59\times 0.41\times 0.0338=0.0818", "shifted-digit"),
        (r"0.7-0.00004=0.6996", "dropped-digit"),
        (r"\text{std}([1, 2, 3])=1", "sample-deviation"),
    ],
)  # fmt: skip
def test_the_likeliest_slip_is_named(formula: str, slip: str) -> None:
    (link,) = links(formula)
    assert (link.verdict, link.slip) == ("FAILS", slip)


@pytest.mark.parametrize(
    ("text", "is_decimal"),
    [
        ("0,85+0,10=0,95", True),
        ("12,25+1=13,25", True),
        ("x=[0,707 ; 0 ; -0,707]", True),
        ("[1,2;3,4]+[10,20;30,40]", False),
        ("[10,20]", False),
        ("1,000+2=1,002", False),
        ("0,5 + 0.5", False),
        (r"x_{1,12}", False),
    ],
)
def test_a_document_writes_its_decimals_with_a_comma_or_not(text: str, is_decimal: bool) -> None:
    assert decimal_comma([text]) is is_decimal


def test_a_percentage_may_tell_its_hundred_twice() -> None:
    from symtrans.check.judge import judge
    from symtrans.document.read import read
    from symtrans.document.source import Source

    text = r"$\frac{45}{50}\times 100=90\%$, $100\times 0.25=25\%$, $100\times 0.25=52\%$, $0.25\times 4=100\%$"
    found = judge(read(Source("page.md", text)), 1).links
    assert [link.verdict for link in found] == ["HOLDS", "HOLDS", "FAILS", "HOLDS"]


def test_a_result_that_is_right_before_its_operands_were_rounded() -> None:
    """70/3 and 20 are right, whatever 70 times three decimals of 1/3 and 2/7 gives; 23.433 is not."""
    page = (
        "$$A = \\begin{bmatrix}\\frac{1}{3}\\\\ \\frac{2}{7}\\end{bmatrix}$$\n\n"
        "$$B = 70 A \\approx 70\\begin{bmatrix}0.333\\\\ 0.286\\end{bmatrix}"
        " \\approx \\begin{bmatrix}23.333\\\\ 20.0\\end{bmatrix}$$\n"
    )

    def levels(text: str) -> list[str]:
        links = judge(read(Source("notes.md", text)), readers=1).links
        return [link.level for link in links if link.level is not None]

    assert levels(page) == ["explained-by-rounding", "explained-by-rounding"]
    assert levels(page.replace("23.333", "23.433")) == ["explained-by-rounding", "error"]
