"""Sections that other capabilities add to the page of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup
from matplotlib.figure import Figure

from banglahallueval.scoring.tables import ReportTable

_NOTHING = Markup("")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page.

    Attributes:
        title: Its heading.
        output: The file that it is about, as the page names it.
        tables: Its tables, the first of them above all else.
        figures: Figures with their captions.
        sentences: What they show, in words.
        record: The run record beside the file; empty where there is none.
        markup: HTML that stands behind all else, made by markupsafe, which escapes the texts in it.
    """

    title: str
    output: str
    tables: Sequence[ReportTable]
    figures: Sequence[tuple[Figure, str]]
    sentences: Sequence[str]
    record: Mapping[str, Any]
    markup: Markup = _NOTHING


# Makes sections of what a file or folder holds that the capability knows; none where it holds no
# such thing.
SectionFinder = Callable[[Path], Sequence[Section]]


def section_figures(sections: Sequence[Section]) -> dict[str, tuple[Figure, str]]:
    """Name the figures of sections: `section-1-1` is the first of the first."""
    return {
        f"section-{number}-{place}": figure
        for number, section in enumerate(sections, 1)
        for place, figure in enumerate(section.figures, 1)
    }
