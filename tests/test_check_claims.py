"""From blocks to statements: relations numbered, chains continued, sides with their places, nothing dropped."""

from __future__ import annotations

from symtrans.check.judge import judge
from symtrans.document.claims import Claims, claims_of
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.notation.tree import Number, walk


def claims(text: str) -> Claims:
    return claims_of(read(Source("page.md", text)))


def sides(text: str) -> list[list[str]]:
    return [[side.text if side else "" for side in s.sides] for s in claims(text).statements]


def numbered(text: str) -> list[tuple[int, int, int, int]]:
    return [(s.block, s.step, s.line, s.column) for st in claims(text).statements for s in st.steps]


def test_relations_are_numbered_in_their_block_and_have_their_place() -> None:
    assert numbered("$$a=1, \\quad b=2=2$$\n\nand $c=3$\n") == [
        (1, 1, 1, 4),
        (1, 2, 1, 15),
        (1, 3, 1, 17),
        (2, 1, 3, 7),
    ]


def test_several_chains_of_a_display() -> None:
    assert sides("$$a=1, \\quad b=2=2$$\n") == [["a", "1"], ["b", "2", "2"]]


def test_lines_that_begin_with_a_relation_continue_the_chain() -> None:
    text = "$$\n\\begin{aligned}\na &= 1+1 \\\\\n&= 2\n\\end{aligned}\n$$\n"
    assert sides(text) == [["a", "1+1", "2"]]


def test_a_chain_goes_on_in_the_next_display_where_it_was_left_open() -> None:
    (first, second) = claims("$$a=1+2$$\n\n$$=3$$\n").statements
    assert [side.text for side in second.sides if side] == ["1+2", "3"]
    assert second.continues == 0
    assert [(s.block, s.step) for s in (*first.steps, *second.steps)] == [(1, 1), (2, 1)]


def test_a_chain_that_had_its_result_does_not_go_on() -> None:
    assert sides("$$a=1+2=3$$\n\n$$=4\\cdot 2=8$$\n")[1] == ["", "4\\cdot 2", "8"]


def test_words_between_end_a_chain() -> None:
    assert sides("$$a=1+2$$\n\n## Next\n\n$$=3$$\n")[1] == ["", "3"]


def test_what_is_not_understood_is_kept_with_its_reason() -> None:
    found = claims("$$a=\\foo{1}=2$$\n")
    (statement,) = found.statements
    unread = statement.sides[1]
    assert unread is not None
    assert (unread.node, unread.text, unread.trouble) == (None, "\\foo{1}", "the command \\foo is not known")
    assert (found.formulas, found.read) == (1, 0)


def test_every_number_knows_its_place_in_the_source() -> None:
    text = "Take $x = 12$ and\n\n$$2x = 2\\times 12=24$$\n"
    places = [
        text[span[0] : span[1]]
        for statement in claims(text).statements
        for side in statement.sides
        if side is not None and side.node is not None
        for node in walk(side.node)
        if isinstance(node, Number) and (span := side.span_of(node)) is not None
    ]
    assert places == ["12", "2", "2", "12", "24"]


def test_a_bracket_that_hangs_on_a_word_is_its_argument() -> None:
    text = "then ReLU$(-3)=0$ but $(-3)+3=0$, and 输入$(1+2)=3$\n"
    links = judge(read(Source("notes.md", text)), readers=1).links
    assert [link.verdict for link in links] == ["UNREADABLE", "HOLDS", "HOLDS"]
