"""Labelled files that exist already become one: a jury, or proofs before a model's labels."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from banglahallueval.cli.assignments import add_assignment_flags, assignments_of, check_assigned
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest, file_sha256
from banglahallueval.io.assignments import Assignment, Assignments
from banglahallueval.io.labelled import LABEL_COLUMN, OUTPUT_COLUMNS, output_cells, read_label
from banglahallueval.io.readings import Labels
from banglahallueval.io.recognition import Recognised, recognise
from banglahallueval.io.records import command_line, utc_now, write_record
from banglahallueval.io.tables import Cells, Table, writing
from banglahallueval.judges.hybrid import proves
from banglahallueval.judges.jury import majority
from banglahallueval.judges.offline import EXPLAIN_COLUMNS, judge_offline
from banglahallueval.tasks import TASKS, Item
from banglahallueval.verdicts import Label, Verdict

ADDED_COLUMNS = ("decided_by", "offline_reason")
# What the judges of the files say for themselves does not hold for the combined label.
_JUDGES_COLUMNS = frozenset((*OUTPUT_COLUMNS, *ADDED_COLUMNS, *EXPLAIN_COLUMNS))


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
        """The labels of each item's rows, in file order."""
        found: dict[bytes, deque[Label]] = {}
        for _, item, label in self.rows():
            found.setdefault(_key(item), deque()).append(label)
        return found


def _key(item: Item) -> bytes:
    # Not the final answer: published scripts leave it out, and it belongs to the chain.
    return digest((item.question, item.context, item.output))


def combined(files: Sequence[LabelledFile], offline_first: bool) -> Iterator[tuple[Cells, Verdict]]:
    """The first file's rows with the verdict that all files come to.

    Rows are matched by their own texts, with multiplicity: the second of two equal rows takes the
    second label of each file.

    Args:
        files: The labelled files.
        offline_first: Whether what the offline judge proves is settled before any vote.

    Raises:
        UsageError: If the files do not hold the same rows.
    """
    first, *others = files
    votes = [file.labels() for file in others]
    for cells, item, label in first.rows():
        labels = [label]
        for file, left in zip(others, votes, strict=True):
            found = left.get(_key(item))
            if not found:
                raise UsageError(
                    f"{file.table.path} lacks a row of {first.table.path} (the one that begins "
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
    raw = f"yes {decision.yes}, no {decision.no}, unknown {decision.unknown}"
    if offline_first:
        proof = judge_offline(item)
        if proves(proof):
            details = {"decided_by": "offline", "offline_reason": proof.raw}
            return Verdict("yes", raw=raw, details=details)
    return Verdict(decision.label, decision.reason, raw=raw, details={"decided_by": "labels"})


def combine_labels(
    inputs: Sequence[Path],
    output: Path,
    *,
    offline_first: bool,
    assignments: Assignments | None = None,
) -> Counter[str]:
    """Combine labelled files into one, with a run record beside it.

    Args:
        inputs: The labelled files; the output has the first one's rows and columns.
        output: The combined file; replaced if it is there.
        offline_first: Whether proofs are settled before any vote.
        assignments: What the user says that the files hold.

    Returns:
        Rows per label, and per `decided_by` and `unknown_reason`.

    Raises:
        UsageError: If a file is not labelled, or they do not hold the same rows.
    """
    started = utc_now()
    files = _opened(inputs, assignments or Assignments())
    columns = files[0].table.columns
    kept = [i for i, name in enumerate(columns) if name not in _JUDGES_COLUMNS]
    counts: Counter[str] = Counter()
    header = [*(columns[i] for i in kept), *OUTPUT_COLUMNS, *ADDED_COLUMNS]
    with writing(output, header) as writer:
        for cells, verdict in combined(files, offline_first):
            writer.writerow([*(cells[i] for i in kept), *output_cells(verdict, ADDED_COLUMNS)])
            counts.update((verdict.label, verdict.details["decided_by"]))
            if verdict.reason:
                counts[verdict.reason] += 1
    layout = files[0].recognised.layout
    write_record(
        output,
        {
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
            "output": {"path": str(output), "sha256": file_sha256(output)},
            "judge": _identity(inputs, offline_first),
            "labels": {name: counts[name] for name in ("yes", "no", "unknown")},
            "decided_by": {name: counts[name] for name in ("offline", "labels")},
            "runs": [{"command": command_line(), "started": started, "finished": utc_now()}],
        },
    )
    return counts


def _opened(inputs: Sequence[Path], assignments: Assignments) -> list[LabelledFile]:
    """Open all the files, or report all that cannot be."""
    files, problems = [], []
    for path in inputs:
        try:
            files.append(LabelledFile(path, assignments))
        except UsageError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("\n".join(problems))
    for file in files:
        print(f"{file.table.path}: {file.recognised}")
    return files


def _identity(inputs: Sequence[Path], offline_first: bool) -> Mapping[str, object]:
    kind = "jury" if len(inputs) > 1 else "hybrid"
    name = f"{kind} of {', '.join(path.stem for path in inputs)}"
    return {"kind": kind, "name": name, "offline_first": offline_first}


def combine(doc: str, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/combine_labels.py`.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files cannot be combined.
    """
    parser = new_parser(doc)
    parser.add_argument("files", nargs="+", type=Path, metavar="CSV", help="labelled files")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="CSV", help="the combined file"
    )
    parser.add_argument(
        "--offline-first",
        action="store_true",
        help="settle what the offline judge proves as yes before the labels count",
    )
    parser.add_argument("--task", choices=list(TASKS), help="task of all the files given")
    add_assignment_flags(parser)
    parser.add_argument("--overwrite", action="store_true", help="replace an output that is there")
    args = parser.parse_args(argv)
    if len(args.files) == 1 and not args.offline_first:
        raise UsageError("one file alone has nothing to combine; add files, or --offline-first")
    if args.output.resolve() in {path.resolve() for path in args.files}:
        raise UsageError(f"--output {args.output} is one of the files to combine; name another")
    if args.output.exists() and not args.overwrite:
        raise UsageError(f"{args.output} is there already; name another, or --overwrite it")
    assignments = assignments_of(args, Assignment(task=args.task))
    check_assigned(assignments, args.files)
    counts = combine_labels(
        args.files, args.output, offline_first=args.offline_first, assignments=assignments
    )
    labels = ", ".join(f"{name} {counts[name]}" for name in ("yes", "no", "unknown"))
    print(f"{args.output}: {labels} ({counts['tie']} ties); decided offline {counts['offline']}")
    return 0
