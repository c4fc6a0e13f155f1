"""Files: encodings, lines and columns, what is binary or too large, and which files a command line means."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from symtrans.document.collect import collect
from symtrans.document.source import LARGEST, Source
from symtrans.errors import LimitError, UsageError


def test_lines_and_columns_count_from_one_whatever_ends_a_line() -> None:
    source = Source("x", "ab\r\nc\rd\n\ne")
    places = [source.line_column(offset) for offset in (0, 1, 4, 6, 8, 9)]
    assert places == [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1), (5, 1)]
    assert [source.line_text(line) for line in range(7)] == ["", "ab", "c", "d", "", "e", ""]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_known_encoding_goes_both_ways(encoding: str) -> None:
    data = "梯度 × 0.1\r\n= 2".encode(encoding)
    source = Source.decode(data, "x")
    assert source.text == "梯度 × 0.1\r\n= 2"
    assert source.remarks == ()
    assert source.encode(source.text) == data


@pytest.mark.parametrize(("encoding", "text"), [("gb18030", "损失函数 = 0.5"), ("latin-1", "café 1 = 1")])
def test_a_guessed_encoding_is_remarked(encoding: str, text: str) -> None:
    source = Source.decode(text.encode(encoding), "x")
    assert (source.text, source.encoding) == (text, encoding)
    assert [remark.text for remark in source.remarks] == [f"not UTF-8, read as {encoding}"]
    assert source.encode(source.text) == text.encode(encoding)


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    image = tmp_path / "a.png"
    image.write_bytes(b"\x89PNG\r\n\0\0\0\rIHDR")
    with pytest.raises(UsageError, match=r"a\.png is a binary file"):
        Source.load(image)
    with pytest.raises(UsageError, match=r"none\.md does not exist"):
        Source.load(tmp_path / "none.md")
    with pytest.raises(UsageError, match="cannot be read"):
        Source.load(tmp_path)
    large = tmp_path / "large.txt"
    large.write_bytes(b" " * (LARGEST + 1))
    with pytest.raises(LimitError, match=r"large\.txt is larger than 5 MB"):
        Source.load(large)


def test_a_dash_is_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"1 + 1 = 2")))
    source = Source.load("-")
    assert (source.path, source.text) == ("<stdin>", "1 + 1 = 2")


def test_a_folder_is_walked_in_order_and_what_is_passed_over_is_told(tmp_path: Path) -> None:
    for name, data in {
        "b.md": b"1 = 1",
        "a/z.txt": b"",
        "a/b/c.tex": b"x",
        "a.bin": b"\0\1\2",
        ".hidden.md": b"1 = 2",
        ".git/config": b"",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    found = collect([tmp_path, tmp_path / "b.md"])
    told = [(Path(each.path).relative_to(tmp_path).as_posix(), each.skipped) for each in found]
    assert told == [
        (".git", "a hidden folder"), (".hidden.md", "a hidden file"), ("a/b/c.tex", ""), ("a/z.txt", ""),
        ("a.bin", "a binary file"), ("b.md", ""),
    ]  # fmt: skip
    assert found[-1].load().text == "1 = 1"
    with pytest.raises(UsageError, match="does not exist"):
        collect([tmp_path / "none"])
