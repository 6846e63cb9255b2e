"""What every judge offers."""

from __future__ import annotations

from typing import Any, Protocol

from banglahallueval.tasks import Item
from banglahallueval.verdicts import Verdict


class Judge(Protocol):
    """Turns an item into a verdict.

    Attributes:
        name: Short name that goes into file names and tables.
        columns: Further output columns, filled from `Verdict.details`.
    """

    name: str
    columns: tuple[str, ...]

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        """Judge one item; `again` counts how often this row has been asked in earlier runs."""
        ...

    def record(self) -> dict[str, Any]:
        """Record everything that determines this judge's verdicts."""
        ...
