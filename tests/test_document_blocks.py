"""Blocks: their numbers, their places, their context, what silences them, and what is only announced."""

from __future__ import annotations

from symtrans.document.block import Block, Document
from symtrans.document.read import read
from symtrans.document.source import Source


def document(text: str, path: str = "x.md") -> Document:
    return read(Source(path, text))


def texts(block: Block) -> list[str]:
    return [formula.text for formula in block.formulas]


def blocks(text: str, path: str = "x.md") -> list[list[str]]:
    return [texts(block) for block in document(text, path).blocks]


def test_a_block_is_a_display_a_fence_or_a_paragraph() -> None:
    text = (
        "Some $a = 1$ and 1 + 1 = 2.\n\nNo mathematics.\n\n$$\nb = 2\n$$\n\n"
        "```math\nc = 3\n```\n\n```\n1 + 2 = 3\n2 + 2 = 4\n```\n\n```mermaid\nA --> B = 1\n```\n"
    )
    found = document(text).blocks
    assert [block.index for block in found] == [1, 2, 3, 4]
    assert [texts(block) for block in found] == [
        ["a = 1", "1 + 1 = 2"],
        ["b = 2"],
        ["c = 3"],
        ["1 + 2 = 3", "2 + 2 = 4"],
    ]
    assert [block.line for block in found] == [1, 6, 10, 14]
    assert [block.formulas[0].kind for block in found] == ["inline", "display", "fence", "fence"]
    assert (found[0].formulas[1].line, found[0].formulas[1].column) == (1, 18)


def test_a_tight_list_is_one_block_and_a_loose_one_is_a_block_for_each_item() -> None:
    assert blocks("- 1 + 1 = 2\n- 2 + 2 = 4\n\nand 3 + 3 = 6\n") == [["1 + 1 = 2", "2 + 2 = 4"], ["3 + 3 = 6"]]
    assert blocks("- 1 + 1 = 2\n\n- 2 + 2 = 4\n") == [["1 + 1 = 2"], ["2 + 2 = 4"]]


def test_displays_on_lines_that_touch_are_blocks_of_their_own() -> None:
    text = "• head 1:\n  $$a=1$$\n  $$b=2$$\n  (two of them)\n"
    found = document(text).blocks
    assert [texts(block) for block in found] == [["a=1"], ["b=2"]]
    assert [(block.line, block.formulas[0].column) for block in found] == [(2, 5), (3, 5)]
    assert [block.item for block in found] == ["•", "•"]
    assert [block.list_item_changed for block in found] == [True, False]


def test_a_display_within_a_paragraph_parts_it() -> None:
    assert blocks("so $a=1$ then $$b=2$$ and $c=3$") == [["a=1"], ["b=2"], ["c=3"]]


def test_every_way_to_set_a_display() -> None:
    for text in (
        "\\[\nx = 1\n\\]",
        "\\\\[x = 1\\\\]",
        "$$x = 1$$ (eq1)",
        "[\nx = 1\n]",
        "> $$\n> x = 1\n> $$",
        "1. $$x = 1$$",
        ".. math::\n\n   x = 1\n",
        ".. math:: x = 1\n   :label: a\n",
        "```{math}\n:label: a\n\nx = 1\n```",
        "text\n$$\nx = 1\n$$",
    ):
        (only,) = document(text).blocks
        assert [each.strip() for each in texts(only)[0].split("\n") if ":" not in each] == ["x = 1"], text
        assert only.formulas[0].kind in ("display", "fence")
    assert blocks("\\begin{align*}\nx &= 1\n\\end{align*}") == [["\\begin{align*}\nx &= 1\n\\end{align*}"]]


def test_every_way_to_set_a_formula_in_a_line() -> None:
    for text in (
        "so $x = 1$.",
        "so \\(x = 1\\).",
        "so $`x = 1`$.",
        "so `x = 1`.",
        "so **x = 1**.",
        "so x = 1.",
        "| x = 1 | a |\n|---|---|",
    ):
        assert blocks(text) == [["x = 1"]], text


def test_dollars_that_are_money_are_no_formulas() -> None:
    assert blocks("It costs $5 and $6, or $7 for two.") == []
    assert blocks("It costs $5, so $x = 1$ holds.") == [["x = 1"]]


def test_a_formula_may_be_half_in_latex() -> None:
    assert blocks("Then $\\frac{1}{2}$ × 4 = 2 holds.") == [["\\frac{1}{2} × 4 = 2"]]


def test_indented_formulas_are_no_code() -> None:
    assert blocks("text\n\n    $$a = 1$$\n\n     2 + 2 = 4\n") == [["a = 1"], ["2 + 2 = 4"]]


def test_addresses_tags_and_comments_are_no_mathematics() -> None:
    assert blocks('See http://x.y/?a=1&b=2 and [t](http://x.y/?c=3) <span id="d=4">e</span> <!-- f = 5 -->.') == []


def test_a_formula_in_an_images_address_is_decoded() -> None:
    text = "![eq](https://x.y/svg.latex?%5Cbg_white%20%5Cfrac%7B1%7D%7B2%7D%20%3D%200.5)\n"
    (block,) = document(text).blocks
    (formula,) = block.formulas
    assert (formula.kind, formula.text) == ("image", r"\frac{1}{2} = 0.5")
    first = formula.text.index("0.5")
    assert formula.source_span(first, first + 3) == (text.index("0.5"), text.index("0.5") + 3)
    assert blocks("![](https://x.y/equation?tex=a%2B1+%3D+2&alt=x)") == [["a+1 = 2"]]
    assert blocks('<img src="https://x.y/latex?a=1">') == [["a=1"]]


def test_headings_items_and_prose_between() -> None:
    text = "# Forward\n\nLet $a=1$.\n\n## Update\n\n1. first $a=2$\n2. second $a=3$\n\nAfterwards $a=4$. Hence $a=5$.\n"
    found = [(block.headings, formula) for block in document(text).blocks for formula in block.formulas]
    assert [headings for headings, _ in found] == [("Forward",)] + [("Forward", "Update")] * 4
    assert [formula.heading_changed for _, formula in found] == [True, True, False, False, False]
    assert [formula.item_changed for _, formula in found] == [False, True, True, True, False]
    assert [formula.item for _, formula in found] == ["", "1.", "2.", "", ""]
    assert [formula.prose for _, formula in found][1:] == [". Update first", "second", "Afterwards", ". Hence"]


def test_numbered_titles_without_markup_are_headings() -> None:
    text = "一、前向\n\n$a=1$\n\n2、损失\n\n$b=2$\n\n2.1 More\n\n$c=3$\n"
    assert [block.headings for block in document(text).blocks] == [
        ("一、前向",), ("一、前向", "2、损失"), ("一、前向", "2、损失", "2.1 More"),
    ]  # fmt: skip


def test_comments_silence_the_block_that_they_stand_at() -> None:
    text = (
        "$a=1$\n\n<!-- symtrans: ignore ST101 -->\n\n$b=2$\n\n$c=3$ <!-- symtrans: ignore -->\n\n$d=4$\n\n"
        "<!-- symtrans: ignore-start ST2, ST3 -->\n\n$e=5$\n\n$f=6$\n\n<!-- symtrans: ignore-end -->\n\n$g=7$\n"
    )
    found = document(text).blocks
    assert [sorted(block.ignored) for block in found] == [[], ["ST101"], ["*"], [], ["ST2", "ST3"], ["ST2", "ST3"], []]
    assert (found[1].ignores("ST101"), found[1].ignores("ST102")) == (True, False)
    assert (found[2].ignores("ST999"), found[4].ignores("ST201"), found[4].ignores("ST101")) == (True, True, False)


def test_a_percent_sign_silences_in_tex() -> None:
    text = "$a=1$\n\n\\[ b=2 \\] % symtrans: ignore ST1\n\n% symtrans: ignore\n\\[ c=3 \\]\n"
    assert [sorted(block.ignored) for block in document(text, "x.tex").blocks] == [[], ["ST1"], ["*"]]


def test_what_is_announced_and_does_not_come() -> None:
    text = "The scores are:\n\nHere Q is a matrix.\n\nThe loss is:\n\n$$L=1$$\n\nThere are:\n\n- one\n\nFinally：\n"
    assert [(each.line, each.text) for each in document(text).announcements] == [
        (1, "The scores are:"),
        (13, "Finally："),
    ]


def test_an_unclosed_formula_is_remarked_and_the_rest_is_read() -> None:
    found = document("Here $x = 1 and no end\n\nbut $y = 2$ and \\(z = 3\n")
    assert [texts(block) for block in found.blocks][-1] == ["y = 2", "z = 3"]
    assert [(remark.line, remark.column) for remark in found.remarks] == [(1, 6), (3, 17)]


def test_windows_line_ends_do_not_move_anything() -> None:
    (first, second) = document("a\r\n\r\n> $b = 1$\r\n> 2 + 2 = 4\r\n\r\n$$\r\nc = 3\r\n$$\r\n").blocks
    assert [(each.line, each.column) for each in (*first.formulas, *second.formulas)] == [(3, 4), (4, 3), (7, 1)]


def test_an_unknown_ending_is_read_by_its_content() -> None:
    assert document("\\documentclass{article}\\begin{document}$a=1$\\end{document}", "x.zzz").format == "latex"
    assert document("<!DOCTYPE html><p>1 + 1 = 2", "x").format == "html"
    assert document('{"cells": [{"cell_type": "markdown", "source": "$a=1$"}]}', "x").format == "notebook"
    assert document("1 + 1 = 2", "x.log").format == "markdown"
