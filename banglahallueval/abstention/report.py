"""The files of an evaluation beside its results.csv, and its summary in the terminal."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import matplotlib as mpl
from matplotlib.figure import Figure
from tabulate import tabulate

from banglahallueval.abstention.behaviour import CONVENTION
from banglahallueval.abstention.figure import CAPTION, curve_figure
from banglahallueval.abstention.findings import Findings, find
from banglahallueval.abstention.results import read_trials
from banglahallueval.abstention.tables import all_tables, subjects
from banglahallueval.abstention.types import Trial
from banglahallueval.io.paths import short
from banglahallueval.io.tables import replacing, write_frame
from banglahallueval.scoring.plots import style
from banglahallueval.scoring.rates import Rate
from banglahallueval.scoring.tables import markdown


def write_results(
    trials: Sequence[Trial],
    folder: Path,
    title: str,
    about: Mapping[str, str],
    *,
    of_judge: bool = False,
) -> Findings:
    """Write metrics.json, behavior.json, rc_curve.png, report.md and, with subjects, subjects.csv.

    Each is whole or absent. A subjects.csv of an earlier run is removed where there are none.

    Args:
        trials: All trials of a results.csv, in any order.
        folder: Where it lies.
        title: The heading of report.md.
        about: What stands below it, such as the model and the data, by name.
        of_judge: Whether the answers are a judge's verdicts.

    Returns:
        What was found.

    Raises:
        UsageError: If the folder cannot be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    found = find(trials)
    _write_json(folder / "metrics.json", {repr(each.t): each.as_json() for each in found.metrics})
    _write_json(folder / "behavior.json", found.behaviour.as_json())
    _write_png(folder / "rc_curve.png", curve_figure(found.behaviour, title))
    if found.subjects:
        write_frame(folder / "subjects.csv", subjects(found).frame)
    else:
        (folder / "subjects.csv").unlink(missing_ok=True)
    with replacing(folder / "report.md") as file:
        file.write(_report(found, title, about, of_judge=of_judge))
    return found


def report(
    output: Path, title: str, about: Mapping[str, str], *, quiet: bool, of_judge: bool = False
) -> None:
    """Write what `write_results` writes beside a results.csv, and print its summary.

    Args:
        output: The results.csv.
        title: The heading of report.md.
        about: What stands below it, by name.
        quiet: Whether to print nothing.
        of_judge: Whether the answers are a judge's verdicts.

    Raises:
        UsageError: If it is no results file, or its folder cannot be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    found = write_results(read_trials(output), output.parent, title, about, of_judge=of_judge)
    if not quiet:
        print(f"{summary_table(found)}\n\nwritten: {short(output)}, and the report beside it")


def summary_table(found: Findings) -> str:
    """Render the metrics at each threshold for a terminal, at most 100 columns wide."""
    head = ("t", "n", "coverage", "accuracy", "wrong", "mean score", "no result")
    rows = [
        (
            f"{each.t:g}",
            f"{each.n}",
            _brief(each.coverage),
            _brief(each.accuracy),
            "–" if math.isnan(each.hallucination.value) else f"{each.hallucination.value:.2f}",
            _brief(each.score),
            f"{each.no_reply + each.ungraded}",
        )
        for each in found.metrics
    ]
    return tabulate(rows, headers=head, disable_numparse=True)


def _report(found: Findings, title: str, about: Mapping[str, str], *, of_judge: bool) -> str:
    summary, *others = all_tables(found, of_judge=of_judge)
    behaviour = "\n".join(f"- {sentence}" for sentence in found.behaviour.in_words())
    return "\n".join(
        [
            f"# {title}\n",
            *(f"- {name}: {value}" for name, value in about.items()),
            "",
            markdown([summary]),
            f"## Behavioral check\n\n{behaviour}\n",
            f"## Risk–coverage curve\n\n![{CAPTION}](rc_curve.png)\n\n{CAPTION}\n",
            f"In behavior.json, {CONVENTION}.\n",
            markdown(others),
        ]
    )


def _brief(rate: Rate) -> str:
    if math.isnan(rate.value):
        return "–"
    return f"{rate.value:.2f} [{rate.low:.2f}, {rate.high:.2f}]"


def _write_json(path: Path, content: object) -> None:
    with replacing(path) as file:
        file.write(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def _write_png(path: Path, figure: Figure) -> None:
    image = io.BytesIO()
    with mpl.rc_context(style()):
        figure.savefig(image, format="png", dpi=160, facecolor="white")
    with replacing(path) as file:
        cast(io.TextIOWrapper, file).buffer.write(image.getvalue())
