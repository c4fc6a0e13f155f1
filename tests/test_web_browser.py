"""Pages in a headless Chromium: hover, keyboard, switches and links do what they say.

Skipped, with the reason, where there is no Chromium with its driver.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from symtrans.cli.main import main
from symtrans.registry import files

pytestmark = pytest.mark.browser


# Which cells are lit, as the table's place in its formula, row and column.
LIT = """
return [...document.querySelectorAll("mtd.lit")].map((cell) => {
  const table = cell.closest("mtable"), tables = [...cell.closest(".chain").querySelectorAll("mtable")];
  const row = cell.parentElement;
  return [tables.indexOf(table), [...table.children].indexOf(row) + 1, [...row.children].indexOf(cell) + 1];
});
"""
CHAIN = "return document.getElementById(arguments[0]).querySelector('.chain')"
TEXT = "return document.getElementById(arguments[0]).querySelector('.chain').textContent"


def sum_of(text: str) -> Fraction:
    """The value of a sum of products, worked out here: `1·0.2 + (−2)·0.6`."""
    terms = [term.replace("−", "-").translate({ord("("): "", ord(")"): ""}) for term in text.split(" + ")]
    return sum((prod(map(Fraction, term.split("·"))) for term in terms), Fraction(0))


# Each entry with the sum that a person writes, its value, and the row and column that it is made of:
# Q_1 = [1 2; 3 4] W_Q, S_1 = Q_1 K_1ᵀ, H_1 = [½ ½; ½ ½] V_1.
SUMS = [
    ("Q_1", 2, 3, "3·0.3 + 4·0.7", "3.7", [[0, 2, 1], [0, 2, 2], [1, 1, 3], [1, 2, 3]]),
    (
        "S_1",
        1,
        2,
        "1.1·3 + 1.4·3.7 + 1.7·4.4 + 2·5.1",
        "26.16",
        [[0, 1, 1], [0, 1, 2], [0, 1, 3], [0, 1, 4], [1, 1, 2], [1, 2, 2], [1, 3, 2], [1, 4, 2]],
    ),
    ("H_1", 1, 4, "0.5·2.6 + 0.5·5.8", "4.2", [[0, 1, 1], [0, 1, 2], [1, 1, 4], [1, 2, 4]]),
]


@pytest.mark.parametrize(("step", "row", "column", "rule", "value", "lit"), SUMS)
def test_pointing_at_an_entry_tells_its_sum_and_lights_its_operands(
    browser: Any,
    web_pages: dict[str, Path],
    step: str,
    row: int,
    column: int,
    rule: str,
    value: str,
    lit: list[list[int]],
) -> None:
    browser.open(web_pages["handcalc"])
    told = browser.point_at(step, row, column)
    assert told.split(" = ")[1:] == [rule, value]
    assert sum_of(rule) == Fraction(value)
    assert sorted(browser.run(LIT)) == lit
    exact = browser.run("return document.querySelector('#_card .more').textContent")
    assert f"({row}, {column}) of {step}" in exact
    assert str(Fraction(value)) in exact
    browser.press("\ue00c")  # Escape
    assert browser.card() == ""
    assert browser.run(LIT) == []
    assert browser.complaints() == []


@pytest.mark.parametrize(("step", "row", "column", "rule", "value", "lit"), SUMS)
def test_the_arrow_keys_come_to_the_same_entry(
    browser: Any,
    web_pages: dict[str, Path],
    step: str,
    row: int,
    column: int,
    rule: str,
    value: str,
    lit: list[list[int]],
) -> None:
    browser.open(web_pages["handcalc"])
    browser.run("arguments[0].focus()", browser.run(CHAIN, step))
    browser.press("\ue014", *["\ue015"] * (row - 1), *["\ue014"] * (column - 1))  # right into the value, down, right
    assert browser.card().split(" = ")[1:] == [rule, value]
    assert sorted(browser.run(LIT)) == lit
    assert browser.run("return document.activeElement.tagName") == "mtd"
    browser.press("\ue00c")
    assert browser.run("return document.activeElement.className") == "chain"


def test_a_name_leads_to_its_definition(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.open(web_pages["handcalc"])
    # In S_1 = Q_1 K_1ᵀ = … the names are, from the left, S_1, Q_1 and K_1.
    browser.run("arguments[0].focus()", browser.run(CHAIN, "S_1"))
    browser.press("\ue014", "\ue012", "\ue007")  # right into the value, left to the name before it, Enter
    browser.settle()
    assert browser.run("return [location.hash, document.activeElement.parentElement.id]") == ["#K_1", "K_1"]
    browser.run("history.back()")
    browser.settle()
    browser.run(
        "document.querySelector('#S_1 [data-n]:nth-of-type(1)').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert browser.run("return location.hash") == "#S_1"


# Where the names lead that stand in sentences and can be seen.
IN_SENTENCES = """
return [...document.querySelectorAll("a.name")].filter((one) => one.getClientRects().length)
  .map((one) => one.getAttribute("href").slice(1));
"""


def test_the_keyboard_comes_to_a_name_in_a_sentence(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.open(web_pages["handcalc"])
    names = browser.run(IN_SENTENCES)
    # "Every head has its own copy of W_Q: W_Q1 = W_Q, …", of W_K, of W_V, and the weights that are assumed.
    assert {"W_Q", "W_K", "W_V", "A_1"} <= set(names)
    # Tab from the line of W_Q comes to the names of the sentences after it, one by one, and to no hidden one.
    at = "const at = document.activeElement; return at.matches('a.name') ? at.getAttribute('href').slice(1) : null"
    visited: list[str] = []
    browser.run("arguments[0].focus()", browser.run(CHAIN, "W_Q"))
    for _ in range(40):
        browser.press("\ue004")
        visited += [name for name in [browser.run(at)] if name is not None]
        if len(visited) == 9:
            break
    assert visited == names[:9]
    assert len(set(visited)) >= 2
    browser.press("\ue007")  # Enter
    browser.settle()
    assert browser.run("return [location.hash, document.activeElement.parentElement.id]") == [
        f"#{visited[-1]}",
        visited[-1],
    ]
    assert browser.complaints() == []


def test_a_number_tells_how_certain_it_is(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.open(web_pages["translation"])
    told = browser.point_at("enc.Q_1", 2, 1)
    assert re.search(r" ≈ 1\.84147·\(−1\) \+ .* ≈ −2\.56629$", told)
    more = browser.run("return document.querySelector('#_card .more').textContent")
    assert "≈ −2.56629 (every digit certain)" in more


def test_an_exact_value_whose_names_hold_an_e_is_no_power_of_ten(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.open(web_pages["translation"])
    browser.point_at("enc.Z_1", 1, 1)
    more = browser.run("return document.querySelector('#_card .more').textContent")
    assert "−5/8*t_enc.Z11 · ≈" in more
    assert "10" not in more


def test_numbers_can_be_fractions_and_symbols(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.open(web_pages["handcalc"])
    before = browser.run(TEXT, "Q_1")
    browser.choose("numbers", "fraction")
    assert browser.run("return arguments[0].innerHTML", browser.cell("Q_1", 1, 1)) == (
        "<mrow><mfrac><mn>11</mn><mn>10</mn></mfrac></mrow>"
    )
    assert browser.point_at("Q_1", 1, 1).endswith(" = 1·1/10 + 2·1/2 = 11/10")
    browser.choose("numbers", "symbol")
    assert browser.run("return arguments[0].textContent", browser.cell("Q_1", 2, 3)) == "q23(1)"
    assert browser.run("return location.hash") == "#numbers=symbol"
    browser.choose("numbers", "decimal")
    assert browser.run(TEXT, "Q_1") == before
    assert browser.complaints() == []


# The relations and the matrices of a step's line, each cell a fraction, a decimal or a symbol as text.
SHOWN = """
const number = JSON.parse(document.getElementById("_data").textContent).steps.findIndex((s) => s.id === arguments[0]);
const line = [...document.querySelectorAll(`.line[data-step="${number}"]`)].pop();
const sides = [...line.querySelectorAll(".side")].filter((side) => !side.hidden);
const told = (cell) => {
  const over = cell.querySelector("mfrac"), sign = cell.textContent.startsWith("−") ? "-" : "";
  if (over) return sign + [...over.children].map((part) => part.textContent).join("/");
  return cell.textContent.replace("−", "-");
};
return [sides.slice(1).map((side) => side.querySelector("mo").textContent),
  [...line.querySelectorAll("mtable")].filter((table) => !table.closest("[hidden]"))
    .map((table) => [...table.children].map((row) => [...row.children].map(told)))];
"""


@pytest.fixture(scope="module")
def sevenths(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The hand calculation with weights that do not end as decimals, as a page of decimals and one of fractions."""
    folder = tmp_path_factory.mktemp("web")
    text = files("symtrans.model.examples", ".toml")["handcalc"]
    text = re.sub(r"^W_emb = .*$", 'W_emb = [["1/1007", "0"], ["2/1009", "1/1013"]]', text, count=1, flags=re.M)
    (folder / "sevenths.toml").write_text(text, encoding="utf-8")
    arguments = ("derive", str(folder / "sevenths.toml"), "--set", "weights=softmax")
    pages = folder / "decimals.html", folder / "fractions.html"
    for page, numbers in zip(pages, ("decimal", "fraction"), strict=True):
        CliRunner().invoke(main, [*arguments, "--numbers", numbers, "-o", str(page)])
    return pages


def product(left: list[list[str]], right: list[list[str]]) -> list[list[Fraction]]:
    return [
        [
            sum((Fraction(a) * Fraction(b[j]) for a, b in zip(row, right, strict=True)), Fraction(0))
            for j in range(len(right[0]))
        ]
        for row in left
    ]


def test_a_relation_is_an_equality_only_where_what_is_shown_is_equal(browser: Any, sevenths: tuple[Path, Path]) -> None:
    for page, at_first in zip(sevenths, ("decimal", "fraction"), strict=True):
        browser.open(page)
        told = {at_first: browser.run(SHOWN, "Q_1")}
        for mode in ("fraction", "decimal", "symbol"):
            browser.choose("numbers", mode)
            told[mode] = browser.run(SHOWN, "Q_1")
        signs, (left, right, value) = told["fraction"]
        assert signs == ["=", "=", "="]
        assert product(left, right) == [[Fraction(cell) for cell in row] for row in value]
        signs, (left, right, value) = told["decimal"]
        assert signs[-1] == "≈"
        assert product(left, right) != [[Fraction(cell) for cell in row] for row in value]
        assert told["symbol"][0] == ["=", "=", "="]
        assert told["symbol"][1][2][0][:2] == ["q11(1)", "q12(1)"]
        # The weights are no fractions: their decimals stay as they are, and stay roundings.
        browser.choose("numbers", "fraction")
        assert browser.run(SHOWN, "H_1")[0][-1] == "≈"
        assert browser.run(SHOWN, "y_hat")[0][-1] == "≈"
    assert browser.complaints() == []


def test_language_head_theme_and_folding_are_kept_in_the_address(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.open(web_pages["handcalc"])
    browser.choose("lang", "zh")
    heading = "return document.querySelector('main details h2').innerText"
    assert browser.run(heading) == "输入与参数"
    assert browser.run("return [document.documentElement.lang, document.title]") == [
        "zh",
        "简单 Transformer 手算示例",
    ]
    browser.choose("head", "2")
    seen = (
        "return [...document.querySelectorAll('.line[data-head]')].filter((l) => !l.hidden).map((l) => l.dataset.head)"
    )
    assert set(browser.run(seen)) == {"2"}
    browser.choose("theme", "dark")
    background = "return getComputedStyle(document.body).backgroundColor"
    assert browser.run(background) == "rgb(21, 24, 29)"
    browser.choose("folded", "all")
    assert browser.run("return document.querySelectorAll('details.part[open]').length") == 0
    address = browser.run("return location.hash")
    assert sorted(address.strip("#").split("&")) == ["folded=all", "head=2", "lang=zh", "theme=dark"]
    browser.open(web_pages["handcalc"], address)
    assert browser.run(heading) == "输入与参数"
    assert browser.run(background) == "rgb(21, 24, 29)"
    # What is hidden or folded is shown again when a link leads there.
    browser.run("document.querySelector('nav a').click()")
    assert browser.run("return document.querySelector('main details.part').open") is True
    assert browser.complaints() == []


def test_a_node_of_the_graph_leads_to_its_step(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.open(web_pages["translation"])
    browser.run("document.querySelector('#_graph details').open = true")
    browser.run(
        "document.querySelector(\"svg a[href='#enc.S_1']\").dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    browser.settle()
    assert browser.run("return [location.hash, document.activeElement.parentElement.id]") == ["#enc.S_1", "enc.S_1"]
    dead = (
        "return [...document.querySelectorAll('a')].map((a) => a.getAttribute('href').slice(1))"
        ".filter((id) => !document.getElementById(decodeURIComponent(id)))"
    )
    assert browser.run(dead) == []


def test_a_report_shows_one_verdict_at_a_time(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.open(web_pages["notes"])
    shown = "return [...document.querySelectorAll('.formula')].filter((f) => !f.hidden).map((f) => f.id)"
    assert browser.run(shown) == [f"_f1.{n}" for n in range(1, 6)]
    browser.choose("show", "FAILS")
    assert browser.run(shown) == ["_f1.1"]
    browser.choose("show", "INHERITED")
    assert browser.run(shown) == ["_f1.2"]
    browser.run("document.querySelector(\"[id='_f1.2'] a\").click()")
    assert browser.run(shown) == [f"_f1.{n}" for n in range(1, 6)]  # the root was hidden, and is shown again
    assert browser.complaints() == []


def test_the_report_on_the_hand_calculation(browser: Any, web_pages: dict[str, Path]) -> None:
    """Worked out by hand: rows 2 of K₁ and V₁ and all scores of head 1 are wrong from their own operands."""
    browser.open(web_pages["report"])
    shown = "return [...document.querySelectorAll('.formula')].filter((f) => !f.hidden).map((f) => +f.id.split('.')[1])"
    assert browser.run(shown) == list(range(1, 34))
    codes = (
        "return [...document.querySelectorAll('.finding > p > code')].filter((c) => c.textContent === arguments[0])"
        ".map((c) => c.closest('.formula')).filter((f) => f.querySelector('.badge.fails'))"
        ".map((f) => +f.id.split('.')[1])"
    )
    assert browser.run(codes, "ST101") == [10, 11, 18]
    marked = (
        "return [...document.getElementById(arguments[0]).querySelectorAll('.chain .wrong')].map((w) => w.textContent)"
    )
    assert browser.run(marked, "_f1.10") == ["3.2", "4.1", "5.0", "5.9"]
    assert browser.run(marked, "_f1.11") == ["3.8", "4.6", "5.4", "6.2"]
    right = (
        "return [...document.getElementById(arguments[0]).querySelectorAll('.right .mended')].map((w) => w.textContent)"
    )
    assert browser.run(right, "_f1.10") == ["3", "3.7", "4.4", "5.1"]
    assert browser.run(right, "_f1.18") == ["11.92", "29.56", "25.84", "64.12"]
    # What inherits is linked to its root, and the root to what inherits.
    browser.choose("show", "INHERITED")
    inherited = browser.run(shown)
    assert {13, 14, 16, 17, 19, 20} <= set(inherited)
    roots = (
        "return [...document.querySelectorAll('.formula')].filter((f) => !f.hidden).map((f) =>"
        " [...f.querySelectorAll('.badge.inherited')].map((b) =>"
        " b.parentElement.querySelector('a').getAttribute('href'))).flat()"
    )
    found = browser.run(roots)
    assert len(found) >= len(inherited)
    assert set(found) <= {"#_f1.10", "#_f1.11", "#_f1.18"}
    heirs = (
        "return [...document.getElementById(arguments[0]).querySelectorAll('.finding p:last-child > a')]"
        ".map((a) => +a.getAttribute('href').split('.')[1])"
    )
    assert {13, 16} <= set(browser.run(heirs, "_f1.10"))
    browser.run("document.querySelector(\"[id='_f1.13'] a\").click()")
    browser.settle()
    assert browser.run("return location.hash.split('&')[0]") == "#_f1.10"
    assert browser.run(shown) == list(range(1, 34))  # the root was hidden
    browser.choose("show", "ASSUMED")
    assert browser.run(shown) == [21, 22, 23]
    assert browser.complaints() == []
