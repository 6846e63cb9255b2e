"""The scores as a terminal shows them: the headline figures, in lines of at most 100 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from banglahallueval.scoring.tables import ReportTable
from banglahallueval.text.width import WIDTH, display_width, hanging, padded, wrapped

_SHOWN = ("scores", "contrast", "against_published")
_ROWS = (("main", "candidates"), ("right", "wrong"))  # counted together
_BREAKABLE = ("task", "judge", "rows")
_LEAST = 6  # columns that a breakable cell keeps
_NOTE = (
    "[95 % interval], clustered by source. BHS = ½ · (false alarms + misses) · 100, lower is "
    "better. Unknown is a miss on candidates and no alarm on main rows."
)


def terminal(tables: Sequence[ReportTable], remarks: Sequence[str]) -> str:
    """Render the headline figures, and name what is left out.

    Args:
        tables: All tables.
        remarks: What to say below them, a paragraph each.
    """
    shown = [table for table in tables if table.name in _SHOWN]
    lines = []
    for table in shown:
        lines += [table.title, "", *_lines(table), "", *_caveats(table)]
    lines += wrapped(_NOTE, WIDTH)
    others = ", ".join(table.title for table in tables if table not in shown)
    rest = f"the other columns, and: {others}" if others else "the other columns"
    lines += wrapped(f"--wide prints {rest}. --output FOLDER writes all of it.", WIDTH)
    for remark in (*_notes_on_files(tables), *remarks):
        lines += hanging(remark, WIDTH)
    return "\n".join(lines) + "\n"


def _caveats(table: ReportTable) -> Iterator[str]:
    """Say what holds of figures that others published, and why a judge is not among them."""
    if "caveat" not in table.frame:
        return
    said = table.frame[table.frame["caveat"].ne("")]
    for task, judge, caveat in zip(said["task"], said["judge"], said["caveat"], strict=True):
        yield from hanging(f"* {judge} on {task}: {caveat}", WIDTH)
    yield from (*hanging(table.note, WIDTH), "")


def _notes_on_files(tables: Sequence[ReportTable]) -> Iterator[str]:
    for table in tables:
        if "file" in table.frame:
            for file, note in zip(table.frame["file"], table.frame["note"], strict=True):
                if note:
                    yield f"note: {note}" if note.startswith(file) else f"note: {file}: {note}"


def _lines(table: ReportTable) -> Iterator[str]:
    columns = _columns(table.frame)
    widths = {name: max(map(display_width, [name, *cells])) for name, cells in columns.items()}
    room = WIDTH - 2 * (len(widths) - 1)
    while sum(widths.values()) > room:
        widest = max((name for name in _BREAKABLE if name in widths), key=lambda n: widths[n])
        if widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    rules = ["-" * width for width in widths.values()]
    for row in [[*columns], rules, *zip(*columns.values(), strict=True)]:
        cells = [wrapped(cell, width) for cell, width in zip(row, widths.values(), strict=True)]
        for place in range(max(map(len, cells))):
            line = (cell[place] if place < len(cell) else "" for cell in cells)
            yield "  ".join(map(padded, line, widths.values())).rstrip()


def _columns(frame: pd.DataFrame) -> dict[str, list[str]]:
    """Make the cells of each column that is shown."""
    columns = {name: frame[name].astype(str).tolist() for name in ("task", "judge")}
    if "caveat" in frame:
        marks = frame["caveat"].ne("").map({True: " *", False: ""})
        columns["judge"] = (frame["judge"] + marks).tolist()
        columns["rank"] = ["–" if pd.isna(rank) else f"{rank}" for rank in frame["rank"]]
    if "split" in frame:
        columns["split"] = frame["split"].tolist()
    for one, other in _ROWS:
        if one in frame:
            both = zip(frame[one], frame[other], strict=True)
            columns["rows"] = [" + ".join(_count(count) for count in pair) for pair in both]
    columns["BHS"] = _figures(frame, "bhs", 1, "{:.1f}")
    columns["detection"] = _figures(frame, "detection", 100, "{:.0f}", "%")
    columns["false alarms"] = _figures(frame, "false_alarms", 100, "{:.0f}", "%")
    if "unknown" in frame:
        columns["unknown"] = _figures(frame, "unknown", 100, "{:.1f}", "%")
    return columns


def _count(count: int | None) -> str:
    return "?" if pd.isna(count) else f"{count}"


def _figures(frame: pd.DataFrame, name: str, scale: int, ends: str, unit: str = "") -> list[str]:
    """Write figures with one decimal, and their intervals where there are any."""
    cells = ["–" if pd.isna(value) else f"{scale * value:.1f}{unit}" for value in frame[name]]
    if f"{name}_low" not in frame:
        return cells
    intervals = zip(cells, frame[f"{name}_low"], frame[f"{name}_high"], strict=True)
    return [
        cell
        if pd.isna(low)
        else f"{cell} [{ends.format(scale * low)}, {ends.format(scale * high)}]"
        for cell, low, high in intervals
    ]
