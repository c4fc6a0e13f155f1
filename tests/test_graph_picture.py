"""The graph of the steps as a file: every step once below what it needs, forward and backward, in plain SVG."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from symtrans.cli.main import main
from symtrans.derive.derivation import Derivation, derive, loads
from symtrans.page.layered import Node, settle
from symtrans.page.picture import drawn
from symtrans.registry import files

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def svg(derivation: Derivation, language: str = "en") -> ElementTree.Element:
    return ElementTree.fromstring(drawn("graph", derivation, "svg", language))


def boxes(root: ElementTree.Element) -> dict[str, tuple[int, int, int, int]]:
    """Left, top, width and height of each node, by its title; each stands there once."""
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    found = {}
    for group in groups:
        box = group.find(f"{SVG}rect")
        assert box is not None
        found[str(group.findtext(f"{SVG}title"))] = (
            int(box.attrib["x"]),
            int(box.attrib["y"]),
            int(box.attrib["width"]),
            int(box.attrib["height"]),
        )
    assert len(found) == len(groups)
    return found


def assert_apart(places: dict[str, tuple[int, int, int, int]], root: ElementTree.Element) -> None:
    for (x, y, width, _), (other_x, other_y, other_width, _) in combinations(places.values(), 2):
        assert y != other_y or x + width < other_x or other_x + other_width < x
    assert min(x for x, *_ in places.values()) > 0
    assert max(x + width for x, _, width, _ in places.values()) < int(root.attrib["width"])
    assert max(y + high for _, y, _, high in places.values()) < int(root.attrib["height"])


@pytest.mark.parametrize("example", ["handcalc", "encoder", "encoder-decoder", "gpt", "llama", "bert"])
def test_every_step_stands_once_below_what_it_needs(example: str) -> None:
    derivation = derive(example)
    root = svg(derivation)
    places = boxes(root)
    forward = [s for s in derivation.told_steps() if s.part in ("forward", "loss") and not (s.silent or s.constant)]
    assert {step.id for step in forward} <= places.keys()
    for step in forward:
        for operand in step.operands:
            if operand in places:
                assert places[operand][1] + places[operand][3] < places[step.id][1], (operand, step.id)
    assert_apart(places, root)


@pytest.mark.parametrize("example", ["encoder", "encoder-decoder", "gpt", "llama", "bert"])
def test_backward_every_gradient_stands_below_those_it_is_made_of(example: str) -> None:
    derivation = derive(example, parts=["backward"])
    root = svg(derivation)
    places = boxes(root)
    assert {f"dL/d{target}" for target in derivation.targets() if not derivation.tape[target].silent} <= places.keys()
    assert not any(" via " in title for title in places)  # a use is drawn as an edge into the sum
    for title in places:
        for operand in derivation.tape[title].operands:
            if " via " in operand:
                operand = next(i for i in derivation.tape[operand].operands if i.startswith("dL/d") or i == title)
            if operand in places:
                assert places[operand][1] < places[title][1], (operand, title)
    assert_apart(places, root)


def test_forward_and_backward_together_meet_in_the_loss() -> None:
    derivation = derive("encoder", parts=["forward", "loss", "backward"])
    root = svg(derivation)
    places = boxes(root)
    assert {"Q_1", "L", "dL/dQ_1"} <= places.keys()
    for title, (_, top, _, _) in places.items():
        if title != "L":
            assert (top > places["L"][1]) == title.startswith("dL/d"), title
    assert_apart(places, root)


def test_edges_are_the_uses_of_the_hand_calculation() -> None:
    """Worked out by hand: x → e; e → nine projections; Q, K → S → A; A, V → H; H → C → ŷ; ŷ, y → L."""
    root = svg(derive("handcalc"))
    places = boxes(root)
    expected = {("x", "e"), ("C", "y_hat"), ("y_hat", "L"), ("y", "L")}
    for h in "123":
        expected |= {("e", f"{letter}_{h}") for letter in "QKV"}
        expected |= {(f"Q_{h}", f"S_{h}"), (f"K_{h}", f"S_{h}"), (f"S_{h}", f"A_{h}")}
        expected |= {(f"A_{h}", f"H_{h}"), (f"V_{h}", f"H_{h}"), (f"H_{h}", "C")}
    bottoms = {(x + width // 2, y + high): title for title, (x, y, width, high) in places.items()}
    tops = {(x + width // 2, y): title for title, (x, y, width, _) in places.items()}
    pieces = []
    for path in root.iter(f"{SVG}path"):
        for piece in re.findall(r"M([\d ]+)C[\d ]+ (\d+ \d+)(?=M|$)", path.attrib["d"]):
            pieces.append(tuple(tuple(map(int, end.split())) for end in piece))
        for x, top, end in re.findall(r"M(\d+) (\d+)V(\d+)", path.attrib["d"]):
            pieces.append(((int(x), int(top)), (int(x), int(end))))
    ways = {(bottoms[start], end) for start, end in pieces if start in bottoms}
    for _ in range(20):  # along the bends
        ways |= {(title, end) for title, place in ways for start, end in pieces if start == place and place not in tops}
    assert {(title, tops[place]) for title, place in ways if place in tops} == expected


def test_nodes_with_one_wish_stand_around_it() -> None:
    """Three nodes of width 10, 20 apart, below one whose middle is at 100: their lefts are 65, 95 and 125."""
    above = Node(derive("handcalc").tape["e"], left=95, width=10)
    nodes = [above, *(Node(above.step, above=[0], width=10) for _ in range(3))]
    settle([1, 2, 3], nodes, 20, lambda n: nodes[n].above)
    assert [node.left for node in nodes[1:]] == [65, 95, 125]


def test_names_operations_shapes_and_colours_are_told() -> None:
    root = svg(derive("handcalc"))
    told = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert told[:5] == [
        "A simple Transformer worked out by hand",
        "Inputs and parameters · Forward pass · Loss",
        "Head 1",
        "Head 2",
        "Head 3",
    ]
    assert told[told.index("Q1") + 1] == "matmul · 2×4"
    assert told[told.index("y\u0302") + 1] == "matmul · 2×2"
    assert told[told.index("L") + 1] == "half sum of squares"
    backward = ["".join(text.itertext()) for text in svg(derive("encoder", parts=["backward"])).iter(f"{SVG}text")]
    assert {"∂L/∂Q1", "∂L/∂σ1", "∂L/∂Zadd norm 1"} <= {text.replace("\u2009", "") for text in backward}
    chinese = ["".join(text.itertext()) for text in svg(derive("encoder-decoder"), "zh").iter(f"{SVG}text")]
    assert "解码器层" in "".join(chinese)


def test_heads_and_layers_have_colours_of_their_own() -> None:
    for derivation, groups in (
        (derive("handcalc"), [("Q_1", "H_1"), ("Q_2", "H_2"), ("Q_3", "H_3"), ("C", "L")]),
        (derive("encoder-decoder"), [("enc.Q_1", "enc.R_2"), ("dec.Q_2", "dec.R_3"), ("dec.cross.K_1", "dec.cross.C")]),
    ):
        root = svg(derivation)
        fills = {
            str(group.findtext(f"{SVG}title")): group.find(f"{SVG}rect").attrib["fill"]  # type: ignore[union-attr]
            for group in root.iter(f"{SVG}g")
            if group.find(f"{SVG}title") is not None
        }
        found = [{fills[title] for title in titles} for titles in groups]
        assert all(len(colours) == 1 for colours in found)
        assert len(set.union(*found)) == len(groups)


def test_an_svg_is_the_graph_and_the_same_each_time() -> None:
    for arguments in (["-o", "a.svg"], ["-o", "b.SVG"], ["--plot", "graph", "-o", "c.svg"]):
        result = run("derive", "encoder", *arguments)
        assert (result.exit_code, result.output) == (0, "")
    text = Path("a.svg").read_text("utf-8")
    assert text == Path("b.SVG").read_text("utf-8") == Path("c.svg").read_text("utf-8")
    assert not re.search(r"<script|href|http(?!://www\.w3\.org/2000/svg\")|<image|@import|url\(", text)
    assert len(text) < 30_000


def test_a_large_model_is_drawn_by_its_layers() -> None:
    assert run("new", "deep.toml", "--architecture", "encoder", "--layers", "9").exit_code == 0
    root = svg(derive("deep.toml"))
    told = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert told.count("Encoder layer 9") == 1
    assert sum(bool(re.fullmatch(r"\d+ steps", text)) for text in told) == 9
    assert_apart(boxes(root), root)


def test_a_title_is_text_and_nothing_else() -> None:
    text = files("symtrans.model.examples", ".toml")["handcalc"]
    hostile = text.replace("A simple Transformer worked out by hand", "</title><script>alert(1)</script> & ü")
    assert hostile != text
    root = svg(loads(hostile).derive())
    assert root.findtext(f"{SVG}title") == "</title><script>alert(1)</script> & ü"
    assert not list(root.iter(f"{SVG}script"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--plot", "graph"], "--plot graph: a picture needs a file"),
        (["--plot", "graph", "-o", "x.png"], "--plot graph: is drawn as svg, not png"),
        (["--plot", "graph", "-o", "x"], "--plot graph: is drawn as svg, not as a file without an ending"),
        (["--part", "update", "-o", "x.svg"], "no graph of 2 to 200 steps"),
        (["--numbered", "-o", "x.svg"], "--numbered are for LaTeX and PDF pages"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(arguments: list[str], sentence: str) -> None:
    result = run("derive", *arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert sentence in result.stderr
    assert list(Path().iterdir()) == []
