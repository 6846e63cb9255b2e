"""One self-contained HTML page with all results."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from banglahallueval import __version__
from banglahallueval.audit import Check, Side, audit, make_side
from banglahallueval.errors import UsageError
from banglahallueval.io import tables
from banglahallueval.io.labelled import OUTPUT_COLUMNS
from banglahallueval.scoring.labelled_rows import LabelledSource
from banglahallueval.scoring.page.cells import page_table
from banglahallueval.scoring.page.words import plain_words
from banglahallueval.scoring.plots import inline_svg
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import Results
from banglahallueval.scoring.rows.packing import LONGEST_REPLY, PackedRows, pack
from banglahallueval.scoring.sections import Section, section_figures
from banglahallueval.scoring.tables import ReportTable
from banglahallueval.tasks import TaskName, Track

# They serve as captions and as text for readers who do not see the figures.
_CAPTIONS = {
    "bhs": "BHS of each judge on each task with its 95 % interval, lower is better.",
    "errors": "False alarms against misses; rows on one thin line have equal BHS.",
    "patterns": "Detection by pattern: share of candidates of each kind that are found.",
    "unknown": "Rows without a verdict, by reason.",
    "risk_coverage": "Share of wrong labels among the surest rows, for each share of rows kept.",
    "calibration": "Share of candidates against p_hallucinated, 15 bins; dotted: calibrated.",
    "agreement": "Cohen's κ of each two judges.",
}


def write_report(
    found: Results | None,
    made: Mapping[str, Figure],
    output: Path,
    title: str,
    study: Sequence[ReportTable] = (),
    sections: Sequence[Section] = (),
    rows: PackedRows | None = None,
) -> None:
    """Write the report.

    Args:
        found: The results; None without labelled files.
        made: Figures by name, as `plots.figures` gives them.
        output: The HTML file; written whole or not at all.
        title: What stands above it.
        study: Tables of the study that the files are from, shown before all others.
        sections: What other capabilities add, shown after all others.
        rows: The rows to show; None for those that `pack` chooses of the results'.

    Raises:
        UsageError: If the file cannot be written.
    """
    page = Environment(
        loader=PackageLoader("banglahallueval", "scoring"),
        autoescape=True,  # every text may come from data; only figures are markup
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scores = overview(found, against_published=True) if found else []
    all_tables = {table.name: table for table in (*study, *scores)}
    for number, section in enumerate(sections, 1):
        all_tables |= {f"section-{number}-{table.name}": table for table in section.tables}
    added = section_figures(sections)
    all_figures = {**made, **{name: figure for name, (figure, _) in added.items()}}
    html = page.get_template("report.html.j2").render(
        title=title,
        version=__version__,
        when=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        tables=all_tables,
        laid_out={name: page_table(table) for name, table in all_tables.items()},
        words=defaultdict(list, plain_words(found) if found else {}),
        # matplotlib escapes the texts in its SVG.
        figures={name: Markup(inline_svg(figure, name)) for name, figure in all_figures.items()},
        widths={name: figure.get_figwidth() for name, figure in all_figures.items()},
        captions=_CAPTIONS | {name: caption for name, (_, caption) in added.items()},
        study=[table.name for table in study],
        sections=sections,
        records=[
            (path, json.dumps(record, ensure_ascii=False, indent=2))
            for path, record in _records(found, sections)
            if record
        ],
        **(_of_labelled(found, rows) if found else {"labelled": 0, "notes": []}),
    )
    with tables.replacing(output) as file:
        file.write(html)


def _of_labelled(found: Results, rows: PackedRows | None) -> dict[str, object]:
    """Make what the page shows of labelled rows besides tables and figures."""
    labelled = found.labelled
    return {
        "labelled": len(labelled.rows),
        "judges": list(labelled.rows["system"].unique()),
        "warnings": dataset_warnings(labelled.files),
        "notes": [*labelled.notes, *(f"left out: {line}" for line in labelled.left_out)],
        "rows": rows or pack(labelled),
        "longest_reply": LONGEST_REPLY,
    }


def _records(
    found: Results | None, sections: Sequence[Section]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for source in found.labelled.files if found else ():
        yield str(source.path), source.record
    for section in sections:
        yield section.output, section.record


def dataset_warnings(files: tuple[LabelledSource, ...]) -> list[tuple[str, Check]]:
    """Audit the judged rows, one file of each task and track, and return the warnings."""
    sides: dict[TaskName, dict[Track | None, Side]] = {}
    for source in files:
        of_task = sides.setdefault(source.task, {})
        if source.track in of_task:
            continue
        frame = tables.read_frame(source.path)
        frame = frame.drop(columns=[name for name in OUTPUT_COLUMNS if name in frame.columns])
        try:
            of_task[source.track] = make_side(frame, source.task, source.track, str(source.path))
        except UsageError:  # columns that only flags told apart
            continue
    return [
        (task, check)
        for task, of_task in sides.items()
        for check in _audited(list(of_task.values()))
        if check.warning
    ]


def _audited(sides: list[Side]) -> list[Check]:
    """Audit a task's files together; apart, where they are no pair."""
    try:
        return audit(*sides)
    except UsageError as error:
        alone = [check for side in sides for check in audit(side)]
        rows = sum(len(side.frame) for side in sides)
        return [Check("both", str(error), rows, rows, warning=True), *alone]
