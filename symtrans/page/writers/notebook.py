"""A Jupyter notebook: it derives the example again, tells the page, and shows the steps, with what its cells give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtrans.derive.derivation import Derivation
from symtrans.errors import UsageError
from symtrans.language.words import words
from symtrans.page.markdown_blocks import block, text
from symtrans.page.page_writer import PageWriter
from symtrans.page.rederiving import code
from symtrans.page.story import Block, Display, Heading, Story

KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def write(story: Story, derivation: Derivation) -> str:
    """The notebook as JSON; UsageError where nbformat is not installed or the example has no text."""
    try:
        import nbformat.v4 as v4
        from nbformat import writes
    except ImportError:
        raise UsageError(
            "a notebook is written with nbformat, which is not installed; pip install nbformat brings it"
        ) from None
    cells: list[Any] = []

    def tell(markdown: list[str]) -> None:
        cells.append(v4.new_markdown_cell("\n\n".join(markdown), id=f"cell-{len(cells) + 1}"))

    def compute(source: str, outputs: list[Any]) -> None:
        count = sum(cell.cell_type == "code" for cell in cells) + 1
        for output in outputs:
            output["execution_count"] = count
        cell = v4.new_code_cell(source, outputs=outputs, execution_count=count, id=f"cell-{len(cells) + 1}")
        cells.append(cell)

    tell([f"# {text(story.title)}", words(story.language).phrases["notebook"]])
    compute(code(derivation), [])
    for section in _sections(story.blocks):
        tell([block(one) for one in section])
        last = next((one.line.step.id for one in reversed(section) if isinstance(one, Display)), None)
        if last is not None:
            step = derivation[last]
            data = {**step._repr_mimebundle_(), "text/plain": repr(step)}
            compute(f'derivation["{last}"]', [v4.new_output("execute_result", data=data)])
    return str(writes(v4.new_notebook(cells=cells, metadata=KERNEL))) + "\n"


def _sections(blocks: tuple[Block, ...]) -> Iterator[list[Block]]:
    """The blocks in sections: headings, and what stands under them until the next heading."""
    section: list[Block] = []
    for one in blocks:
        if isinstance(one, Heading) and not all(isinstance(before, Heading) for before in section):
            yield section
            section = []
        section.append(one)
    yield section


WRITER = PageWriter("notebook", (".ipynb",), write)
