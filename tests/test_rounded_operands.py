"""What is known only as a rounding explains what half units reach; a copy of a right number is no second fault."""

from __future__ import annotations

from symtrans.check.finding import LinkVerdict
from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source


def links(*formulas: str) -> tuple[LinkVerdict, ...]:
    text = "\n\n".join(f"$${formula}$$" for formula in formulas)
    return judge(read(Source("page.md", text + "\n"))).links


def matrix(*rows: str) -> str:
    return r"\begin{bmatrix}" + r"\\".join(rows) + r"\end{bmatrix}"


def test_copies_of_rounded_names_are_roundings_too() -> None:
    """w is 30.00 to within 0.005 and x 1.234 to within 0.0005: xw is 37.02 to within 0.0212."""
    given = (r"x\approx\begin{bmatrix}1.234\end{bmatrix}", r"w\approx\begin{bmatrix}30.00\end{bmatrix}")
    told = {}
    for stated in ("37.02", "37.04", "37.05", "47.02", "-37.02"):
        product = (
            rf"y=xw\approx\begin{{bmatrix}}1.234\end{{bmatrix}}\begin{{bmatrix}}30.00\end{{bmatrix}}\approx {stated}"
        )
        told[stated] = links(*given, product)[-1].level
    assert told == {
        "37.02": "ok", "37.04": "explained-by-rounding", "37.05": "error", "47.02": "error", "-37.02": "error",
    }  # fmt: skip


def test_an_exact_zero_among_rounded_numbers_stays_narrow() -> None:
    """A 0.0 beside numbers of four decimals is no number up to 0.05."""
    given = (rf"f\approx{matrix('0.2354&0.0')}", f"w={matrix('1', '10')}")
    told = [links(*given, rf"z=fw\approx{stated}")[-1].level for stated in ("0.2354", "0.2454")]
    assert told == ["ok", "error"]


def test_results_from_printed_digits_and_from_exact_values_both_pass() -> None:
    """softmax(0, 2, 2) is (0.06338, 0.46831, 0.46831); 1000 times its first entry is 63 as printed, else 63.4."""
    weights = rf"A=\text{{softmax}}({matrix('0&2&2')})\approx{matrix('0.063&0.468&0.468')}"
    values = f"V={matrix('1000', '0', '0')}"
    told = [links(weights, values, f"O=AV={stated}")[-1].level for stated in ("63", "63.38", "64")]
    assert told[0] in ("ok", "explained-by-rounding")
    assert told[1:] == ["ok", "error"]


def test_right_copies_of_a_wrong_result_have_one_root() -> None:
    """(1 2) times ((1 2) (3 4)) is (7 10)."""
    told = links(
        f"X={matrix('1&2')}",
        f"W={matrix('1&2', '3&4')}",
        f"Q=XW={matrix('7&11')}",
        f"S=QW={matrix('7&10')}{matrix('1&2', '3&4')}={matrix('37&54')}",
        f"T=2Q=2{matrix('7&10')}={matrix('14&20')}",
    )
    (root,) = [link for link in told if link.verdict == "FAILS"]
    assert root.code == "ST101"
    heirs = [link for link in told if link.verdict == "INHERITED"]
    assert [link.code for link in heirs] == ["ST304", "ST304"]
    assert {(link.root.formula, link.root.step) for link in heirs if link.root} == {(root.formula, root.step)}


def test_another_wrong_copy_of_a_wrong_result_is_a_fault_of_its_own() -> None:
    told = links(
        f"X={matrix('1&2')}",
        f"W={matrix('1&2', '3&4')}",
        f"Q=XW={matrix('7&11')}",
        f"T=2Q=2{matrix('7&19')}={matrix('14&38')}",
    )
    assert [link.code for link in told if link.verdict == "FAILS"] == ["ST101", "ST304"]


def test_a_size_is_taken_from_the_page() -> None:
    given = ("m=4", f"X={matrix('1', '2', '3', '6')}")
    told = [links(*given, rf"b=\frac{{1}}{{m}}\mathbf{{1}}_{{m}}^{{T}}X={stated}")[-1].verdict for stated in "34"]
    assert told == ["HOLDS", "FAILS"]
