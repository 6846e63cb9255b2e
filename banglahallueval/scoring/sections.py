"""Sections that other capabilities add to the page of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from banglahallueval.errors import UsageError
from banglahallueval.scoring.load import find_files
from banglahallueval.scoring.tables import ReportTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def split_inputs(
    inputs: Sequence[str], finders: Sequence[SectionFinder]
) -> tuple[list[Section], list[str], list[str]]:
    """Find the sections that inputs hold.

    Returns:
        The sections, each once; the inputs that hold labelled files, or nothing known; and why
        inputs that should be a section are left out.
    """
    sections: dict[str, Section] = {}
    others, left_out = [], []
    for given in inputs:
        is_known = False
        for find in finders:
            try:
                found = {section.output: section for section in find(Path(given))}
            except UsageError as error:
                left_out.append(str(error))
                is_known = True
            else:
                sections |= found
                is_known |= bool(found)
        if not is_known or (Path(given).is_dir() and _has_labelled(given)):
            others.append(given)
    return list(sections.values()), others, left_out


def _has_labelled(folder: str) -> bool:
    try:
        find_files([folder], [])
    except UsageError:
        return False
    return True
