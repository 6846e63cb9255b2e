"""What a user should know of the rows that were read, counted."""

from __future__ import annotations

from collections import Counter


class Notes:
    """Counts what was noticed in rows, and keeps the first row of each kind."""

    def __init__(self) -> None:
        """Start without any."""
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, what: str, where: str) -> None:
        """Count one row."""
        self._counts[what] += 1
        self._first.setdefault(what, where)

    def lines(self) -> tuple[str, ...]:
        """Say each kind in one line, with its count and its first row."""
        return tuple(
            f"{what}: {count:,} rows, the first {self._first[what]}"
            for what, count in self._counts.items()
        )
