"""Candidates that fail a check of the generation run which made them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from banglahallueval.io.tables import Cells

# The columns that generation adds. A file that has only one of them is somebody else's.
WRITER, CHECKS = "generator", "checks"
PASSED = "ok"


class FlaggedRows:
    """Tells the flagged rows of a table from its others."""

    def __init__(self, columns: Sequence[str]) -> None:
        """Find the column with the checks.

        Args:
            columns: The table's column names.
        """
        is_generated = WRITER in columns and CHECKS in columns
        self._at = list(columns).index(CHECKS) if is_generated else None

    @property
    def known(self) -> bool:
        """Whether the table says which rows are flagged."""
        return self._at is not None

    def __contains__(self, cells: Cells) -> bool:
        """Whether a row fails a check; one whose `checks` cell is blank was not checked."""
        return self._at is not None and cells[self._at].strip() not in ("", PASSED)


def without_flagged(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out a frame's flagged rows; the others keep their index."""
    columns = [str(name) for name in frame.columns]
    if not {WRITER, CHECKS} <= set(columns):
        return frame
    return frame[frame[CHECKS].str.strip().isin(("", PASSED))]


def describe_left_out(count: int) -> str:
    """Say in one line how many rows are left out."""
    return (
        f"{count:,} rows left out: they fail a generation check (column {CHECKS!r}); "
        "--keep-flagged keeps them"
    )
