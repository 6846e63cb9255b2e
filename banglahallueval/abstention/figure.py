"""The curve of a sweep: accuracy of answers over coverage."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from banglahallueval.abstention.behaviour import Behaviour
from banglahallueval.abstention.metrics import Metrics
from banglahallueval.scoring.plot_parts import COLOURS, INK
from banglahallueval.scoring.plots import style

CAPTION = (
    "Accuracy of answers over coverage, a point for each t with the 95 % interval of its accuracy. "
    "A dash stands at the height of t, a thin line ties it to its point: answering pays where the "
    "point is above its dash."
)
_NEAR = (0.02, 0.03)  # coverage and accuracy within which points share a label
# Where a label may stand, in points from its point; the first that is free is taken.
_OFFSETS = tuple(
    (side * x, y) for x in (7, 40) for y in (6, -14, 20, -28, 34, -42, 48, -56) for side in (1, -1)
)
_LEADER = {"arrowstyle": "-", "linewidth": 0.5, "color": INK}
_MOST_LISTED = 5  # thresholds in a label
_TITLE_WIDTH = 64  # characters
_LIMITS = (-0.04, 1.04)  # room for points and dashes at 0 and 1


def curve_figure(behaviour: Behaviour, title: str) -> Figure:
    """Draw the curve.

    Args:
        behaviour: Over the sweep; there is a point where something is answered.
        title: Whose it is. How many questions count is added.
    """
    points = behaviour.points
    with mpl.rc_context(style()):
        figure = Figure(figsize=(6, 4.4), layout="constrained")
        axes = figure.subplots()
        axes.set(
            xlim=_LIMITS,
            ylim=_LIMITS,
            xlabel="coverage: share of questions answered",
            ylabel="accuracy of answers",
        )
        axes.set_title(_title(title, behaviour.metrics), fontsize=9)
        axes.grid(visible=True, color=INK, alpha=0.1)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        if not points:
            axes.text(0.5, 0.5, "nothing was answered", ha="center")
            return figure
        _draw(axes, points)
        figure.legend(loc="outside lower center", ncols=2, fontsize=8, frameon=False)
        figure.draw_without_rendering()  # settles where points are
        _label(axes, points)
    return figure


def _draw(axes: Axes, points: Sequence[Metrics]) -> None:
    coverage = [each.coverage.value for each in points]
    accuracy = [each.accuracy.value for each in points]
    curve = axes.errorbar(
        coverage,
        accuracy,
        yerr=[
            [each.accuracy.value - each.accuracy.low for each in points],
            [each.accuracy.high - each.accuracy.value for each in points],
        ],
        fmt="o-",
        color=COLOURS[0],
        ecolor=(COLOURS[0], 0.45),
        elinewidth=3,
        capsize=3,
        clip_on=False,
        label="accuracy, 95 % interval",
    )
    thresholds = [each.t for each in points]
    # Above the intervals, which they would be lost in, and below the points.
    axes.vlines(coverage, accuracy, thresholds, color=COLOURS[1], linewidth=1, zorder=2.5)
    curve.lines[0].set_zorder(3)
    axes.plot(
        coverage,
        thresholds,
        "_",
        markersize=14,
        markeredgewidth=2,
        color=COLOURS[1],
        label="t",
    )


def _label(axes: Axes, points: Sequence[Metrics]) -> None:
    """Label points with their t where no other label or point is, near ones together."""
    taken = _occupied(axes, points)
    for group in _near(points):
        at = (group[0].coverage.value, group[0].accuracy.value)
        note = _annotate(axes, _text(group), at)
        for offset in _OFFSETS:
            note.set(position=offset, ha="left" if offset[0] > 0 else "right")
            if _fits(note, axes, taken):
                break
        taken.append(note.get_window_extent())
        _annotate(axes, "", at, arrowprops=_LEADER).set(position=(offset[0], offset[1] + 3))


def _annotate(axes: Axes, text: str, at: tuple[float, float], **kwargs: Any) -> Annotation:
    note = axes.annotate(
        text,
        at,
        _OFFSETS[0],
        textcoords="offset points",
        fontsize=8,
        annotation_clip=False,
        **kwargs,
    )
    note.set_in_layout(False)
    return note


def _occupied(axes: Axes, points: Sequence[Metrics]) -> list[Bbox]:
    """Find where no label may stand, in pixels: points, dashes, and lines between them."""
    to_pixels = axes.transData.transform
    at = to_pixels([(each.coverage.value, each.accuracy.value) for each in points])
    dashes = to_pixels([(each.coverage.value, each.t) for each in points])
    ties = zip(at, dashes, strict=True)
    lines = [
        a + (b - a) * part for a, b in (*pairwise(at), *ties) for part in np.linspace(0, 1, 30)
    ]
    return [
        Bbox.from_extents(x - half, y - half, x + half, y + half)
        for half, those in ((6, at), (4, dashes), (1, lines))
        for x, y in those
    ]


def _fits(note: Annotation, axes: Axes, taken: Sequence[Bbox]) -> bool:
    box, inside = note.get_window_extent(), axes.get_window_extent()
    return (
        inside.x0 <= box.x0
        and box.x1 <= inside.x1
        and inside.y0 <= box.y0
        and box.y1 <= inside.y1
        and not box.count_overlaps(taken)
    )


def _near(points: Sequence[Metrics]) -> list[list[Metrics]]:
    """Group points that are too near each other for a label each."""
    groups: list[list[Metrics]] = []
    for each in points:
        for group in groups:
            across = abs(each.coverage.value - group[0].coverage.value)
            along = abs(each.accuracy.value - group[0].accuracy.value)
            if across <= _NEAR[0] and along <= _NEAR[1]:
                group.append(each)
                break
        else:
            groups.append([each])
    return groups


def _text(group: Sequence[Metrics]) -> str:
    """Name the thresholds of a group, the first and the last where they are many."""
    names = [f"{each.t:g}" for each in group]
    if len(names) > _MOST_LISTED:
        return f"t={names[0]} … {names[-1]} ({len(names)} values)"
    return "t=" + ", ".join(names)


def _title(title: str, metrics: Sequence[Metrics]) -> str:
    """Add to a title how many questions count, which missing replies may make differ with t."""
    counts = sorted({each.n for each in metrics})
    n = f"n = {counts[0]:,}" if len(counts) == 1 else f"n = {counts[0]:,} to {counts[-1]:,} by t"
    return "\n".join([*textwrap.wrap(title, _TITLE_WIDTH), n])
