"""How long scoring takes: 50,000 labelled rows, as many judges on few sources and as one on many.

python bench/scoring.py [--rows 50000]
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

from banglahallueval.io import tables
from banglahallueval.scoring.load import load
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import results
from banglahallueval.scoring.tables import render

_WORDS = ("নদী", "পাহাড়", "শহর", "রাজধানী", "ঢাকা", "জনসংখ্যা", "বছর", "ভাষা", "মানুষ")
_PATTERNS = ("factualness", "comprehension", "specificity", "inference")


def write(folder: Path, judges: int, rows: int) -> None:
    """Write labelled files: per source one main row and four candidates, contexts of 100 words."""
    rng = random.Random(1)
    sources = rows // judges // 5
    contexts = [" ".join(rng.choices(_WORDS, k=100)) + f" {n}।" for n in range(sources)]
    made: dict[str, tuple[list[str], list[list[str]]]] = {
        "main": (["id", "context", "question", "correct_answer"], []),
        "candidates": (
            ["id", "source_id", "pattern", "context", "question", "hallucinated_answer"],
            [],
        ),
    }
    for n, context in enumerate(contexts):
        made["main"][1].append([str(n), context, "কোথায়?", "ঢাকা"])
        made["candidates"][1].extend(
            [f"{n}::{pattern}", str(n), pattern, context, "কোথায়?", f"{pattern} নদী"]
            for pattern in _PATTERNS
        )
    for judge in range(judges):
        for track, (header, cells) in made.items():
            path = folder / f"qa_{track}_judge{judge}.csv"
            with tables.writing(path, [*header, "is_hallucinated", "p_hallucinated"]) as writer:
                for row in cells:
                    p = min(max(rng.gauss(0.6 if track == "candidates" else 0.4, 0.2), 0), 1)
                    writer.writerow([*row, "yes" if p > 0.5 else "no", f"{p:.4f}"])


def measure(judges: int, rows: int) -> None:
    """Time the parts of scoring, as `scripts/score.py` does it."""
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), judges, rows)
        start = time.perf_counter()
        labelled = load([name])
        loaded = time.perf_counter()
        found = results(labelled)
        scored = time.perf_counter()
        render(overview(found, against_published=True), "markdown")
        end = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{judges:2} judges x {rows // judges:,} rows: {end - start:5.1f} s "
        f"(read {loaded - start:.1f}, score {scored - loaded:.1f}, tables {end - scored:.1f}); "
        f"peak so far {peak:,.0f} MB"
    )


def main() -> None:
    """Measure both shapes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=50_000)
    args = parser.parse_args()
    for judges in (10, 1):
        measure(judges, args.rows)


if __name__ == "__main__":
    main()
