"""Examples for few-shot prompts: labelled rows of sources that are not judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.contrast import is_contrast
from banglahallueval.io.flagged import FlaggedRows
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.paths import repository_root, short
from banglahallueval.io.tables import Table
from banglahallueval.tasks import TASKS, Item, TaskName
from banglahallueval.text.normalise import for_matching

DEFAULT_SHOTS = 4

_LABELS = ("no", "yes")


@dataclass(frozen=True, slots=True)
class ExampleOptions:
    """Which examples a few-shot prompt shows.

    Attributes:
        shots: Number of examples, half of them hallucinated.
        seed: Of the draw.
        files: Labelled by their kind: files of the main or candidates track, or contrast sets.
            Empty for the task's contrast set.
    """

    shots: int = DEFAULT_SHOTS
    seed: int = 42
    files: tuple[Path, ...] = ()

    def of_task(self, task: TaskName) -> tuple[Path, ...]:
        """Return the files to draw from.

        Raises:
            UsageError: If there are none, and the package does not run from a clone.
        """
        own = repository_root() / TASKS[task].folder / "Contrast set" / f"{task}_contrast.csv"
        return self.files or (own,)


def draw_examples(
    task: TaskName, options: ExampleOptions, judged: Iterable[Item]
) -> tuple[list[tuple[Item, str]], dict[str, Any]]:
    """Draw examples, each of another source, right and hallucinated ones in turn.

    Of contrast sets with a split only the half for fitting is used, so that the other half still
    measures. Blank outputs and candidates that fail a generation check are no examples.

    Args:
        task: The task.
        options: How many, and where from.
        judged: The items that are judged; sources are told apart by their evidence.

    Returns:
        The items with their labels, and where they come from, for run records.

    Raises:
        UsageError: If a file holds no such rows, or too few sources are left.
    """
    files = options.of_task(task)
    taken = {for_matching(item.evidence) for item in judged}
    by_source: dict[str, list[tuple[Item, str]]] = {}
    for path in files:
        for item, label in _labelled(path, task):
            source = for_matching(item.evidence)
            if source not in taken:
                by_source.setdefault(source, []).append((item, label))
    # Bytes, not Python's hash, which differs from run to run.
    rng = np.random.default_rng([options.seed, *task.encode()])
    names = sorted(by_source)
    sources = [by_source[names[place]] for place in rng.permutation(len(names))]
    found: list[tuple[Item, str]] = []
    for number in range(options.shots):
        label = _LABELS[number % 2]
        place = next((n for n, rows in enumerate(sources) if _with_label(rows, label)), None)
        if place is None:
            raise UsageError(
                f"only {number} of {options.shots} examples in {', '.join(map(short, files))} "
                "share no source with the rows to judge; lower --shots, or name other files with "
                "--examples"
            )
        rows = _with_label(sources.pop(place), label)
        found.append(rows[int(rng.integers(len(rows)))])
    order = rng.permutation(len(found))
    record = {
        "shots": options.shots,
        "seed": options.seed,
        "files": [{"name": path.name, "sha256": file_sha256(path)} for path in files],
    }
    return [found[place] for place in order], record


def _with_label(rows: Sequence[tuple[Item, str]], label: str) -> list[tuple[Item, str]]:
    return [row for row in rows if row[1] == label]


def _labelled(path: Path, task: TaskName) -> Iterator[tuple[Item, str]]:
    table = Table(path)
    layout = find_layout(table.columns, task, where=str(path))
    at = {name: place for place, name in enumerate(table.columns)}
    contrast = is_contrast(table.columns)
    if not contrast and layout.track is None:
        raise UsageError(
            f"{path}: nothing tells which of its rows are hallucinated; name files of the main and "
            "candidates tracks, or a contrast set"
        )
    flagged = FlaggedRows(table.columns)
    for number, cells in enumerate(table.rows(), 1):
        item = layout.item(cells)
        if cells in flagged or not item.output.strip():
            continue
        if contrast and "split" in at and cells[at["split"]].strip() == "measure":
            continue
        label = "no" if layout.track == "main" else "yes"
        if contrast:
            label = cells[at["expected"]].strip()
            if label not in _LABELS:
                raise UsageError(f"{path}, row {number}: expected is {label!r}; make it yes or no")
        yield item, label
