"""Fit the arithmetic judge's probabilities, and measure the judge.

    python tools/fit_arithmetic.py

Reads the folder BANGLAHALLUEVAL_DATA (else ../shared/data). Prints, on the first halves of the
published reasoning files: how many chains have each outcome, and its probability, which stands in
`judges/arithmetic/judge.py`; the outcomes per pattern; BenHalluScore with probabilities fitted on
four fifths of the problems and applied to the other fifth; each published judge's BenHalluScore
alone and as a hybrid; and rows per second of processor time on one core. The words of
`suspicions.py` were chosen by hand on these rows, which cross-validation does not undo.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

from banglahallueval.io.tables import read_frame
from banglahallueval.judges.arithmetic import check_chain
from banglahallueval.judges.arithmetic.judge import Outcome, classify, judge_item
from banglahallueval.tasks import Item, split_final_answer

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))
FOLDS = 5
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Row(NamedTuple):
    """One chain: its item, whether it is hallucinated, its pattern, problem id and outcome."""

    item: Item
    hallucinated: bool
    pattern: str
    problem: str
    outcome: Outcome


def load() -> list[Row]:
    """Read both tracks, main first, in file order."""
    rows = []
    for cells in read_frame(DATA / "reasoning_main.csv").to_dict("records"):
        chain, answer = split_final_answer(cells["answer"])
        item = Item("reasoning", cells["question"], "", chain, answer)
        rows.append(make(item, "", cells["question_id"]))
    for cells in read_frame(DATA / "reasoning_candidates.csv").to_dict("records"):
        chain, answer = cells["hallucinated_chain"], cells["hallucinated_answer"]
        item = Item("reasoning", cells["question"], "", chain, answer)
        rows.append(make(item, cells["hallucination_type"], cells["question_id"]))
    return rows


def make(item: Item, pattern: str, problem: str) -> Row:
    """Check an item's chain and make its row; a row without a pattern is gold."""
    outcome, _ = classify(check_chain(item.output), item.output, item.question)
    return Row(item, bool(pattern), pattern, problem, outcome)


def probabilities(rows: Iterable[Row]) -> dict[Outcome, float]:
    """Fit P(hallucinated | outcome): half a row added to each count, both tracks weighted alike."""
    counts = Counter((row.outcome, row.hallucinated) for row in rows)
    gold = sum(n for (_, hallucinated), n in counts.items() if not hallucinated)
    bad = sum(n for (_, hallucinated), n in counts.items() if hallucinated)
    fitted = {}
    for outcome in OUTCOMES:
        yes = (counts[outcome, True] + 0.5) / bad
        fitted[outcome] = yes / (yes + (counts[outcome, False] + 0.5) / gold)
    return fitted


def bhs(rows: Sequence[Row], said_yes: Sequence[bool]) -> tuple[float, float, float]:
    """Compute BenHalluScore, false alarms and misses, in percent."""
    pairs = list(zip(rows, said_yes, strict=True))
    alarms = [yes for row, yes in pairs if not row.hallucinated]
    misses = [not yes for row, yes in pairs if row.hallucinated]
    false_alarms, missed = (100 * sum(x) / len(x) for x in (alarms, misses))
    return (false_alarms + missed) / 2, false_alarms, missed


def cross_validated(rows: Sequence[Row]) -> tuple[float, float, float]:
    """Compute the same with probabilities fitted on the problems of the other folds."""
    folds = {problem: i % FOLDS for i, problem in enumerate(sorted({r.problem for r in rows}))}
    fitted = [probabilities(r for r in rows if folds[r.problem] != fold) for fold in range(FOLDS)]
    return bhs(rows, [fitted[folds[row.problem]][row.outcome] >= 0.5 for row in rows])


def hybrids(rows: Sequence[Row]) -> Iterable[tuple[str, float, float]]:
    """Yield each published judge, its BenHalluScore alone, and with proven faults overruling it."""
    labels = read_frame(DATA / "published_labels.csv")
    labels = labels[labels["task"] == "reasoning"]
    first = {"main": 0, "candidates": sum(not row.hallucinated for row in rows)}
    for judge, own in labels.groupby("judge"):
        yes = [False] * len(rows)
        for track, row, label in zip(own["track"], own["row"], own["label"], strict=True):
            yes[first[track] + int(row)] = label.lower() == "yes"
        both = [own_yes or row.outcome == "proven" for own_yes, row in zip(yes, rows, strict=True)]
        yield str(judge), bhs(rows, yes)[0], bhs(rows, both)[0]


def main() -> None:
    """Print the fit and the measurements."""
    if not DATA.is_dir():
        raise SystemExit(f"no folder {DATA}: set BANGLAHALLUEVAL_DATA to the benchmark's files")
    rows = load()
    counts = Counter((row.outcome, row.hallucinated) for row in rows)
    print(f"{'outcome':12}{'gold':>6}{'hall.':>7}{'P':>8}")
    for outcome, p in probabilities(rows).items():
        print(f"{outcome:12}{counts[outcome, False]:6}{counts[outcome, True]:7}{p:8.3f}")
    print("\nper pattern:")
    patterns = Counter((row.pattern, row.outcome) for row in rows if row.hallucinated)
    for pattern in dict.fromkeys(row.pattern for row in rows if row.hallucinated):
        found = ", ".join(f"{outcome} {patterns[pattern, outcome]}" for outcome in OUTCOMES)
        print(f"  {pattern:32}{found}")
    print("\n                        BHS  false alarms  misses (%)")
    print(
        "  proofs alone    {:9.1f}{:14.1f}{:8.1f}".format(
            *bhs(rows, [row.outcome == "proven" for row in rows])
        )
    )
    print("  cross-validated {:9.1f}{:14.1f}{:8.1f}".format(*cross_validated(rows)))
    print("\nhybrid replay, BHS alone → with proofs:")
    for judge, alone, both in hybrids(rows):
        print(f"  {judge:20}{alone:6.1f} → {both:4.1f}")
    start = time.process_time()
    for row in rows:
        judge_item(row.item)
    print(f"\n{len(rows) / (time.process_time() - start):,.0f} rows per second of one core")


if __name__ == "__main__":
    main()
