"""The gallery in `output/`: what the commands write today, byte for byte, pages that TeX accepts, and the README's."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from symtrans.cli.main import main

OUTPUT = Path(__file__).parent.parent / "output"
VARIANTS = {
    **{example: [example] for example in ("bert", "encoder", "encoder-decoder", "gpt", "llama")},
    "handcalc": [],
    "handcalc.head1": ["--head", "1"],
    "handcalc.weights-softmax": ["--set", "weights=softmax"],
    "handcalc.weights-softmax.scale-sqrt": ["--set", "weights=softmax", "--set", "scale=sqrt"],
}
GALLERY = {
    f"{stem}.{dialect}.{language}.tex": [*options, "--dialect", dialect, "--language", language]
    for (stem, options), dialect, language in product(VARIANTS.items(), ("array", "ams"), ("en", "zh"))
}
# Files that README shows with their commands, and the packages whose version shows in their bytes.
SHOWN = {
    "encoder.graph.svg": (["encoder"], {}),
    "encoder-decoder.attention.svg": (["encoder-decoder", "--plot", "attention"], {"matplotlib": "3.11.2"}),
    "handcalc.html": (["handcalc"], {"latex2mathml": "3.81.1"}),
}


def test_the_gallery_has_these_files_and_no_others() -> None:
    assert sorted(path.name for path in OUTPUT.iterdir()) == sorted([*GALLERY, *SHOWN])


@pytest.mark.parametrize("name", SHOWN)
def test_the_command_in_readme_makes_the_file_that_it_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options, packages = SHOWN[name]
    readme = (OUTPUT.parent / "README.md").read_text("utf-8")
    assert f"symtrans derive {' '.join(options)} -o output/{name}" in readme
    assert f"](output/{name})" in readme
    for package, made_with in packages.items():
        pytest.importorskip(package)
        if version(package) != made_with:
            pytest.skip(f"output/{name} is made with {package} {made_with}, and {version(package)} is installed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "output").mkdir()
    result = CliRunner().invoke(main, ["derive", *options, "-o", f"output/{name}"])
    assert (result.exit_code, result.output) == (0, "")
    assert (tmp_path / "output" / name).read_bytes() == (OUTPUT / name).read_bytes()


@pytest.mark.parametrize("name", GALLERY)
def test_the_command_writes_the_committed_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["derive", *GALLERY[name]])
    assert result.exit_code == 0, result.output
    assert result.stderr == f"symtrans: saved {Path('output') / name}\n"
    assert (tmp_path / "output" / name).read_bytes() == (OUTPUT / name).read_bytes()


@pytest.mark.tex
@pytest.mark.parametrize("name", GALLERY)
def test_it_compiles_inside_the_margins(name: str, tmp_path: Path, compiles: Callable[[Path, str, Path], str]) -> None:
    log = compiles(OUTPUT / name, "xelatex", tmp_path)
    too_wide = [line for line in log.splitlines() if line.startswith("Overfull \\hbox")]
    assert all(float(line.split("(")[1].split("pt")[0]) < 10 for line in too_wide), too_wide


@pytest.mark.tex
@pytest.mark.parametrize("name", [name for name in GALLERY if name.endswith(".en.tex")])
def test_english_compiles_under_pdflatex_too(
    name: str, tmp_path: Path, compiles: Callable[[Path, str, Path], str]
) -> None:
    compiles(OUTPUT / name, "pdflatex", tmp_path)
