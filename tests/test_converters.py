"""PDF and Word: the programs that make them are driven safely; a fault is one sentence, and the page stays."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import time
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from symtrans.cli.main import main
from symtrans.derive.derivation import derive
from symtrans.errors import ConversionError
from symtrans.page import external
from symtrans.page.converter import converters
from symtrans.page.converters import docx, pdf
from symtrans.page.telling import tell

STORY = tell(derive("handcalc", parts=["inputs"]))
TINY = "\\documentclass{article}\\begin{document}%s\\end{document}"
MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["derive", "--head", "1", *arguments])


def needs(*programs: str) -> None:
    if not any(shutil.which(program) for program in programs):
        pytest.skip(f"{' or '.join(programs)} is not installed")


def put_in_path(folder: Path, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    """A PATH with these programs, scripts of the shell, and nothing else but the shell's own."""
    place = folder / "bin"
    place.mkdir()
    for name, script in scripts.items():
        (place / name).write_text(f"#!/bin/sh\n{script}\n")
        (place / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(place))


def test_a_converter_starts_from_a_writer_and_has_an_ending_of_its_own() -> None:
    found = converters()
    assert {"docx", "pdf"} <= set(found)
    for name, converter in found.items():
        assert converter.writer.name == converter.source
        assert converter.endings[0] == f".{name}"


@pytest.mark.tex
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_pdf_is_made_the_same_each_time(language: str, tmp_path: Path) -> None:
    needs("xelatex")
    for name in ("a.pdf", "b.pdf"):
        result = run("-o", name, "--language", language)
        assert (result.exit_code, result.output) == (0, "")
    made = [(tmp_path / name).read_bytes() for name in ("a.pdf", "b.pdf")]
    assert made[0].startswith(b"%PDF-")
    assert made[0] == made[1]
    assert sorted(os.listdir()) == ["a.pdf", "b.pdf"]


@pytest.mark.tex
def test_a_training_is_made_a_pdf_too() -> None:
    needs("pdflatex", "xelatex")
    result = CliRunner().invoke(main, ["train", "handcalc", "--of", "W_O", "-o", "updates.pdf", "--numbered"])
    assert (result.exit_code, result.output) == (0, "")
    assert Path("updates.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.tex
def test_tex_runs_no_program_and_reads_nothing_elsewhere(tmp_path: Path) -> None:
    needs("pdflatex", "xelatex")
    secret = tmp_path / "secret.tex"
    secret.write_text("secret")
    assert pdf.convert(TINY % r"\immediate\write18{touch %s/made}1".replace("%s", str(tmp_path)), STORY)
    assert not (tmp_path / "made").exists()
    with pytest.raises(ConversionError):
        pdf.convert(TINY % rf"\input{{{secret}}}", STORY)


@pytest.mark.tex
def test_what_tex_refuses_is_quoted_and_what_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("pdflatex", "xelatex")
    with pytest.raises(ConversionError, match=r"failed: ! Undefined control sequence\. / l\.1 .*\\nosuch"):
        pdf.convert(TINY % r"\nosuch", STORY)
    monkeypatch.setattr(external.run, "__defaults__", (external.SAME_DAY, 1))
    with pytest.raises(ConversionError, match="was stopped, for it took more than 1 seconds"):
        pdf.convert(TINY % r"\def\x{\x}\x", STORY)


@pytest.mark.parametrize(("ending", "beside"), [("pdf", "page.tex"), ("docx", "page.md")])
def test_without_the_program_one_sentence_says_how_to_get_it(
    ending: str, beside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in_path(tmp_path, monkeypatch)
    result = run("-o", f"page.{ending}")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "apt install" in result.stderr
    assert result.stderr.endswith(f"; {beside} holds the page\n")
    assert sorted(os.listdir()) == ["bin", beside]
    before = Path(beside).read_text("utf-8")
    assert before.startswith(("\\documentclass", "# "))
    Path(beside).write_text("somebody's own")
    assert f"{beside} is there already" in run("-o", f"page.{ending}").stderr
    assert Path(beside).read_text() == "somebody's own"


def test_chinese_needs_xetex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_in_path(tmp_path, monkeypatch, pdflatex="exit 0")
    assert "no XeLaTeX is installed" in run("-o", "page.pdf", "--language", "zh").stderr


@pytest.mark.parametrize(
    ("program", "page", "sentence"),
    [
        ("pandoc", "page.docx", "pandoc ended without a Word document; page.md holds the page"),
        ("pdflatex", "page.pdf", "pdflatex ended without a PDF; page.tex holds the page"),
    ],
)
def test_a_program_that_makes_nothing_is_told_of(
    program: str, page: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in_path(tmp_path, monkeypatch, **{program: "exit 0"})
    done = run("-o", page)
    assert (done.exit_code, done.stderr) == (2, f"symtrans: {sentence}\n")


def test_the_best_engine_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = dict.fromkeys(("latexmk", "tectonic", "xelatex", "pdflatex"), "exit 0")
    put_in_path(tmp_path, monkeypatch, **every)
    assert [command[0] for command in pdf.commands(False)] == ["latexmk", "tectonic", "xelatex", "pdflatex"]
    assert next(command[:3] for command in pdf.commands(True)) == ("latexmk", "-norc", "-xelatex")
    (tmp_path / "bin" / "xelatex").unlink()
    assert [command[0] for command in pdf.commands(True)] == ["tectonic"]


def test_a_program_that_fails_is_quoted_and_its_children_are_ended(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=r"^sh failed: b / c / d$"):
        external.run(("sh", "-c", "echo a; echo b; echo c >&2; echo; echo d; exit 3"), tmp_path)
    beats = tmp_path / "beats"
    beats.touch()
    with pytest.raises(ConversionError, match="sh was stopped, for it took more than 1 seconds"):
        external.run(("sh", "-c", "while :; do echo >> beats; sleep 0.1; done & wait"), tmp_path, deadline=1)
    before = beats.stat().st_size
    time.sleep(1)
    assert beats.stat().st_size == before > 0


def test_a_word_document_has_equations(tmp_path: Path) -> None:
    needs("pandoc")
    result = run("-o", "page.docx", "--language", "zh", "--dialect", "ams")
    assert (result.exit_code, result.output) == (0, "")
    with zipfile.ZipFile("page.docx") as archive:
        document = ElementTree.fromstring(archive.read("word/document.xml"))
    story = tell(derive("handcalc", head=1), "ams", "zh")
    displays = [block for block in story.blocks if type(block).__name__ == "Display"]
    assert len(list(document.iter(f"{MATHS}oMathPara"))) == len(displays)
    first = next(document.iter(f"{MATHS}m"))
    rows = [["".join(cell.itertext()) for cell in row.iter(f"{MATHS}e")] for row in first.iter(f"{MATHS}mr")]
    assert rows == [["1", "2"], ["3", "4"]]
    assert "begin" not in "".join(document.itertext())


def test_a_word_document_takes_in_nothing(tmp_path: Path) -> None:
    """A page's words are words: a picture in them is not fetched, HTML and TeX are no commands."""
    needs("pandoc")
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    data = docx.convert(f"# T\n\n![a]({picture}) <b>x</b> \\input{{y}}\n", STORY)
    (tmp_path / "page.docx").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "page.docx") as archive:
        assert not [name for name in archive.namelist() if "media" in name]
        text = "".join(ElementTree.fromstring(archive.read("word/document.xml")).itertext())
    assert "a <b>x</b> \\input{y}" in text
    with pytest.raises(ConversionError, match=r"pandoc failed: .*Could not convert TeX math"):
        docx.convert("$$\\nosuch{\\left(}$$\n", STORY)


def test_what_nobody_is_left_to_end_ends_by_itself(tmp_path: Path) -> None:
    """A program's time on the processor is bounded by the system too, and so is that of what it starts."""
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("this system bounds no other process")
    child = "import resource, time; time.sleep(0.3); print(resource.getrlimit(resource.RLIMIT_CPU)[0])"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    external.run([sys.executable, "-c", parent], tmp_path, deadline=7)
    assert (tmp_path / "said.txt").read_text().split() == ["7"]
