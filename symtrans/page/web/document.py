"""The HTML document round a page's content: head, controls, style sheet, data and script, all in one file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from html import escape
from importlib import resources
from typing import Any

from symtrans.language.words import words
from symtrans.page.web.text import Told, text, word

# Nothing is loaded from anywhere, and no other script than the page's own may run.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
SPOKEN = ("exact", "certified", "entry_of", "no_exact")  # phrases that the script shows


def document(
    title: Told,
    body: str,
    *,
    codes: tuple[str, ...],
    controls: Sequence[str] = (),
    contents: str = "",
    data: dict[str, Any] | None = None,
) -> str:
    """The whole file. `codes` are the languages that it tells, the first one shown; the rest is HTML."""
    first = codes[0]
    given = {
        **(data or {}),
        "title": dict(title),
        "words": {code: {key: words(code).web[key] for key in SPOKEN} for code in codes},
    }
    hidden = "".join(f"html[lang={code}] .l:not([lang={code}]){{display:none}}" for code in codes)
    script = f"\n{_file('script.js')}"
    policy = POLICY.format(digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode())
    return f"""<!DOCTYPE html>
<html lang="{first}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<title>{escape(title[first])}</title>
<style>
{_file("style.css")}{hidden}
</style>
</head>
<body>
<a class="skip" href="#_main">{text(word("skip", codes))}</a>
<header>
<h1>{text(title)}</h1>
<div class="controls" role="group" aria-label="{escape(words(first).web["settings"])}">
{"".join([*controls, *_common(codes)])}</div>
</header>
<div class="frame">
{contents}<main id="_main" tabindex="-1">
{body}</main>
</div>
<div id="_card" role="status" hidden></div>
<script type="application/json" id="_data">{_json(given)}</script>
<script>{script}</script>
</body>
</html>
"""


def choice(key: str, options: Sequence[tuple[str, str]], label: Told) -> str:
    """A switch of a few positions, each a value and its HTML, the first one chosen."""
    buttons = "".join(
        f'<button type="button" data-set="{key}" data-value="{escape(value)}" aria-pressed="{str(not place).lower()}">'
        f"{told}</button>"
        for place, (value, told) in enumerate(options)
    )
    name = f'<span id="_{key}">{text(label)}</span>'
    return f'<div class="choice" role="group" aria-labelledby="_{key}">{name}{buttons}</div>\n'


def contents(listed: Sequence[tuple[int, str, str]], codes: tuple[str, ...]) -> str:
    """The table of contents: how deep each entry stands, the id that it leads to, and its HTML."""
    if len(listed) < 2:
        return ""
    rows = "".join(f'<li class="d{depth}"><a href="#{anchor}">{told}</a></li>' for depth, anchor, told in listed)
    heading = f'<summary><h2 id="_toc">{text(word("contents", codes))}</h2></summary>'
    return f'<nav aria-labelledby="_toc"><details open>{heading}<ol>{rows}</ol></details></nav>\n'


def _common(codes: tuple[str, ...]) -> list[str]:
    """The switches that every page has: language and theme."""
    found = []
    if len(codes) > 1:
        options = [(code, f'<span lang="{code}">{escape(words(code).name)}</span>') for code in codes]
        found.append(choice("lang", options, word("language", codes)))
    themes = [(key, text(word(f"theme_{key}", codes))) for key in ("auto", "light", "dark")]
    return [*found, choice("theme", themes, word("theme", codes))]


def _json(value: object) -> str:
    """JSON that no HTML reader takes for the end of its script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _file(name: str) -> str:
    """One of the files beside this module, to stand in the page."""
    return resources.files("symtrans.page.web").joinpath(name).read_text(encoding="utf-8")
