"""What figures of the results are made of: colours and markers of judges, panels, legends."""

from __future__ import annotations

from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banglahallueval.scoring.results import Results

# Okabe & Ito 2008, without yellow: distinct for all kinds of colour vision, on white and black.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8C8C")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")  # one more than colours: 56 are distinct
INK = "#010203"  # placeholder for the page's text colour, replaced when the figure is inlined
_ACROSS = 2  # panels in a row


def _place(found: Results, system: str) -> int:
    return list(found.labelled.rows["system"].unique()).index(system)


def colour_of(found: Results, system: str) -> str:
    """Give a judge's colour, the same in every figure."""
    return COLOURS[_place(found, system) % len(COLOURS)]


def marker_of(found: Results, system: str) -> str:
    """Give a judge's marker, the same in every figure."""
    return _MARKERS[_place(found, system) % len(_MARKERS)]


def panels_of(names: Iterable[str]) -> tuple[Figure, dict[str, Axes]]:
    """Make a figure of panels, two in a row, so that they can be read on a phone and on paper."""
    tasks = list(names)
    lines = -(-len(tasks) // _ACROSS)
    across = min(_ACROSS, len(tasks))
    figure = Figure(figsize=(3.3 * across + 0.4, 3.1 * lines + 0.5), layout="constrained")
    grid = figure.subplots(lines, across, squeeze=False).flatten().tolist()
    for axes in grid[len(tasks) :]:
        axes.set_axis_off()
    return figure, dict(zip(tasks, grid, strict=False))


def add_legend(figure: Figure, panels: Iterable[Axes]) -> None:
    """Name each judge once, below the panels."""
    handles = {
        label: handle
        for axes in panels
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower left",
        ncols=2,
        fontsize=8,
        frameon=False,
    )


def add_grid(axes: Axes) -> None:
    """Draw thin lines upwards from the ticks, and no frame above and to the right."""
    axes.grid(visible=True, axis="x", color=INK, alpha=0.15)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
