"""What tests share: how hypothesis runs, the hand calculation, walks over the operations, TeX, and a browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import settings

from symtrans.cli.main import main
from symtrans.ops import all_ops
from symtrans.ops.op import Op
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

# A busy machine is not a fault, hence no deadline; a run that gates a change must repeat, hence no new examples there.
settings.register_profile("symtrans", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True)
settings.load_profile("symtrans")


DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def hand_printed() -> dict[str, str]:
    """The hand calculation's 33 formulas as they were printed, with its slips, by their number."""
    return dict(json.loads((DATA / "handcalc_printed.json").read_text("utf-8")))


HAND_HEADINGS = {
    "F01": "# Parameters\n\n- Input:",
    "F08": "# Forward\n\n1. Embedding",
    "F09": "2. Queries, keys and values\n\n- Head 1:",
    "F12": "- Head 2:",
    "F15": "- Head 3:",
    "F18": "3. Scores\n\n- Head 1:",
    "F19": "- Head 2:",
    "F20": "- Head 3:",
    "F21": "4. Weights\n\nTo keep it simple we assume equal weights and ignore the softmax:",
    "F24": "5. Outputs\n\n- Head 1:",
    "F27": "6. Concatenation:",
    "F28": "Linear map:",
    "F29": "# Loss",
    "F31": "# Backward\n\n1. Gradient:",
    "F32": "2. Update, learning rate 0.1:",
}


@pytest.fixture(scope="session")
def hand_document(hand_printed: dict[str, str]) -> str:
    """The printed formulas as a Markdown document with headings."""
    parts = []
    for identity, formula in sorted(hand_printed.items()):
        if identity in HAND_HEADINGS:
            parts.append(HAND_HEADINGS[identity])
        parts.append(f"$${formula}$$")
    return "\n\n".join(parts) + "\n"


@pytest.fixture(scope="session")
def hand_right(hand_printed: dict[str, str]) -> dict[str, str]:
    """The same with the wrong entries replaced by what was worked out by hand from the inputs."""
    corrections = json.loads((DATA / "handcalc_corrections.json").read_text("utf-8"))
    formulas = dict(hand_printed)
    for identity, pairs in corrections.items():
        for wrong, better in pairs:
            assert wrong in formulas[identity], (identity, wrong)
            formulas[identity] = formulas[identity].replace(wrong, better)
    return formulas


@pytest.fixture(scope="session")
def over_registry() -> Callable[[Callable[[Op], int]], dict[str, int]]:
    """Carries a check out on every op: how many facts it compared for each, and the proof that it left none out."""

    def walk(check: Callable[[Op], int]) -> dict[str, int]:
        facts = {name: check(op) for name, op in all_ops().items()}
        assert len(facts) >= 60
        assert [name for name, count in facts.items() if not count] == []
        print(f"{sum(facts.values())} facts of {len(facts)} operations: {facts}")
        return facts

    return walk


@pytest.fixture(scope="session")
def sample_tensor() -> Callable[[Shape, int, Callable[[Fraction], Any]], Tensor[Any]]:
    """A tensor of a shape, of rational numbers none of which has a finite binary fraction."""

    def tensor(shape: Shape, seed: int, make: Callable[[Fraction], Any]) -> Tensor[Any]:
        if not shape:
            return Tensor.scalar(make(Fraction(5 + seed, 11)))
        return Tensor.matrix(
            [
                [make(Fraction(7 * (i + seed) ** 2 - 5 * j * (seed + 2) + 1, 11 + 2 * j)) for j in range(shape[1])]
                for i in range(shape[0])
            ]
        )

    return tensor


@pytest.fixture(scope="session")
def compiles() -> Callable[[Path, str, Path], str]:
    """TeX carried out on a file, by an engine, in a folder."""

    def compiled(source: Path, engine: str, folder: Path) -> str:
        """The engine's log for a file that must compile."""
        if shutil.which(engine) is None:
            pytest.skip(f"{engine} is not installed")
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}", str(source)]
        run = subprocess.run(
            command, capture_output=True, text=True, errors="replace", cwd=folder, timeout=120, check=False
        )
        assert run.returncode == 0, run.stdout[-1500:]
        assert (folder / source.with_suffix(".pdf").name).stat().st_size > 5000
        return (folder / source.with_suffix(".log").name).read_text("utf-8", "replace")

    return compiled


# --- web pages in a browser ---

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900")

# A cell of a step's value, scrolled into view: arguments are the step's id, row and column.
CELL = """
const number = JSON.parse(document.getElementById("_data").textContent).steps.findIndex((s) => s.id === arguments[0]);
const tables = [...document.querySelectorAll(`.line[data-step="${number}"] mtable[data-v]`)];
const cell = tables[tables.length - 1].children[arguments[1] - 1].children[arguments[2] - 1];
cell.scrollIntoView({block: "center"});
return cell;
"""
NOTES = (
    "$$K=\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}\\begin{bmatrix}0.2&0.3\\\\0.6&0.7\\end{bmatrix}"
    "=\\begin{bmatrix}1.4&1.7\\\\3.2&3.7\\end{bmatrix}$$\n\n$$S=2K=\\begin{bmatrix}2.8&3.4\\\\6.4&7.4\\end{bmatrix}$$\n\n"
    "$$1+1=2$$\n\n$$a=\\foo{3}$$\n\n$$p=q+1$$\n"
)


class Browser:
    """One window, and what the tests ask of a page in it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, fragment: str = "") -> None:
        self.driver.get("about:blank")
        self.driver.get(path.as_uri() + fragment)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def settle(self) -> None:
        """Wait for a few frames: lines come into view, and get their heights, one frame after a jump."""
        self.driver.execute_async_script(
            "const done = arguments[0]; let frames = 8;"
            "const next = () => --frames ? requestAnimationFrame(next) : done(); next()"
        )

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def cell(self, step: str, row: int, column: int) -> Any:
        """An entry of a step's value, scrolled into view."""
        return self.run(CELL, step, row, column)

    def point_at(self, step: str, row: int, column: int) -> str:
        """Hover over an entry; what the card says of it."""
        from selenium.webdriver.common.action_chains import ActionChains

        self.cell(step, row, column)
        self.settle()
        ActionChains(self.driver).move_to_element(self.cell(step, row, column)).perform()
        return self.card()

    def card(self) -> str:
        """The card's sum, or nothing while it is hidden."""
        return str(
            self.run(
                "const card = document.getElementById('_card');"
                "return card.hidden ? '' : card.querySelector('.value').textContent"
            )
        )

    def choose(self, key: str, value: str) -> None:
        self.run(
            "document.querySelector(`[data-set=${arguments[0]}][data-value='${arguments[1]}']`).click()", key, value
        )

    def serious(self) -> list[str]:
        """What axe finds that is serious or worse."""
        self.run(resources.files("selenium_axe_python").joinpath("axe-core", "axe.min.js").read_text(encoding="utf-8"))
        found = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run({resultTypes: ['violations']}).then(done)"
        )
        grave = [rule for rule in found["violations"] if rule["impact"] in ("serious", "critical")]
        return [f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in grave]

    def complaints(self) -> list[str]:
        """What the console has said since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed")
    binary = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    driver_path = shutil.which("chromedriver")
    if binary is None or driver_path is None:
        pytest.skip("no Chromium with its driver: install the packages chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for switch in SWITCHES:
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
    driver.set_script_timeout(120)
    try:
        yield Browser(driver)
    finally:
        driver.quit()


def _written(path: Path, *arguments: str) -> Path:
    done = CliRunner().invoke(main, [*arguments, "-o", str(path)])
    assert path.exists(), done.output
    return path


@pytest.fixture(scope="session")
def web_pages(tmp_path_factory: pytest.TempPathFactory, hand_document: str) -> dict[str, Path]:
    """A small page, a large one, a report on the hand calculation as it was printed, and one with every verdict."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    (folder / "printed.md").write_text(hand_document, encoding="utf-8")
    return {
        "handcalc": _written(folder / "handcalc.html", "derive", "handcalc"),
        "translation": _written(folder / "translation.html", "derive", "encoder-decoder"),
        "report": _written(folder / "report.html", "verify", str(folder / "printed.md")),
        "notes": _written(folder / "notes.html", "verify", str(folder / "notes.md")),
    }
