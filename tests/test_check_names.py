"""Names across a document: definitions, uses, second tellings, faults that are handed on, and what may be mended."""

from __future__ import annotations

from symtrans.check.finding import LinkVerdict, Root
from symtrans.check.judge import judge
from symtrans.check.mend import mended
from symtrans.document.read import read
from symtrans.document.source import Source


def report(text: str):  # type: ignore[no-untyped-def]
    return judge(read(Source("page.md", text)), 1)


def page(*parts: str) -> str:
    """Displays, and lines of text where a part begins with a `>`."""
    return "\n\n".join(part[1:].strip() if part.startswith(">") else f"$${part}$$" for part in parts) + "\n"


def links(*parts: str) -> dict[tuple[int, int], LinkVerdict]:
    return {(link.formula, link.step): link for link in report(page(*parts)).links}


def told(link: LinkVerdict) -> str:
    return link.verdict if link.level in (None, "ok") else f"{link.verdict}/{link.level}"


def verdicts(*parts: str) -> list[str]:
    return [told(link) for link in links(*parts).values()]


def matrix(rows: str) -> str:
    return r"\begin{bmatrix}" + rows.replace(" ", "&").replace(";", r"\\") + r"\end{bmatrix}"


X, W = f"X={matrix('1 2;3 4')}", f"W={matrix('0.5 1;1 0')}"


def test_a_name_is_defined_and_used() -> None:
    assert verdicts(X, W, f"XW={matrix('2.5 1;5.5 3')}") == ["DEFINITION", "DEFINITION", "HOLDS"]
    assert verdicts(X, W, f"XW={matrix('2.5 1;5.5 4')}") == ["DEFINITION", "DEFINITION", "FAILS/error"]


def test_a_font_does_not_make_another_name_where_nothing_else_does() -> None:
    assert verdicts(rf"\mathbf{{y}}={matrix('1 0')}", "2y=[2, 0]") == ["DEFINITION", "HOLDS"]


def test_two_fonts_are_two_names_where_both_are_defined() -> None:
    assert verdicts(rf"\mathbf{{x}}={matrix('1 2')}", "x=3", rf"2\mathbf{{x}}={matrix('2 4')}", "2x=6") == [
        "DEFINITION", "DEFINITION", "HOLDS", "HOLDS",
    ]  # fmt: skip


def test_an_undefined_name_is_undecided_and_said() -> None:
    found = links(X, f"XU={matrix('1 2;3 4')}")[2, 1]
    assert (found.verdict, found.code, found.names) == ("UNDECIDED", "ST301", ("U",))


def test_a_name_may_be_given_further_on() -> None:
    assert verdicts(f"{matrix('1 2')}U={matrix('7 10')}", f"U={matrix('1 2;3 4')}") == ["HOLDS", "DEFINITION"]


def test_a_literal_product_defines_the_names_that_stand_for_it() -> None:
    found = links(f"Q=EW_{{Q1}}={matrix('1 2')}{matrix('1 0;0 1')}={matrix('1 2')}", f"2W_{{Q1}}={matrix('2 0;0 2')}")
    assert [told(link) for link in found.values()] == ["DEFINITION", "DEFINITION", "HOLDS", "HOLDS"]


def test_a_name_that_equals_one_earlier_quantity_is_bound_to_it_and_said() -> None:
    found = links(f"W_Q={matrix('1 2;3 4')}", f"Q=EW_{{Q1}}={matrix('1 1')}{matrix('1 2;3 4')}={matrix('4 6')}")
    assert (found[2, 2].code, found[2, 2].note) == ("ST302", "W_Q1 = W_Q")


def test_an_operand_copied_wrong_is_found_even_where_the_product_hides_it() -> None:
    found = links(
        f"A={matrix('0 1')}", f"V={matrix('1 2;3 4')}", f"AV={matrix('0 1')}{matrix('1 9;3 4')}={matrix('3 4')}"
    )
    wrong = found[3, 1]
    assert (told(wrong), wrong.code, wrong.names) == ("FAILS/error", "ST304", ("V",))
    assert [(e.row, e.col, e.stated, e.exact) for e in wrong.entries] == [(1, 2, "9", "2")]


def test_a_rounded_copy_is_a_copy() -> None:
    assert verdicts(r"y=\frac{1}{1+e^{-0.315}}=0.578", r"2y=2\times 0.58=1.16")[-2:] == [
        "FAILS/explained-by-rounding", "HOLDS",
    ]  # fmt: skip


def test_a_second_telling_is_a_claim_about_the_first() -> None:
    assert verdicts(r"L=\frac{1}{2}(3-1)^2=2", r"L=\frac{1}{2}\times 4=2") == ["DEFINITION", "HOLDS", "HOLDS", "HOLDS"]
    assert verdicts(r"L=\frac{1}{2}(3-1)^2", r"L=\frac{1}{2}\times 5") == ["DEFINITION", "FAILS/error"]


def test_a_new_value_after_a_heading_a_cue_or_a_change_is_a_new_value() -> None:
    first, second = r"z=0.5+0.25=0.75", r"z=0.5+0.5=1"
    assert verdicts(first, ">## Second example", second) == ["DEFINITION", "HOLDS"] * 2
    assert verdicts(first, ">After the update:", second) == ["DEFINITION", "HOLDS"] * 2
    assert verdicts("x=1", "z=2x=2", ">## Two", "x=2", ">then", "z=2x=4") == ["DEFINITION", "DEFINITION", "HOLDS"] * 2


def test_where_neither_is_sure_nothing_holds() -> None:
    assert verdicts("x=1", "x=2") == ["DEFINITION", "UNDECIDED"]
    found = links(r"z=0.5+0.25=0.75", ">and then", "z=1")[2, 1]
    assert (found.verdict, found.code) == ("UNDECIDED", "ST303")


def test_an_arrow_to_the_left_binds_anew() -> None:
    assert verdicts("w=0.5", r"w\leftarrow w-0.1\times 2=0.3", "2w=0.6") == [
        "DEFINITION", "DEFINITION", "HOLDS", "HOLDS",
    ]  # fmt: skip


CHAIN = (
    X,
    W,
    f"K=XW={matrix('1 2;3 4')}{matrix('0.5 1;1 0')}={matrix('2.5 1;5.5 4')}",  # (2, 2) is 3
    f"S=2K=2{matrix('2.5 1;5.5 4')}={matrix('5.0 2;11.0 8')}",
    "T=S",
)


def test_what_follows_from_a_fault_inherits_it() -> None:
    found = links(*CHAIN)
    root = Root(3, 3)
    assert told(found[3, 3]) == "FAILS/error"
    assert {place: (told(link), link.root) for place, link in found.items() if link.verdict == "INHERITED"} == {
        (4, 2): ("INHERITED", root),
        (4, 3): ("INHERITED", root),
        (5, 1): ("INHERITED", root),
    }
    assert found[4, 3].truth == (("5", "2"), ("11", "6"))


def test_a_link_that_is_right_in_truth_is_no_new_fault() -> None:
    # K is stated wrong (4 for 3), and S is told rightly from the true K.
    found = links(X, W, f"K=XW={matrix('2.5 1;5.5 4')}", f"S=2K={matrix('5.0 2;11.0 6')}")
    assert told(found[3, 2]) == "FAILS/error"
    assert (told(found[4, 2]), found[4, 2].root) == ("INHERITED/error", Root(3, 2))


def test_mending_carries_the_right_value_through_what_inherits() -> None:
    text, changes = mended(report(page(*CHAIN)))
    assert text == page(*CHAIN).replace(r"5.5&4\end", r"5.5&3\end").replace(r"11.0&8\end", r"11.0&6\end").replace(
        r"5.5&3\end", r"5.5&3.0\end"
    ).replace(r"11.0&6\end", r"11.0&6.0\end")
    assert len(changes) == 3
    assert [link.code for link in report(text).fails] == []


def test_a_fault_of_shape_is_told_once_where_the_side_is_used() -> None:
    found = links(X, f"U={matrix('1 2 3')}", f"P=XU={matrix('1 2;3 4')}{matrix('1;1')}={matrix('3;7')}")
    assert [(place, link.code) for place, link in found.items() if link.verdict == "FAILS"] == [((3, 2), "ST201")]
    assert told(found[3, 3]) == "HOLDS"


def test_an_assumption_is_told_with_what_would_be_true() -> None:
    found = links(
        f"S_1=2{matrix('0 1;1 1')}={matrix('0 2;2 2')}",
        ">For simplicity we assume equal attention weights instead of the softmax:",
        rf"A_1\approx{matrix('0.5 0.5;0.5 0.5')}",
    )
    assumed = found[2, 1]
    assert (assumed.verdict, assumed.code, assumed.level) == ("ASSUMED", "ST105", None)
    assert assumed.truth == (("exp(0)/(exp(0) + exp(2))", "-exp(0)/(exp(0) + exp(2)) + 1"), ("1/2", "1/2"))


def test_a_mean_and_a_deviation_are_those_of_the_vector_beside_them() -> None:
    assert verdicts(r"x=[1, 2, 3],\quad \mu=2,\quad \sigma=1") == ["DEFINITION", "HOLDS", "FAILS/error"]
    assert verdicts(r"x=[1, 2, 3],\quad \mu=5,\quad \sigma=1") == ["DEFINITION"] * 3


def test_a_function_of_an_argument_is_not_mistaken_for_a_product() -> None:
    assert verdicts("f=0.5", "f(2)=2^2+1=5")[1:] == ["UNDECIDED", "HOLDS"]


def test_silenced_codes_are_marked() -> None:
    (link,) = report("<!-- symtrans: ignore ST101 -->\n\n$$2+2=5$$\n").links
    assert (link.verdict, link.silenced) == ("FAILS", True)


def test_a_name_that_cases_give_anew_is_meant_with_its_latest_value() -> None:
    text = "If $x=3$ then $x^2=9$. If $x=4$ then $x^2=16$. If $x=5$ then $x^2=26$.\n"
    found = [told(link) for link in report(text).links]
    assert found == ["DEFINITION", "HOLDS", "UNDECIDED", "HOLDS", "UNDECIDED", "FAILS/error"]


def test_short_words_of_networks_are_names() -> None:
    power = r"o=\frac{1}{1+e^{-net_{h}}}=0.8"
    assert verdicts("net_{h}=0", power) == ["DEFINITION", "DEFINITION", "FAILS/error"]
    derivative = r"\frac{\partial out_{o}}{\partial net_{o}}=0.3\cdot 0.7=0.21"
    assert verdicts(derivative) == ["DEFINITION", "HOLDS"]
