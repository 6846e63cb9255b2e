"""Which rows a study judges: all of a file, or a seeded sample of it, stratified by pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table, writing
from banglahallueval.tasks import TaskName, Track


@dataclass(frozen=True, slots=True)
class Size:
    """How much of each file is judged: so many rows, or a share of them; all where both are None.

    Attributes:
        rows: Rows per task and track.
        share: Share of the rows, 0 to 1, at least one of each pattern.
    """

    rows: int | None = None
    share: float | None = None

    @property
    def whole(self) -> bool:
        """Whether nothing is drawn."""
        return self.rows is None and self.share is None

    @property
    def name(self) -> str:
        """For folder names."""
        if self.rows is not None:
            return f"pilot_{self.rows}"
        return f"sample_{100 * self.share:g}" if self.share is not None else "full"


@dataclass(frozen=True, slots=True)
class Sample:
    """The rows of one task and track that every arm judges.

    Attributes:
        task, track: Whose rows they are.
        path: The CSV to judge: the source itself, or the rows drawn from it.
        source: What they were drawn from.
        population: Rows of the source.
        rows: Rows drawn.
        strata: Per pattern how many were drawn, and of how many; one named `all` without patterns.
    """

    task: TaskName
    track: Track
    path: Path
    source: Path
    population: int
    rows: int
    strata: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def draw(source: Path, task: TaskName, track: Track, size: Size, seed: int, folder: Path) -> Sample:
    """Draw a sample and write it, in the order of its source and with all its columns.

    Equal seeds, sizes and files give equal samples. Each task and track has draws of its own.

    Raises:
        UsageError: If the source is no file of that task and track, or the sample that is there
            was drawn otherwise.
    """
    table = Table(source)
    layout = find_layout(table.columns, task, track, where=str(source))
    at = table.columns.index(layout.pattern) if layout.pattern and track == "candidates" else None
    patterns = [cells[at] if at is not None else "all" for cells in table.rows()]
    if not patterns:
        raise UsageError(f"{source} has no rows")
    members = Counter(patterns)
    if size.whole:
        strata = {name: (count, count) for name, count in members.items()}
        return Sample(task, track, source, source, len(patterns), len(patterns), strata)
    wanted = _shares(members, size)
    # Bytes, not Python's hash, which differs from run to run.
    rng = np.random.default_rng([seed, *f"{task}.{track}".encode()])
    chosen: set[int] = set()
    for name, count in wanted.items():
        places = [place for place, pattern in enumerate(patterns) if pattern == name]
        chosen.update(rng.choice(places, size=count, replace=False).tolist())
    path = folder / f"{task}_{track}.csv"
    _write(table, chosen, path)
    strata = {name: (count, members[name]) for name, count in wanted.items()}
    return Sample(task, track, path, source, len(patterns), len(chosen), strata)


def _shares(members: Mapping[str, int], size: Size) -> dict[str, int]:
    """Allocate the sample to strata in proportion to their size, by largest remainders."""
    total = sum(members.values())
    if size.share is not None:
        return {name: max(1, round(size.share * count)) for name, count in members.items()}
    wanted = min(size.rows or 0, total)
    exact = {name: wanted * count / total for name, count in members.items()}
    shares = {name: int(share) for name, share in exact.items()}
    by_remainder = sorted(exact, key=lambda name: shares[name] - exact[name])
    for name in by_remainder[: wanted - sum(shares.values())]:
        shares[name] += 1
    return shares


def _write(table: Table, chosen: set[int], path: Path) -> None:
    drawn = path.with_suffix(".new.csv")
    with writing(drawn, table.columns) as writer:
        for place, cells in enumerate(table.rows()):
            if place in chosen:
                writer.writerow(cells)
    try:
        if path.exists() and file_sha256(path) != file_sha256(drawn):
            raise UsageError(
                f"{path} holds another sample than this call draws: its source or the way of "
                "drawing changed; name another --output"
            )
        drawn.replace(path)
    finally:
        drawn.unlink(missing_ok=True)
