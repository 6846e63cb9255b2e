"""One self-contained HTML page with all results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from banglahallueval import __version__
from banglahallueval.audit import Check, Side, audit, make_side
from banglahallueval.errors import UsageError
from banglahallueval.io import tables
from banglahallueval.io.labelled import OUTPUT_COLUMNS
from banglahallueval.scoring.disagreements import CAP, disagreements
from banglahallueval.scoring.labelled_rows import LabelledSource
from banglahallueval.scoring.plots import inline_svg
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import Results
from banglahallueval.scoring.tables import ReportTable, shown
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
    found: Results,
    made: dict[str, Figure],
    output: Path,
    title: str,
    study: Sequence[ReportTable] = (),
) -> None:
    """Write the report.

    Args:
        found: The results.
        made: Figures by name, as `plots.figures` gives them.
        output: The HTML file; written whole or not at all.
        title: What stands above it.
        study: Tables of the study that the files are from, shown before all others.

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
    made_tables = {
        table.name: table for table in (*study, *overview(found, against_published=True))
    }
    rows = disagreements(found.labelled.rows)
    html = page.get_template("report.html.j2").render(
        title=title,
        version=__version__,
        when=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        labelled=len(found.labelled.rows),
        tables=made_tables,
        cells={name: _cells(table.frame) for name, table in made_tables.items()},
        # matplotlib escapes the texts in its SVG.
        figures={name: Markup(inline_svg(figure, name)) for name, figure in made.items()},
        captions=_CAPTIONS,
        study=[table.name for table in study],
        warnings=dataset_warnings(found.labelled.files),
        notes=[
            *found.labelled.notes,
            *(f"left out: {line}" for line in found.labelled.left_out),
        ],
        rows=rows,
        cap=CAP,
        records=[
            (str(source.path), json.dumps(source.record, ensure_ascii=False, indent=2))
            for source in found.labelled.files
            if source.record
        ],
        judges=list(dict.fromkeys(found.labelled.rows["system"])),
    )
    with tables.replacing(output) as file:
        file.write(html)


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
        for check in audit(*of_task.values())
        if check.warning
    ]


def _cells(frame: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Format a table for the page: its header and rows."""
    out = shown(frame)
    return [str(name) for name in out.columns], out.to_numpy().tolist()
