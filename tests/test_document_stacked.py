"""Matrices drawn over several lines: read as a whole where the brackets stand in columns, else left undecided."""

from __future__ import annotations

import pytest

from symtrans.check.finding import LinkVerdict
from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source


def links(*lines: str) -> list[LinkVerdict]:
    text = "\n".join(("```", *lines, "```", ""))
    return list(judge(read(Source("page.md", text))).links)


PRODUCT = (
    "[1, 0, 1, 0]   [0, 2, 1]   [1, 2, 1]",
    "[0, 2, 0, 2] x [3, 1, 0] = [8, 4, 0]",
    "[1, 1, 1, 1]   [1, 0, 0]   [5, 4, 1]",
    "               [1, 1, 0]",
)


def test_a_product_over_four_lines_is_one_formula() -> None:
    (link,) = links(*PRODUCT)
    assert (link.verdict, link.level) == ("HOLDS", "ok")


def test_a_wrong_entry_of_it_is_found_where_it_stands() -> None:
    changed = (*PRODUCT[:2], PRODUCT[2].replace("[5, 4, 1]", "[5, 3, 1]"), PRODUCT[3])
    (link,) = links(*changed)
    assert (link.verdict, link.code) == ("FAILS", "ST101")
    (entry,) = link.entries
    assert (entry.row, entry.col, entry.stated, entry.decimal) == (3, 2, "3", "4")
    assert entry.span is not None


@pytest.mark.parametrize("stated", ["39", "38"])
def test_bars_and_blanks_between_entries(stated: str) -> None:
    (link,) = links("| 1  2 |   | 5 |   | 17 |", f"| 3  4 | · | 6 | = | {stated} |")
    assert link.verdict == ("HOLDS" if stated == "39" else "FAILS")


def test_brackets_out_of_line_are_left_undecided() -> None:
    crooked = (*PRODUCT[:2], "[1, 1, 1, 1]    [1, 0, 0]    [5, 4, 1]", PRODUCT[3])
    (link,) = links(*crooked)
    assert (link.verdict, link.code) == ("UNDECIDED", "ST902")
    assert link.reason


def test_two_definitions_side_by_side() -> None:
    told = links(
        "    [1, 5]      [2, 1]",
        "A = [-3, 4]  B = [3, 4]",
        "",
        "A @ B = [[17, 21], [6, 13]]",
    )
    assert [link.verdict for link in told if link.verdict in ("FAILS", "UNREADABLE")] == []


def test_an_array_printed_below_an_expression_is_no_second_row() -> None:
    told = links("[1, 2] * 2 = [2, 4]", "[3, 4] * 2 = [6, 8]")
    assert [link.verdict for link in told] == ["HOLDS", "HOLDS"]
