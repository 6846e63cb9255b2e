"""Measure how fast the offline judges are: the judge alone, and a whole labelling run.

python bench/offline_pace.py

Needs the benchmark's files in the folder that BANGLAHALLUEVAL_DATA names. Times are processor
times of the process, since a shared machine's clock says little; the run with all cores can only
be measured by the clock, and says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Cells, Table, writing
from banglahallueval.judges.offline import judge_offline
from banglahallueval.runs.processes import available_cores
from banglahallueval.tasks import TASKS, TaskName

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))
ROWS = 4_000  # of a run: those of the task's candidates, repeated
TIMES = 3  # that the judge alone is measured; the best counts


class Cost(NamedTuple):
    """What a whole run cost: processor and clock in seconds, and most memory in MB."""

    processor: float
    clock: float
    memory: float


def pace(task: TaskName) -> tuple[float, float]:
    """Judge both tracks again and again: rows per processor second at first, and at best after."""
    items = []
    for track in ("main", "candidates"):
        table = Table(DATA / f"{task}_{track}.csv")
        layout = find_layout(table.columns, task)
        items += [layout.item(cells) for cells in table.rows()]
    judge_offline(items[0])  # loads the judge
    rates = []
    for _ in range(1 + TIMES):
        clock = time.process_time()
        for item in items:
            judge_offline(item)
        rates.append(len(items) / (time.process_time() - clock))
    return rates[0], max(rates[1:])


def many_rows(task: TaskName, path: Path) -> None:
    """Write the input of a whole run."""
    table = Table(DATA / f"{task}_candidates.csv")
    rows: list[Cells] = list(table.rows())
    with writing(path, table.columns) as writer:
        for cells in islice(cycle(rows), ROWS):
            writer.writerow(cells)


def run(task: TaskName, source: Path, workers: int) -> Cost:
    """Label a file as a user does."""
    output = source.with_name(f"{task}_{workers}.csv")
    words = ["--task", task, "--input", source, "--output", output, "--workers", str(workers)]
    clock = time.perf_counter()
    process = subprocess.Popen([sys.executable, ROOT / "scripts" / "label.py", *words, "--quiet"])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"label.py ended with {status}")
    spent = usage.ru_utime + usage.ru_stime
    return Cost(spent, time.perf_counter() - clock, usage.ru_maxrss / 1024)


def main() -> None:
    """Print a line for each task."""
    cores = available_cores()
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}; a run has {ROWS:,} rows")
    for task in TASKS:
        first, again = pace(task)
        print(f"{task:14} judge {first:,.0f} rows/s at first, {again:,.0f} with its words known")
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "rows.csv"
            many_rows(task, source)
            for workers in sorted({1, cores}):
                cost = run(task, source, workers)
                print(
                    f"{'':14} {workers} workers: {ROWS / cost.clock:,.0f} rows/s by the clock; "
                    f"its first process {cost.processor:.1f} s of processor, {cost.memory:.0f} MB"
                )


if __name__ == "__main__":
    main()
