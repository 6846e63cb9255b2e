"""Figures of the results, inline for the report and as files."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager
from matplotlib.figure import Figure

from banglahallueval.errors import UsageError
from banglahallueval.scoring.bhs import WEIGHT
from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.scoring.calibration import BINS, bin_of, own_confidence, risk_coverage
from banglahallueval.scoring.plot_parts import (
    COLOURS,
    INK,
    add_grid,
    add_legend,
    colour_of,
    marker_of,
    panels_of,
)
from banglahallueval.scoring.rates import Rate
from banglahallueval.scoring.results import Results

_WIDTH = 7  # inches
_LETTER = 0.085  # inches that a letter of a name takes at most, on average
_BENGALI_FONTS = (
    "Noto Sans Bengali",
    "Noto Serif Bengali",
    "Nirmala UI",
    "Bangla Sangam MN",
    "Kohinoor Bangla",
    "Lohit Bengali",
    "SolaimanLipi",
    "Vrinda",
)


def bengali_font() -> str | None:
    """Find an installed font with Bengali letters; None if none is known."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in _BENGALI_FONTS if name in installed), None)


def figures(found: Results) -> dict[str, Figure]:
    """Draw every figure that the results have data for, by name."""
    with mpl.rc_context(style()):
        made = {
            "bhs": _bhs(found),
            "errors": _errors(found),
            "patterns": _patterns(found),
            "unknown": _unknown(found),
            "risk_coverage": _risk_coverage(found),
            "calibration": _calibration(found),
            "agreement": _agreement(found),
        }
    return {name: figure for name, figure in made.items() if figure is not None}


def style() -> dict[Any, Any]:
    """Make the settings for creating and for saving figures; ticks are created only on saving."""
    ink = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.edgecolor")
    return {
        "font.family": ["DejaVu Sans", *filter(None, [bengali_font()])],
        "font.size": 9,
        "text.parse_math": False,  # a $ in a judge's name is a $
        **dict.fromkeys(ink, INK),
    }


@contextmanager
def _drawing(settings: Mapping[Any, Any] | None = None) -> Iterator[None]:
    """Draw in the project's style, without a warning for each letter that a font lacks.

    The page's letters are drawn by the browser; of plots the command says once what is missing.
    """
    with mpl.rc_context({**style(), **(settings or {})}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph .* missing from font", UserWarning)
        yield


def save(made: dict[str, Figure], folder: Path) -> list[Path]:
    """Write each figure as PNG and SVG.

    Raises:
        UsageError: If the folder cannot be written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, figure in made.items():
            for ending in ("png", "svg"):
                written.append(folder / f"{name}.{ending}")
                with _drawing():
                    figure.savefig(written[-1], dpi=160, facecolor="white")
    except OSError as error:
        raise UsageError(f"cannot write plots into {folder}: {error.strerror}") from None
    return written


def inline_svg(figure: Figure, name: str) -> str:
    """Render a figure as an SVG element whose text stays text, in the page's font and colour."""
    file = io.StringIO()
    with _drawing({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # Ids must be unique within the page, which has several figures.
    return re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)


def _bhs(found: Results) -> Figure | None:
    of_tasks: dict[str, list[tuple[str, Rate]]] = {}
    for (task, name), scores in found.scores.items():
        if scores.bhs.rows:
            of_tasks.setdefault(task, []).append((name, scores.bhs))
    if not of_tasks:
        return None
    heights = [len(judges) + 2 for judges in of_tasks.values()]
    figure = Figure(figsize=(_WIDTH, 0.6 + 0.27 * sum(heights)), layout="constrained")
    column = figure.subplots(len(heights), 1, squeeze=False, sharex=True, height_ratios=heights)
    for axes, (task, judges) in zip(column[:, 0], of_tasks.items(), strict=True):
        judges.sort(key=lambda pair: -pair[1].value)
        for at, (name, bhs) in enumerate(judges):
            colour = colour_of(found, name)
            axes.plot([bhs.low, bhs.high], [at, at], color=colour, linewidth=2)
            axes.plot(bhs.value, at, marker_of(found, name), color=colour)
            axes.annotate(f"{bhs.value:.1f}", (bhs.high, at), (5, -3), textcoords="offset points")
        axes.set_yticks(range(len(judges)), [name for name, _ in judges])
        axes.set_ylim(-0.6, len(judges) - 0.4)
        axes.axvline(50, color=INK, alpha=0.4, linestyle=":")
        axes.set_title(task, loc="left")
        add_grid(axes)
    highest = max(bhs.high for judges in of_tasks.values() for _, bhs in judges)
    axes.set_xlim(0, min(max(60, highest + 6), 106))
    axes.set_xlabel("BHS, lower is better; 50 is a coin (dotted)")
    return figure


def _errors(found: Results) -> Figure | None:
    points = [(name, s) for name, s in found.scores.items() if s.bhs.rows]
    if not points:
        return None
    figure, panels = panels_of(dict.fromkeys(task for (task, _), _ in points))
    for task, axes in panels.items():
        for (t, name), s in points:
            if t == task:
                axes.plot(
                    s.false_alarms.value,
                    1 - s.detection.value,
                    marker_of(found, name),
                    color=colour_of(found, name),
                    label=name,
                )
        for bhs in (10, 20, 30, 40, 50):
            axes.plot([0, bhs / WEIGHT], [bhs / WEIGHT, 0], color=INK, alpha=0.2, linewidth=0.8)
        axes.set(
            xlim=(-0.02, 1.02),
            ylim=(-0.02, 1.02),
            title=task,
            xlabel="false alarms",
            ylabel="misses",
        )
    add_legend(figure, panels.values())
    return figure


def _patterns(found: Results) -> Figure | None:
    rows = found.labelled.rows
    rows = rows[rows["track"].eq("candidates") & rows["pattern"].ne("")]
    if rows.empty:
        return None
    yes = (
        rows["label"].eq("yes").groupby([rows["task"], rows["pattern"], rows["system"]], sort=False)
    )
    shares = yes.mean().unstack("system")
    return _heat(
        shares.to_numpy(),
        [f"{task}: {pattern}" for task, pattern in shares.index],
        [str(name) for name in shares.columns],
        "detection",
    )


def _unknown(found: Results) -> Figure | None:
    rows = found.labelled.rows
    unknown = rows[rows["label"].eq("unknown")]
    if unknown.empty:
        return None
    counts = unknown.groupby(["system", "reason"]).size().unstack(fill_value=0)
    figure = Figure(figsize=(_WIDTH, 1.2 + 0.3 * len(counts)), layout="constrained")
    axes = figure.subplots()
    left = np.zeros(len(counts))
    for at, reason in enumerate(counts.columns):
        axes.barh(counts.index, counts[reason], left=left, label=str(reason), color=COLOURS[at % 7])
        left += counts[reason].to_numpy()
    axes.set_xlabel("unknown rows")
    axes.legend(fontsize=7, frameon=False)
    add_grid(axes)
    return figure


def _risk_coverage(found: Results) -> Figure | None:
    if not found.calibrations:
        return None
    figure, panels = panels_of(dict.fromkeys(task for task, _ in found.calibrations))
    for task, judge in found.calibrations:
        coverage, risk = risk_coverage(*own_confidence(*found.probabilities((task, judge))))
        panels[task].step(coverage, risk, label=judge, color=colour_of(found, judge), where="pre")
    for task, axes in panels.items():
        axes.set(title=task, xlabel="coverage: share kept, surest first", ylabel="risk")
        axes.set(xlim=(0, 1), ylim=(0, None))
        add_grid(axes)
    add_legend(figure, panels.values())
    return figure


def _calibration(found: Results) -> Figure | None:
    if not found.calibrations:
        return None
    figure, panels = panels_of(dict.fromkeys(task for task, _ in found.calibrations))
    for axes in panels.values():
        axes.plot([0, 1], [0, 1], color=INK, alpha=0.4, linestyle=":")
    for task, judge in found.calibrations:
        p, candidate, _ = found.probabilities((task, judge))
        bins = bin_of(p)
        rows = np.bincount(bins, minlength=BINS)
        filled = rows > 0
        mean_p = np.bincount(bins, weights=p, minlength=BINS)[filled] / rows[filled]
        share = np.bincount(bins, weights=candidate, minlength=BINS)[filled] / rows[filled]
        marker = f"{marker_of(found, judge)}-"
        panels[task].plot(
            mean_p, share, marker, markersize=4, label=judge, color=colour_of(found, judge)
        )
    for task, axes in panels.items():
        axes.set(title=task, xlabel="p_hallucinated", ylabel="share of candidates")
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    add_legend(figure, panels.values())
    return figure


def _agreement(found: Results) -> Figure | None:
    names = list(dict.fromkeys(found.labelled.rows["system"]))
    if not found.agreements or len(names) < 2:
        return None
    kappas: dict[tuple[str, str], list[float]] = {}
    for each in found.agreements.values():
        for (a, b), kappa in each.pairs.items():
            kappas.setdefault((min(a, b), max(a, b)), []).append(kappa.value)
    matrix = np.full((len(names), len(names)), np.nan)
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            values = [v for v in kappas.get((min(a, b), max(a, b)), []) if not np.isnan(v)]
            matrix[i, j] = np.mean(values) if values and i != j else np.nan
    return _heat(matrix, names, names, "Cohen's κ, mean over tasks")


def _heat(values: Floats, rows: list[str], columns: list[str], title: str) -> Figure:
    row_names, column_names = (_LETTER * max(map(len, names)) for names in (rows, columns))
    width = 1.2 + max(row_names, column_names) + 0.85 * len(columns)
    height = 1 + 0.3 * len(rows) + 0.5 * column_names  # the names of columns climb by 30 degrees
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.imshow(values, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        if not np.isnan(value):
            ink = "black" if value > 0.55 else "white"
            axes.text(j, i, f"{value:.2f}", ha="center", va="center", color=ink, fontsize=8)
    axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right")
    axes.set_yticks(range(len(rows)), rows)
    axes.set_title(title, loc="left")
    return figure
