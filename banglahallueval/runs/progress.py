"""Progress bars on standard error."""

from __future__ import annotations

import sys
from collections import Counter
from typing import NoReturn, Self

from tqdm import tqdm

from banglahallueval.verdicts import Verdict


def progress_bar(total: int, description: str, unit: str = "row", *, quiet: bool) -> tqdm[NoReturn]:
    """Show a bar with rate and time left on standard error.

    Args:
        total: Units of work; no bar is shown where there are none.
        description: What is worked on.
        unit: What one unit is called.
        quiet: Whether to show nothing.
    """
    return tqdm(
        total=total,
        desc=description,
        unit=unit,
        disable=quiet or total == 0,
        dynamic_ncols=True,
        mininterval=0.2 if sys.stderr.isatty() else 10.0,  # a log file wants few lines
    )


class Progress:
    """A bar with rate, time left, the running share of yes, and unknowns, on standard error."""

    def __init__(self, total: int, description: str, *, quiet: bool = False) -> None:
        """Show an empty bar.

        Args:
            total: Rows to judge.
            description: What is judged.
            quiet: Whether to show nothing.
        """
        self._labels: Counter[str] = Counter()
        self._bar = progress_bar(total, description, quiet=quiet)

    def __call__(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self._labels[verdict.label] += 1
        if self._bar.update(1):
            self._bar.set_postfix_str(self._state(), refresh=False)

    def __enter__(self) -> Self:
        """Return the bar, which stands already."""
        return self

    def __exit__(self, *_: object) -> None:
        """Show the final state and leave it standing."""
        self._bar.set_postfix_str(self._state(), refresh=False)
        self._bar.close()

    def _state(self) -> str:
        decided = self._labels["yes"] + self._labels["no"]
        share = f"{self._labels['yes'] / decided:.1%}" if decided else "-"
        return f"yes {share}, unknown {self._labels['unknown']}"
