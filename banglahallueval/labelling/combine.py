"""Combine labelled files: a jury, or the offline judge's proofs before a model's labels."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest, file_sha256
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.labelled import (
    LABEL_COLUMN,
    ORIGIN_COLUMN,
    OUTPUT_COLUMNS,
    output_cells,
    read_label,
)
from banglahallueval.io.paths import is_same_file
from banglahallueval.io.readings import Labels
from banglahallueval.io.recognition import Recognised, recognise
from banglahallueval.io.tables import Cells, Table
from banglahallueval.judges.hybrid import settled_label
from banglahallueval.judges.jury import majority
from banglahallueval.judges.offline import EXPLAIN_COLUMNS, judge_offline
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.session import RunSession
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Label, Verdict

ADDED_COLUMNS = ("decided_by", "offline_reason")
# What the judges of the files say for themselves does not hold for the combined label.
_JUDGES_COLUMNS = frozenset((*OUTPUT_COLUMNS, ORIGIN_COLUMN, *ADDED_COLUMNS, *EXPLAIN_COLUMNS))


@dataclass(frozen=True, slots=True)
class CombineOptions:
    """Which labelled files become one, and how.

    Attributes:
        files: The labelled files; the output has the first one's rows and columns.
        output: The combined file.
        offline_first: Whether what the offline judge settles stands before any vote.
        assignments: What the user says that the files hold.
        overwrite: Whether an existing output is replaced.
        name: What the combined judge is called; empty for the names of the files. Scores pair
            outputs of both tracks by it.
    """

    files: Sequence[Path]
    output: Path
    offline_first: bool = False
    assignments: Assignments = field(default_factory=Assignments)
    overwrite: bool = False
    name: str = ""


class LabelledFile:
    """A labelled CSV whose rows are found by their texts.

    Attributes:
        table: The file.
        recognised: What it holds, and where.
    """

    def __init__(self, path: Path, assignments: Assignments) -> None:
        """Open it.

        Args:
            path: The file.
            assignments: What the user says that it holds.

        Raises:
            UsageError: If it is not labelled, or nothing tells what it holds.
        """
        self.table = Table(path)
        columns = self.table.columns
        if LABEL_COLUMN not in columns:
            raise UsageError(f"{path} has no column {LABEL_COLUMN}; label it first")
        self._label = columns.index(LABEL_COLUMN)
        labels = Labels(path, columns, self.table.rows)
        self.recognised: Recognised = recognise(
            labels, assignments, track_needed=False, judge_needed=False
        )

    def rows(self) -> Iterator[tuple[Cells, Item, Label]]:
        """Each row's cells, item and label, in file order."""
        for number, cells in enumerate(self.table.rows(), 1):
            label = read_label(cells[self._label], f"{self.table.path}, row {number}")
            yield cells, self.recognised.layout.item(cells), label

    def labels(self) -> dict[bytes, deque[Label]]:
        """Collect the labels of each item's rows, in file order."""
        found: dict[bytes, deque[Label]] = {}
        for _, item, label in self.rows():
            found.setdefault(_key(item), deque()).append(label)
        return found


def _key(item: Item) -> bytes:
    # Not the final answer: published scripts leave it out, and it belongs to the chain.
    return digest((item.question, item.context, item.output))


def combined(files: Sequence[LabelledFile], offline_first: bool) -> Iterator[tuple[Cells, Verdict]]:
    """Give the first file's rows with the verdict that all files come to.

    Rows are matched by their own texts, with multiplicity: the second of two equal rows takes the
    second label of each file.

    Args:
        files: The labelled files.
        offline_first: Whether what the offline judge settles stands before any vote.

    Raises:
        UsageError: If the files do not hold the same rows.
    """
    first, *others = files
    votes = [file.labels() for file in others]
    for number, (cells, item, label) in enumerate(first.rows(), 1):
        labels = [label]
        for file, left in zip(others, votes, strict=True):
            found = left.get(_key(item))
            if not found:
                raise UsageError(
                    f"{file.table.path} lacks row {number} of {first.table.path} (it begins "
                    f"{item.output[:40]!r}); combine files that label the same rows"
                )
            labels.append(found.popleft())
        yield cells, _decide(item, labels, offline_first)
    for file, left in zip(others, votes, strict=True):
        if over := sum(map(len, left.values())):
            raise UsageError(
                f"{file.table.path} holds {over} rows that {first.table.path} lacks; combine "
                "files that label the same rows"
            )


def _decide(item: Item, labels: Sequence[Label], offline_first: bool) -> Verdict:
    decision = majority(labels)
    raw = str(decision)
    if offline_first:
        proof = judge_offline(item)
        label = settled_label(proof)
        if label:
            details = {"decided_by": "offline", "offline_reason": proof.raw}
            return Verdict(label, raw=raw, details=details)
    return Verdict(decision.label, decision.reason, raw=raw, details={"decided_by": "labels"})


def combine_labels(options: CombineOptions) -> Counter[str]:
    """Combine labelled files into one, with a run record beside it.

    Returns:
        Rows per label, and per `decided_by` and `unknown_reason`.

    Raises:
        UsageError: If there is nothing to combine, a file is not labelled, the files do not hold
            the same rows, or the output exists and may not be replaced.
    """
    _check(options)
    run = RunOptions(overwrite=options.overwrite)
    files = _opened(options)
    columns = files[0].table.columns
    kept = [i for i, name in enumerate(columns) if name not in _JUDGES_COLUMNS]
    header = [*(columns[i] for i in kept), *OUTPUT_COLUMNS, *ADDED_COLUMNS]
    counts: Counter[str] = Counter()
    with RunSession(options.output, run, inputs=options.files) as session:
        with session.writing(header) as writer:
            for cells, verdict in combined(files, options.offline_first):
                writer.writerow([*(cells[i] for i in kept), *output_cells(verdict, ADDED_COLUMNS)])
                counts.update((verdict.label, verdict.details["decided_by"]))
                if verdict.reason:
                    counts[verdict.reason] += 1
        session.publish(_record(options, files, counts), {})
    return counts


def _check(options: CombineOptions) -> None:
    if len(options.files) == 1 and not options.offline_first:
        raise UsageError("one file alone has nothing to combine; add files, or --offline-first")
    for one, other in combinations(options.files, 2):
        if is_same_file(one, other):
            raise UsageError(f"{other} is {one} again, and would vote twice; leave one out")
    if any(is_same_file(options.output, path) for path in options.files):
        raise UsageError(f"--output {options.output} is one of the files to combine; name another")
    if options.output.exists() and not options.overwrite:
        raise UsageError(f"{options.output} is there already; name another, or --overwrite it")


def _opened(options: CombineOptions) -> list[LabelledFile]:
    """Open all the files, or report all that cannot be."""
    files, problems = [], []
    for path in options.files:
        try:
            files.append(LabelledFile(path, options.assignments))
        except UsageError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("\n".join(problems))
    for file in files:
        print(f"{file.table.path}: {file.recognised}")
    return files


def _record(
    options: CombineOptions, files: Sequence[LabelledFile], counts: Mapping[str, int]
) -> dict[str, Any]:
    layout = files[0].recognised.layout
    kind = "jury" if len(options.files) > 1 else "hybrid"
    name = options.name or f"{kind} of {', '.join(path.stem for path in options.files)}"
    return {
        "task": layout.task.name,
        "track": layout.track,
        "columns": dict(layout.columns),
        "inputs": [
            {
                "path": str(file.table.path),
                "sha256": file_sha256(file.table.path),
                "recognised": str(file.recognised),
            }
            for file in files
        ],
        "judge": {"kind": kind, "name": name, "offline_first": options.offline_first},
        "labels": {label: counts[label] for label in ("yes", "no", "unknown")},
        "decided_by": {by: counts[by] for by in ("offline", "labels")},
    }
