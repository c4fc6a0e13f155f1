"""A story's blocks in every language at once, as an outline: parts that can be folded, with what stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from symtrans.page.story import Block, Display, Heading, Sentence, Story, Table


@dataclass(slots=True)
class Said:
    """A sentence or a heading in the languages in which it is told."""

    told: dict[str, Sentence | Heading]


Item = Said | Display | Table


@dataclass(slots=True)
class Section:
    """A heading with what stands below it; `head` is the attention head that all of it belongs to, or None."""

    title: Said | None
    items: list[Item | Section] = field(default_factory=list)
    head: int | None = None
    level: int = 0

    def displays(self) -> Iterator[Display]:
        """All formulas below the heading."""
        for item in self.items:
            if isinstance(item, Display):
                yield item
            elif isinstance(item, Section):
                yield from item.displays()


def outline(story: Story) -> Section:
    """The blocks of a story, and of the same story in other languages, as one tree."""
    root = Section(None)
    open_sections = [root]
    for item in _items(story):
        heading = next(iter(item.told.values())) if isinstance(item, Said) else None
        if isinstance(item, Said) and isinstance(heading, Heading):
            while open_sections[-1].level >= heading.level:
                open_sections.pop()
            section = Section(item, level=heading.level)
            open_sections[-1].items.append(section)
            open_sections.append(section)
        else:
            open_sections[-1].items.append(item)
    _find_heads(root)
    return root


def _items(story: Story) -> Iterator[Item]:
    """The blocks in order; between two formulas, the k-th sentence or heading of each language is the same one."""
    stories = (story, *story.others)
    split = [_split(one) for one in stories]
    for place, (_, block) in enumerate(split[0]):
        runs = [parts[place][0] if place < len(parts) else [] for parts in split]
        yield from _together([one.language for one in stories], runs)
        if block is not None:
            yield block


def _split(story: Story) -> list[tuple[list[Sentence | Heading], Display | Table | None]]:
    """The texts before each formula or table, and it; after the last one, None."""
    found: list[tuple[list[Sentence | Heading], Display | Table | None]] = []
    texts: list[Sentence | Heading] = []
    for block in story.blocks:
        if isinstance(block, Sentence | Heading):
            texts.append(block)
        else:
            found.append((texts, block))
            texts = []
    return [*found, (texts, None)]


def _together(codes: list[str], runs: list[list[Sentence | Heading]]) -> Iterator[Said]:
    """Texts side by side where the languages tell the same kinds of text; else one language after the other."""
    kinds = [[_kind(block) for block in run] for run in runs]
    if all(kind == kinds[0] for kind in kinds):
        for blocks in zip(*runs, strict=True):
            yield Said(dict(zip(codes, blocks, strict=True)))
        return
    headings = [[block for block in run if isinstance(block, Heading)] for run in runs]
    for code, run in zip(codes, runs, strict=True):
        place = 0
        for block in run:
            if isinstance(block, Sentence):
                yield Said({code: block})
            elif code == codes[0]:
                yield Said({c: own[place] for c, own in zip(codes, headings, strict=True) if place < len(own)})
                place += 1


def _kind(block: Block) -> tuple[str, int]:
    return type(block).__name__, block.level if isinstance(block, Heading) else 0


def _find_heads(section: Section) -> None:
    for item in section.items:
        if isinstance(item, Section):
            _find_heads(item)
    heads = {display.line.step.head for display in section.displays()}
    section.head = heads.pop() if len(heads) == 1 else None
