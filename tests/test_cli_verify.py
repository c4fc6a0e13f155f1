"""`symtrans verify` as a person meets it: reports, exit codes, mending, choices."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symtrans.check.rule import rules
from symtrans.cli.main import main

WRONG = (
    "# Notes\n\n$$K = \\begin{bmatrix}1 & 2\\\\ 3 & 4\\end{bmatrix}\\begin{bmatrix}1\\\\ 1\\end{bmatrix}"
    " = \\begin{bmatrix}3\\\\ 8\\end{bmatrix}$$\n"
)
RIGHT = WRONG.replace("3\\\\ 8", "3\\\\ 7")


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, text: str | None = None) -> Result:
    result = CliRunner().invoke(main, ["verify", *arguments], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_wrong_entry_is_told_with_its_sum(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    result = run("notes.md")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("notes.md:3:82: ST101 ")
    assert "entry (2, 1) is 8, right is 7" in lines[0]
    assert lines[1][lines[2].index("^")] == "="
    assert lines[1][lines[2].index("^") + 1 :].startswith(" \\begin{bmatrix}3")
    assert "    (2, 1): 3 + 4 = 7" in lines
    assert lines[-1].startswith("1 files, 1 formulas: 1 read; 2 links: 1 checked, 0 undecided, 0 unreadable; ")


def test_what_holds_is_silent(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(RIGHT)
    result = run("notes.md")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 1


def test_json_as_published(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    data = json.loads(run("notes.md", "--format", "json").stdout)
    assert data["schema"] == 1
    file = data["files"][0]
    assert file["path"] == "notes.md"
    assert set(file["coverage"]) == {"formulas", "read", "links", "checked", "undecided", "unreadable", "read_twice"}
    first, second = file["links"]
    assert (first["verdict"], first["level"], first["root"]) == ("DEFINITION", None, None)
    expected = {"formula": 1, "step": 2, "line": 3, "column": 82, "rel": "=", "verdict": "FAILS", "level": "error"}
    assert {key: second[key] for key in expected} == expected
    assert second["code"] == "ST101"
    assert second["exact"] == [["3"], ["7"]]
    assert second["entries"] == [{"row": 2, "col": 1, "stated": "8", "exact": "7", "decimal": "7"}]


def test_sarif_names_rules_and_places(tmp_path: Path) -> None:
    (tmp_path / "two words.md").write_text(WRONG)
    data = json.loads(run("two words.md", "--format", "sarif").stdout)
    assert data["version"] == "2.1.0"
    sarif = data["runs"][0]
    ids = [rule["id"] for rule in sarif["tool"]["driver"]["rules"]]
    assert ids == sorted(rules())
    (found,) = sarif["results"]
    assert (found["ruleId"], found["level"]) == ("ST101", "error")
    assert ids[found["ruleIndex"]] == "ST101"
    location = found["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "two%20words.md"
    assert location["region"] == {"startLine": 3, "startColumn": 82}


@pytest.mark.parametrize("kind", ["text", "json", "sarif"])
def test_the_same_bytes_each_time(kind: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    assert run("notes.md", "--format", kind).stdout == run("notes.md", "--format", kind).stdout


def test_nothing_checkable_is_never_passed(tmp_path: Path) -> None:
    (tmp_path / "prose.md").write_text("Nothing here.\n")
    result = run("prose.md")
    assert result.exit_code == 0
    assert "prose.md: nothing checkable" in result.stdout
    assert run("prose.md", "--strict").exit_code == 1


def test_undecided_fails_only_when_strict(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("$$X Y = 3$$\n")
    assert run("notes.md").exit_code == 0
    assert run("notes.md", "--strict").exit_code == 1


def test_the_standard_input(tmp_path: Path) -> None:
    result = run("-", text="$1+1=3$\n")
    assert result.exit_code == 1
    assert result.stdout.startswith("<stdin>:1:5: ST101 ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.md"], "none.md does not exist; give a file, a folder or - for the standard input"),
        (["notes.md", "--format", "xml"], "no report format xml: there are html, json, sarif, text"),
        (["notes.md", "--language", "fr"], "no language fr: there are en, zh"),
        (["notes.md", "--fix", "--diff"], "--fix and --diff exclude each other"),
        (["-", "--fix"], "--fix cannot rewrite the standard input"),
        (["notes.md", "--baseline", "none.json"], "none.json: cannot be read"),
    ],
)
def test_a_wrong_call_gets_one_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(RIGHT)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"symtrans: {sentence}")
    assert result.stdout == ""


def test_codes_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    assert run("notes.md", "--select", "ST2").exit_code == 0
    assert run("notes.md", "--select", "ST1").exit_code == 1
    assert run("notes.md", "--ignore", "ST101").exit_code == 0


def test_a_comment_silences(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(f"<!-- symtrans: ignore ST101 -->\n{WRONG}")
    assert run("notes.md").exit_code == 0
    (tmp_path / "notes.tex").write_text("% symtrans: ignore\n\\[1+1=3\\]\n")
    assert run("notes.tex").exit_code == 0


def test_a_baseline_leaves_out_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    assert run("notes.md", "--write-baseline", "known.json").exit_code == 1
    assert run("notes.md", "--baseline", "known.json").exit_code == 0
    (tmp_path / "notes.md").write_text(WRONG + "\n$1+1=3$\n")
    result = run("notes.md", "--baseline", "known.json")
    assert result.exit_code == 1
    assert result.stdout.count("ST101") == 1


def test_folders_are_walked_in_order_and_skips_are_told(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "b.md").write_text(WRONG)
    (tmp_path / "notes" / "a.md").write_text("$1+1=3$\n")
    (tmp_path / "notes" / "c.bin").write_bytes(b"\0\1\2")
    one = run("notes")
    places = [line.split(":")[0] for line in one.stdout.splitlines() if "ST101" in line]
    assert places == [os.path.join("notes", "a.md"), os.path.join("notes", "b.md")]
    assert "c.bin: note: passed over: a binary file" in one.stdout
    assert run("notes", "--jobs", "2").stdout == one.stdout


def test_fix_rewrites_the_wrong_digit_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    difference = run("notes.md", "--diff")
    assert difference.exit_code == 1
    assert (tmp_path / "notes.md").read_text() == WRONG
    assert [line[0] for line in difference.stdout.splitlines()[3:] if line[:1] in "+-"] == ["-", "+"]
    assert run("notes.md", "--fix").exit_code == 0
    assert (tmp_path / "notes.md").read_text() == RIGHT
    assert [path.name for path in tmp_path.iterdir()] == ["notes.md"]


@pytest.mark.parametrize("code", rules())
def test_a_rule_is_explained_and_its_examples_are_true(code: str, tmp_path: Path) -> None:
    rule = rules()[code]
    shown = CliRunner().invoke(main, ["explain", code.lower()])
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"{code}  {rule.title}\n")
    for kind, expected in (("Wrong", True), ("Right", False)):
        examples = rule.examples(kind)
        assert examples or kind == "Wrong"
        for example in examples:
            (tmp_path / "example.md").write_text(example + "\n")
            links = json.loads(run("example.md", "--format", "json").stdout)["files"][0]["links"]
            assert any(link["code"] == code for link in links) is expected, (example, links)


def test_an_unknown_code_is_told_with_those_there_are() -> None:
    result = CliRunner().invoke(main, ["explain", "ST999"])
    assert result.exit_code == 2
    assert result.stderr.startswith("symtrans: no rule ST999: there are ST001, ")


def test_a_document_beside_a_derivation(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(
        "$$\\mathbf{x} = [[1, 2], [3, 4]]$$\n\n$$\\mathbf{K}_1 = [[1.4, 1.7, 2.0, 2.3], [3.2, 4.1, 5.0, 5.9]]$$\n"
    )
    lines = run("notes.md", "--against", "handcalc").stdout.splitlines()
    assert "notes.md beside handcalc: 1 of 2 named quantities agree" in lines
    wrong, right = "[1.4 1.7 2 2.3; 3.2 4.1 5 5.9]", "[1.4 1.7 2 2.3; 3 3.7 4.4 5.1]"
    assert f"  K_1 is {wrong}, the derivation has {right} (K_1)" in lines
    assert sum("--set weights=softmax" in line or "--set scale=sqrt" in line for line in lines) == 2


def test_formulas_that_are_announced_and_missing_are_told(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(
        "The scores are computed as:\n\nNow the next part, with sqrt(64) = 8.\n\nThere are several reasons:\n\n"
        "注意力得分的计算公式如下：\n\n然后是下一段。\n"
    )
    result = run("notes.md")
    missing = [line for line in result.stdout.splitlines() if "a formula is announced here, and none follows" in line]
    assert [line.split(":")[1] for line in missing] == ["1", "7"]
    assert result.exit_code == 0


def test_numbers_of_more_digits_than_python_writes_are_told_by_a_decimal() -> None:
    """9^6000 has 5726 digits and begins with 2.8513900898… (6000 · lg 9 = 5725.4550…)."""
    result = run("-", text="$$" + r"\times ".join(["9^{1000}"] * 6) + " = 5$$\n")
    assert result.exit_code == 1
    assert "stated is 5, right is ≈ 2.851390090e5725\n" in result.stdout


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("r.json", "json"),
        ("r.sarif", "sarif"),
        ("r.SARIF.json", "sarif"),
        ("r.html", "html"),
        ("r.htm", "html"),
        ("r.txt", "text"),
    ],
)
def test_the_ending_of_the_file_tells_the_format(tmp_path: Path, name: str, format_name: str) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    result = run("notes.md", "-o", name)
    assert (result.exit_code, result.output) == (1, "")
    assert Path(name).read_text("utf-8") == run("notes.md", "--format", format_name).stdout


def test_a_format_that_is_given_wins_over_the_ending(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    for name in ("r.html", "r.log", "r"):
        assert run("notes.md", "--format", "json", "-o", name).exit_code == 1
        assert json.loads(Path(name).read_text("utf-8"))["schema"] == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["-o", "r.pdf"],
            "r.pdf: its ending tells no format; endings are .html, .htm, .json, .sarif, .sarif.json, .txt",
        ),
        (["-o", "report"], "report: its ending tells no format"),
        (["-o", "r.json", "--against", "handcalc"], "take another ending than r.json has"),
        (["-o", "r.txt", "--format", "json", "--against", "handcalc"], "leave out --format json"),
    ],
)
def test_an_ending_that_tells_nothing_is_one_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "notes.md").write_text(WRONG)
    result = run("notes.md", *arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert sentence in result.stderr
    assert [path.name for path in Path().iterdir()] == ["notes.md"]
