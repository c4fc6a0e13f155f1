"""The parts of a web page one by one: the outline in two languages, the graph, shades, and what a card needs."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from symtrans.derive.derivation import derive
from symtrans.page.story import Heading, Sentence, Story, Table
from symtrans.page.telling import tell
from symtrans.page.web.graph import graph
from symtrans.page.web.heat_map import shade
from symtrans.page.web.outline import Said, Section, outline
from symtrans.page.web.plot import plot
from symtrans.page.web.steps import Steps
from symtrans.page.web.text import marked, text

TABLE = Table(("a",), (("1",),))


def story(code: str, *blocks: Heading | Sentence | Table, others: tuple[Story, ...] = ()) -> Story:
    return Story("title", code, "array", blocks, others=others)


def told(section: Section) -> list[object]:
    """An outline as nested lists of what is said in each language."""
    found: list[object] = []
    for item in section.items:
        if isinstance(item, Section):
            assert item.title is not None
            found.append([_texts(item.title), *told(item)])
        else:
            found.append(_texts(item) if isinstance(item, Said) else "table")
    return found


def _texts(said: Said) -> dict[str, str]:
    return {
        code: block.text if isinstance(block, Heading) else "".join(map(str, block.pieces))
        for code, block in said.told.items()
    }


def test_an_outline_puts_the_languages_side_by_side_and_headings_round_what_is_below_them() -> None:
    chinese = story("zh", Heading(1, "一"), Heading(3, "深"), Sentence(("句",)), TABLE, Heading(2, "二"))
    english = story("en", Heading(1, "one"), Heading(3, "deep"), Sentence(("said",)), TABLE, Heading(2, "two"))
    tree = told(outline(story("en", *english.blocks, others=(chinese,))))
    assert tree == [
        [
            {"en": "one", "zh": "一"},
            [{"en": "deep", "zh": "深"}, {"en": "said", "zh": "句"}, "table"],
            [{"en": "two", "zh": "二"}],
        ]
    ]


def test_a_sentence_that_one_language_lacks_stands_in_the_other_alone() -> None:
    chinese = story("zh", Heading(1, "一"), TABLE)
    english = story("en", Heading(1, "one"), Sentence(("only here",)), TABLE, others=(chinese,))
    assert told(outline(english)) == [[{"en": "one", "zh": "一"}, {"en": "only here"}, "table"]]


def test_a_text_that_is_the_same_in_all_languages_stands_once() -> None:
    assert marked({"en": "L", "zh": "L"}) == "L"
    assert text({"en": "a<b", "zh": "c"}) == (
        '<span class="l" lang="en">a&lt;b</span><span class="l" lang="zh">c</span>'
    )


@pytest.mark.parametrize("example", ["handcalc", "encoder-decoder", "llama"])
def test_the_graph_has_every_step_once_below_what_it_needs_and_apart_from_its_neighbours(example: str) -> None:
    derivation = derive(example)
    drawn = graph(derivation, Steps(tell(derivation), derivation))
    boxes = {
        target: (int(x), int(y), int(width))
        for target, x, y, width in re.findall(r'<a href="#([^"]*)"[^>]*><rect x="(\d+)" y="(\d+)" width="(\d+)"', drawn)
    }
    forward = [s for s in derivation.told_steps() if s.part in ("forward", "loss") and not s.silent and not s.constant]
    assert forward
    assert {step.id for step in forward} <= set(boxes)
    for step in forward:
        for operand in step.operands:
            if operand in boxes:
                assert boxes[operand][1] < boxes[step.id][1], (operand, step.id)
    for (x, y, width), (other_x, other_y, other_width) in combinations(boxes.values(), 2):
        assert y != other_y or x + width < other_x or other_x + other_width < x
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawn)
    assert size is not None
    assert max(x + width for x, _, width in boxes.values()) < int(size[1])
    assert max(y for _, y, _ in boxes.values()) < int(size[2])


def test_many_layers_are_drawn_as_one_node_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symtrans.page.web.graph.MOST_NODES", 20)
    derivation = derive("encoder-decoder", parts=["forward"])
    drawn = graph(derivation, Steps(tell(derivation), derivation))
    labels = re.findall(r'text-anchor="middle">([^<]*)', drawn)
    assert {"enc", "dec"} <= set(labels)
    assert len(labels) <= 20


@pytest.mark.parametrize(
    ("decimal", "expected"),
    [("0", 0), ("6.54e-7", 0), ("0.049", 0), ("0.06", 1), ("0.5", 5), ("0.96", 10), ("1.00", 10), ("-inf", 0)],
)
def test_a_shade_is_the_nearest_tenth(decimal: str, expected: int) -> None:
    assert shade(decimal) == expected


@pytest.mark.parametrize("rows", [(("0", "1"),), (("0", "nothing"), ("1", "2"))])
def test_no_plot_where_there_are_no_two_points(rows: tuple[tuple[str, ...], ...]) -> None:
    assert plot(Table(("n", "loss"), rows, plotted=(0, 1)), [{"en": "n"}, {"en": "loss"}]) == ""


def test_a_copy_is_explained_as_what_it_is_a_copy_of() -> None:
    derivation = derive("handcalc")
    steps = Steps(tell(derivation), derivation)
    copied, shared = derivation.tape["W_Q1"], derivation.tape["W_Q"]
    assert steps.number(copied) == steps.number(shared)
    assert steps.target(copied) == "W_Q"


def test_an_entry_known_by_intervals_only_has_no_exact_form_and_a_rounded_one_says_so() -> None:
    derivation = derive("encoder-decoder")
    data = Steps(tell(derivation), derivation).data()
    step = next(step for step in data["steps"] if step["id"] == "enc.sigma_1")
    assert set(step["x"]) == {""}
    assert all(text.startswith("≈") for text in step["d"])
    assert "q" not in step
