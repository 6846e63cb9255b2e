"""Tables that were written as JSON, as a section of the page of all results."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pandas as pd

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.io.records import read_record
from banglahallueval.scoring.sections import Section
from banglahallueval.scoring.tables import ReportTable
from banglahallueval.vision.correlation.tables import KIND as CORRELATION
from banglahallueval.vision.discriminative.metrics import MACRO
from banglahallueval.vision.discriminative.results import GUESSES

_TITLES: Final = {
    CORRELATION: "Agreement with people",
    GUESSES: "Captions guessed without pictures",
}
_HEAD: Final = 200  # characters of a file, among which its kind stands


def find_section(file: Path) -> Iterator[Section]:
    """Make a section of a JSON file of correlations or of guesses; none of any other.

    Raises:
        UsageError: If it is damaged.
    """
    try:
        with file.open(encoding="utf-8") as opened:
            start = opened.read(_HEAD)
            if not any(f'"kind": "{kind}"' in start for kind in _TITLES):
                return  # without reading what may be gigabytes of data
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return
    if not isinstance(content, dict) or content.get("kind") not in _TITLES:
        return
    try:
        tables = [_table(name, table) for name, table in content["tables"].items()]
        sentences = list(_in_words(content))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UsageError(f"{file} is damaged; make it anew with scripts/hal_eval.py") from None
    record = {name: value for name, value in content.items() if name != "tables"}
    yield Section(
        title=f"{_TITLES[content['kind']]}: {short(file)}",
        output=short(file),
        tables=tables,
        figures=[],
        sentences=sentences,
        record=read_record(file.with_suffix(".csv")) or record,
    )


def _table(name: str, written: Mapping[str, Any]) -> ReportTable:
    frame = pd.DataFrame(written["rows"])
    bounds = [column for column in frame.columns if f"{column}_low" in frame]
    for column in bounds:  # what is undefined was written as null
        for each in (column, f"{column}_low", f"{column}_high"):
            frame[each] = pd.to_numeric(frame[each])
    return ReportTable(name, str(written["title"]), frame, str(written["note"]))


def _in_words(content: Mapping[str, Any]) -> Iterator[str]:
    if content["kind"] == GUESSES:
        yield from _of_guesses(content["tables"]["guesses"]["rows"])
        return
    for row in content["tables"]["correlation"]["rows"]:
        rho = row["spearman_rho"]
        if rho is None:
            yield f"{row['automatic']} against {row['human']}: undefined, as {row['reason']}."
            continue
        yield (
            f"{row['automatic']} against {row['human']}: Spearman's ρ {rho:.3f} over "
            f"{row['pairs']:,} pairs; its interval "
            + ("holds 0." if _holds_zero(row) else "lies on one side of 0.")
        )


def _holds_zero(row: Mapping[str, Any]) -> bool:
    low, high = row["spearman_rho_low"], row["spearman_rho_high"]
    return low is None or high is None or low <= 0 <= high


def _of_guesses(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Say which rule guesses best, on average and of each type."""
    for type_name in dict.fromkeys(row["type"] for row in rows):
        of_type = [row for row in rows if row["type"] == type_name]
        best = max(of_type, key=lambda row: _number(row["accuracy"]))
        what = "On average over types" if type_name == MACRO else f"Of type {type_name}"
        yield (
            f"{what}, the best rule is “{best['rule']}”: right about {_brief(best)} of the "
            "captions, without a picture."
        )


def _brief(row: Mapping[str, Any]) -> str:
    """Write an accuracy with its interval."""
    low, high = row.get("accuracy_low"), row.get("accuracy_high")
    interval = "" if low is None or high is None else f" [{low:.2f}, {high:.2f}]"
    return f"{row['accuracy']:.3f}{interval}"


def _number(value: float | None) -> float:
    return -math.inf if value is None else value
