"""How many candidates of a file the generation checks would send back, by check.

python bench/generation_checks.py DATA_FOLDER

DATA_FOLDER holds candidate files named TASK_candidates.csv with the published columns. Nothing is
asked; this measures the checks on outputs that were made without them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from banglahallueval.generation.checks import Candidate, Limits, check
from banglahallueval.generation.sources import Source
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.tasks import TASKS, Item, TaskName, split_final_answer


def measure(path: Path, task: TaskName, limits: Limits) -> tuple[int, int, Counter[str]]:
    """Rows, rows that fail something, and how many fail each check."""
    table = Table(path)
    layout = find_layout(table.columns, task, "candidates", where=str(path))
    gold_names = TASKS[task].outputs["main"]
    gold_at = next(i for i, name in enumerate(table.columns) if name in gold_names)
    failed: Counter[str] = Counter()
    rows = sent_back = 0
    for cells in table.rows():
        item, gold = layout.item(cells), cells[gold_at]
        chain, final = split_final_answer(gold) if task == "reasoning" else (gold, "")
        right = Item(task, item.question, item.context, chain, final)
        source = Source(rows, "", 1, 0, "", right, gold)
        pattern = cells[table.columns.index(layout.pattern or "pattern")]
        candidate = Candidate(item.output, final=item.final_answer)
        names = [failure.name for failure in check(source, pattern, candidate, limits)]
        failed.update(names)
        sent_back += bool(names)
        rows += 1
    return rows, sent_back, failed


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
        rows, sent_back, failed = measure(path, task, Limits(args.length_ratio))
        print(f"{task}: {sent_back:,} of {rows:,} would be sent back")
        for name, count in failed.most_common():
            print(f"  {name:26}{count:6,}  {count / rows:6.1%}")


if __name__ == "__main__":
    main()
