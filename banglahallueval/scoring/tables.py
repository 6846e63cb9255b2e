"""Tables of results as Markdown, CSV, JSON and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path

import pandas as pd

from banglahallueval.io.markdown import markdown_table
from banglahallueval.io.tables import replacing, write_frame
from banglahallueval.scoring.options import Format
from banglahallueval.scoring.rates import Rate

_FIT = r"{max width=\linewidth, max totalheight=0.9\textheight, keepaspectratio}"


@dataclass(frozen=True, slots=True)
class ReportTable:
    """One table.

    Attributes:
        name: Short name: of its CSV, and in JSON.
        title: Its heading.
        frame: Its cells as numbers and texts. `X_low` and `X_high` are the interval of `X`.
        note: What to know when reading it.
        printed: The columns that a page has room for, which LaTeX shows; empty for all. Every other
            form has all of them.
    """

    name: str
    title: str
    frame: pd.DataFrame
    note: str = ""
    printed: tuple[str, ...] = ()


def interval_columns(name: str, rate: Rate) -> dict[str, float]:
    """Make the three columns of a rate: its value and the ends of its interval."""
    return {name: rate.value, f"{name}_low": rate.low, f"{name}_high": rate.high}


def shown(frame: pd.DataFrame) -> pd.DataFrame:
    """Format a table's cells for reading: rounded, intervals after their values."""
    out: dict[str, list[str]] = {}
    for name in map(str, frame.columns):
        if name.endswith(("_low", "_high")):
            continue
        cells = [format_value(name, value) for value in frame[name]]
        if f"{name}_low" in frame:
            ends = zip(frame[f"{name}_low"], frame[f"{name}_high"], strict=True)
            cells = [
                cell if pd.isna(low) else f"{cell} {format_interval(name, low, high)}"
                for cell, (low, high) in zip(cells, ends, strict=True)
            ]
        out[name.replace("_", " ")] = cells
    return pd.DataFrame(out)


def markdown(tables: Iterable[ReportTable]) -> str:
    """Render the tables as Markdown."""
    parts = []
    for table in tables:
        cells = shown(table.frame)
        rows = markdown_table([str(name) for name in cells.columns], cells.to_numpy().tolist())
        parts += [f"## {table.title}", rows, *filter(None, [table.note])]
    return "\n\n".join(parts) + "\n"


def latex(tables: Iterable[ReportTable]) -> str:
    r"""Render the tables as LaTeX, for \usepackage{booktabs,adjustbox} and a font with Bangla.

    Each shows its `printed` columns, and is scaled down where it would not fit a page.
    """
    made = []
    for table in tables:
        cells = shown(table.frame)
        if table.printed:
            cells = cells[[name.replace("_", " ") for name in table.printed]]
        text = cells.to_latex(
            index=False, escape=True, caption=_latex_text(table.title), label=f"tab:{table.name}"
        )
        for edge, fit in (("begin", _FIT), ("end", "")):
            tabular, box = f"\\{edge}{{tabular}}", f"\\{edge}{{adjustbox}}{fit}"
            text = text.replace(
                tabular, f"{box}\n{tabular}" if edge == "begin" else f"{tabular}\n{box}"
            )
        made.append(text)
    return "\n".join(made)


def as_json(tables: Iterable[ReportTable]) -> dict[str, object]:
    """Convert the tables for JSON: full precision, null for undefined values."""
    return {
        table.name: {"title": table.title, "note": table.note, "rows": _records(table.frame)}
        for table in tables
    }


def render(tables: Sequence[ReportTable], form: Format) -> str:
    """Render the tables as one text."""
    if form == "json":
        return json.dumps(as_json(tables), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if form == "latex":
        return latex(tables)
    if form == "csv":
        return "\n".join(f"# {t.title}\n{t.frame.to_csv(index=False)}" for t in tables)
    return markdown(tables)


def write(tables: Sequence[ReportTable], folder: Path, forms: Iterable[Format]) -> list[Path]:
    """Write the tables: one CSV each, and one file for all of them in each other form.

    Raises:
        UsageError: If the folder cannot be written.
    """
    written = []
    for form in forms:
        paths = places(tables, folder, [form])
        written += paths
        if form == "csv":
            for path, table in zip(paths, tables, strict=True):
                write_frame(path, table.frame)
            continue
        with replacing(paths[0]) as file:
            file.write(render(tables, form))
    return written


def places(tables: Sequence[ReportTable], folder: Path, forms: Iterable[Format]) -> list[Path]:
    """List the files that `write` writes."""
    endings = {"markdown": "md", "json": "json", "latex": "tex"}
    files = []
    for form in forms:
        if form == "csv":
            files += [folder / f"{table.name}.csv" for table in tables]
        else:
            files.append(folder / f"scores.{endings[form]}")
    return files


def _records(frame: pd.DataFrame) -> list[dict[str, object]]:
    return [
        {str(name): None if pd.isna(value) else value for name, value in row.items()}
        for row in frame.astype(object).to_dict("records")
    ]


def format_value(name: str, value: str | float | None) -> str:
    """Format a cell of the column of that name; a dash where there is no value."""
    if pd.isna(value):
        return "–"
    if isinstance(value, float):
        if name.endswith(("_p", "_holm")):
            return "<0.001" if value < 0.001 else f"{value:.3f}"
        return _rounded(name, value)
    return f"{value:,}" if isinstance(value, Integral) else str(value)


def format_interval(name: str, low: float, high: float) -> str:
    """Format the interval of a figure of that name, with one decimal fewer than the figure."""
    return f"[{_rounded(name, low, 1)}, {_rounded(name, high, 1)}]"


def _rounded(name: str, value: float, fewer: int = 0) -> str:
    """Round as in the published tables: BHS to three decimals, shares to four."""
    places = 3 if name.startswith("bhs") or name == "gain" else 4
    return f"{value:.{places - fewer}f}"


def _latex_text(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "&%$#_{}" else sign for sign in text)
