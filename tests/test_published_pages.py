"""Published calculations written as a page of mathematics: the checker passes what is right and names what is not."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from symtrans.check.finding import LinkVerdict
from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source

PUBLISHED = Path(__file__).parent / "data" / "published"
WRITTEN = {"scores": "{0}{1}^{{T}}", "matmul": "{0}{1}", "softmax": r"\text{{softmax}}({0})"}

# The steps of each source that a page can write in one formula.
STEPS = {
    "raschka_self_attention": "SAC",
    "attention_from_scratch": "SAC",
    "illustrated_self_attention": "KVQSA",
    "three_words_numpy": "VQSTAO",
    "small_examples": "saob",
}


def numeral(text: str) -> str:
    mantissa, _, power = text.partition("e")
    return f"{mantissa.rstrip('.')}\\times 10^{{{int(power)}}}" if power else text.rstrip(".")


def matrix(text: str) -> str:
    rows = ["&".join(numeral(item) for item in line.split()) for line in text.strip().splitlines()]
    return r"\begin{bmatrix}" + r"\\".join(rows) + r"\end{bmatrix}"


def formula(step: dict[str, Any]) -> str:
    return str(step["formula"]) if "formula" in step else WRITTEN[step["op"]].format(*step["operands"])


def links(name: str) -> list[LinkVerdict]:
    source = tomllib.loads((PUBLISHED / f"{name}.toml").read_text("utf-8"))
    lines = [f"{key}={matrix(text)}" for key, text in source["given"].items() if "inf" not in text]
    steps = [step for step in source["step"] if step["name"] in STEPS[name]]
    lines += [f"{step['name']}={formula(step)}={matrix(step['printed'])}" for step in steps]
    report = judge(read(Source(f"{name}.md", "\n\n".join(f"$${line}$$" for line in lines) + "\n")))
    checked = [link for link in report.links if link.step == 2]
    assert len(checked) == len(steps)
    return checked


@pytest.mark.parametrize("name", [name for name in STEPS if name != "small_examples"])
def test_a_right_page_raises_no_alarm(name: str) -> None:
    assert {link.level for link in links(name)} <= {"ok", "explained-by-rounding"}


def test_wrong_weights_are_found() -> None:
    told = [(link.verdict, link.code) for link in links("small_examples")]
    assert told == [("HOLDS", None), ("FAILS", "ST101"), ("FAILS", "ST101"), ("FAILS", "ST103")]
