"""Pages for everybody: axe finds nothing serious in either theme, a narrow screen and no script are enough.

Skipped, with the reason, where there is no Chromium with its driver.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

THEMES = ("light", "dark")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["handcalc", "translation", "report", "notes"])
def test_axe_finds_nothing_serious(browser: Any, web_pages: dict[str, Path], name: str, theme: str) -> None:
    browser.open(web_pages[name], f"#theme={theme}")
    # Of a long page every fortieth line, with the whole picture: axe takes minutes for all of it.
    browser.run(
        "for (const one of document.querySelectorAll('details')) one.open = true;"
        "const lines = [...document.querySelectorAll('.line')];"
        "if (lines.length > 100) lines.forEach((line, place) => { if (place % 40) line.remove(); });"
    )
    assert browser.serious() == []
    assert browser.complaints() == []


@pytest.mark.parametrize("name", ["handcalc", "translation", "report", "notes"])
def test_a_narrow_screen_needs_no_sideways_scrolling(browser: Any, web_pages: dict[str, Path], name: str) -> None:
    browser.driver.set_window_size(500, 800)
    browser.open(web_pages[name])
    try:
        browser.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True}
        )
        assert browser.run("return [innerWidth, document.documentElement.scrollWidth]") == [360, 360]
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.driver.set_window_size(1280, 900)


def test_without_the_script_the_page_is_read_whole(browser: Any, web_pages: dict[str, Path]) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(web_pages["handcalc"])
        shown = browser.driver.find_element("tag name", "main").text
        assert not browser.driver.find_element("class name", "controls").is_displayed()
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "Queries, keys and values" in shown
    assert "56.72" in shown
