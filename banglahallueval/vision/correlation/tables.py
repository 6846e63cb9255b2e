"""Correlations as tables: for the terminal, Markdown, CSV and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pandas as pd
from tabulate import tabulate

from banglahallueval import __version__
from banglahallueval.io.records import command_line, utc_now
from banglahallueval.io.tables import replacing, write_frame
from banglahallueval.scoring.tables import ReportTable, as_json, markdown
from banglahallueval.secrets import without_secrets
from banglahallueval.vision.correlation.coefficients import (
    COEFFICIENTS,
    Coefficient,
    Correlation,
    Estimate,
)
from banglahallueval.vision.correlation.study import Study

KIND: Final = "vision correlation"
FORMS: Final = (".json", ".md", ".csv")

# What the coefficients are called in tables.
NAMES: Final[dict[Coefficient, str]] = {
    "pearson": "pearson_r",
    "spearman": "spearman_rho",
    "kendall": "kendall_tau_b",
}


def all_tables(study: Study) -> list[ReportTable]:
    """Make the tables: automatic scores against people's, and people's among themselves."""
    tables = [
        ReportTable(
            "correlation",
            "Automatic scores against people's",
            _frame(study.correlations),
            " ".join(_notes(study)),
        )
    ]
    if study.among_people:
        alpha = "undefined" if math.isnan(study.alpha) else f"{study.alpha:.4f}"
        tables.append(
            ReportTable(
                "people",
                "People among themselves",
                _frame(study.among_people).rename(columns={"automatic": "one", "human": "another"}),
                f"Krippendorff's α (interval) of all of them: {alpha}. An automatic score can "
                "hardly agree with people more than they do with one another.",
            )
        )
    return tables


def in_words(study: Study) -> str:
    """Render the tables for a terminal, with what to know of them."""
    parts = [_terminal("automatic", "human", study.correlations), *_notes(study)]
    if study.among_people:
        parts += ["", _terminal("one", "another", study.among_people)]
        if not math.isnan(study.alpha):
            parts.append(f"Krippendorff's α (interval) of all people: {study.alpha:.3f}")
    return "\n".join(parts)


def write_study(study: Study, output: Path) -> None:
    """Write the tables as JSON, Markdown or CSV, by the file's ending; whole or not at all.

    Raises:
        UsageError: If the folder cannot be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    tables = all_tables(study)
    suffix = output.suffix.lower()
    if suffix == ".csv":
        write_frame(output, tables[0].frame)
        return
    with replacing(output) as file:
        file.write(markdown(tables) if suffix == ".md" else _json(study, tables))


def _json(study: Study, tables: Sequence[ReportTable]) -> str:
    options, scores = study.options, study.scores
    content = {
        "kind": KIND,
        "package": f"banglahallueval {__version__}",
        "command": command_line(),
        "written": utc_now(),
        "input": {"path": str(scores.path), "sha256": scores.sha256, "rows": scores.rows},
        "automatic": list(options.automatic),
        "human": list(options.human),
        "source": options.source,
        "missing_cells": {name: scores.missing(name) for name in scores.columns},
        "incomplete_human_rows": study.incomplete,
        "resamples": options.resamples,
        "seed": options.seed,
        "krippendorff_alpha": None if math.isnan(study.alpha) else study.alpha,
        "tables": as_json(tables),
    }
    return (
        json.dumps(without_secrets(content), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    )


def _frame(correlations: Sequence[Correlation]) -> pd.DataFrame:
    rows = []
    for each in correlations:
        row: dict[str, object] = {
            "automatic": each.one,
            "human": each.other,
            "pairs": each.pairs,
            "missing": each.missing,
        }
        for name, column in NAMES.items():
            found = each.estimates[name]
            row |= {
                column: found.value,
                f"{column}_low": found.low,
                f"{column}_high": found.high,
            }
        most = max(each.estimates[name].undefined for name in COEFFICIENTS)
        rows.append({**row, "undefined_resamples": most, "reason": each.reason or "–"})
    return pd.DataFrame(rows)


def _notes(study: Study) -> Iterator[str]:
    options = study.options
    drawn = f"the rows of one {options.source}" if options.source else "rows"
    yield (
        f"[95 % interval]: percentiles of {options.resamples:,} bootstrap resamples of {drawn}; a "
        "resample in which a column has one value only has no coefficient and is left out "
        "(undefined resamples). Rows with a missing cell are left out in pairs. Two binary columns "
        "have one and the same r, ρ and τ-b."
    )
    if study.incomplete:
        yield (
            f"{study.incomplete} rows lack the score of some people: their mean is of those given."
        )


def _terminal(one: str, other: str, correlations: Sequence[Correlation]) -> str:
    head = (one, other, "pairs", "missing", "Pearson r", "Spearman ρ", "Kendall τ-b")
    rows = [
        (
            *(each.one, each.other, each.pairs, each.missing),
            *(_brief(each.estimates[name]) for name in COEFFICIENTS),
        )
        for each in correlations
    ]
    table = tabulate(rows, headers=head, disable_numparse=True)
    reasons = [f"{each.one}, {each.other}: {each.reason}" for each in correlations if each.reason]
    drawn = [
        f"{each.one}, {each.other}: undefined in {most:,} of {each.resamples:,} resamples"
        for each in correlations
        if (most := max(found.undefined for found in each.estimates.values()))
    ]
    return "\n".join([table, *reasons, *drawn])


def _brief(found: Estimate) -> str:
    if math.isnan(found.value):
        return "–"
    if math.isnan(found.low):
        return f"{found.value:.3f}"
    return f"{found.value:.3f} [{found.low:.2f}, {found.high:.2f}]"
