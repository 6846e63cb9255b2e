"""Correlations with people's scores as a section of the page of all results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from banglahallueval.io.paths import short
from banglahallueval.scoring.sections import Section
from banglahallueval.scoring.tables import ReportTable


def section_of(output: Path, content: Mapping[str, Any]) -> Section:
    """Make a section of a JSON file that `hal_eval.py correlate` wrote.

    Args:
        output: The file.
        content: What is in it.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: If it is damaged.
    """
    tables = [
        ReportTable(
            name,
            str(table["title"]),
            pd.DataFrame(table["rows"]).fillna(float("nan")),
            str(table["note"]),
        )
        for name, table in content["tables"].items()
    ]
    rows = content["input"]["rows"]
    return Section(
        title=f"Agreement with people: {short(output)}",
        output=short(output),
        tables=tables,
        figures=[],
        sentences=[f"{rows:,} rows of {content['input']['path']}."],
        record={name: value for name, value in content.items() if name != "tables"},
    )
