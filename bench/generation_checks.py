"""How many candidates of a file the generation checks would send back, and leave blank, by check.

python bench/generation_checks.py DATA_FOLDER

DATA_FOLDER holds candidate files named TASK_candidates.csv with the published columns. Nothing is
asked; this measures the checks on outputs that were made without them.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.generation.checks import LABEL_CHECKS, Candidate, Limits, check
from banglahallueval.generation.sources import Source
from banglahallueval.hashing import digest
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.tasks import TASKS, Item, TaskName, split_final_answer


@dataclass(slots=True)
class Counts:
    """What became of a file's candidates.

    Attributes:
        rows: Number of candidates.
        sent_back: Those that fail a check.
        unlabelled: Those that fail a check which makes their label doubtful.
        failed: How many fail each check.
    """

    rows: int = 0
    sent_back: int = 0
    unlabelled: int = 0
    failed: Counter[str] = field(default_factory=Counter)


def measure(path: Path, task: TaskName, limits: Limits) -> Counts:
    """Check each candidate of a file against its gold output and its source's earlier ones."""
    table = Table(path)
    layout = find_layout(table.columns, task, "candidates", where=str(path))
    gold_names = TASKS[task].outputs["main"]
    gold_at = next(i for i, name in enumerate(table.columns) if name in gold_names)
    source_at = table.columns.index("source_id")
    siblings: dict[tuple[str, str], list[str]] = defaultdict(list)
    seen: set[bytes] = set()
    counts = Counts()
    for cells in table.rows():
        item, gold = layout.item(cells), cells[gold_at]
        chain, final = split_final_answer(gold) if task == "reasoning" else (gold, "")
        right = Item(task, item.question, item.context, chain, final)
        source = Source(counts.rows, "", 1, 0, "", right, gold)
        pattern = cells[table.columns.index(layout.pattern or "pattern")]
        candidate = Candidate(item.output, final=item.final_answer)
        own = siblings[cells[source_at], item.evidence]
        is_repeated = digest(cells) in seen  # a row that stands there twice is no sibling
        failures = check(source, pattern, candidate, limits, [] if is_repeated else own)
        seen.add(digest(cells))
        own.append(item.output)
        counts.rows += 1
        counts.sent_back += bool(failures)
        counts.unlabelled += any(failure.spoils_label for failure in failures)
        counts.failed.update(failure.name for failure in failures)
    return counts


def main() -> None:
    """Print a table for each task whose file is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--length-ratio", type=float, default=Limits().ratio)
    args = parser.parse_args()
    for task in TASKS:
        path = args.folder / f"{task}_candidates.csv"
        if not path.exists():
            continue
        found = measure(path, task, Limits(args.length_ratio))
        print(
            f"{task}: {found.sent_back:,} of {found.rows:,} would be sent back; "
            f"{found.unlabelled:,} ({found.unlabelled / found.rows:.1%}) fail a check that makes "
            "their label doubtful (*)"
        )
        for name, count in found.failed.most_common():
            mark = "*" if name in LABEL_CHECKS else " "
            print(f" {mark} {name:26}{count:6,}  {count / found.rows:6.1%}")


if __name__ == "__main__":
    main()
