"""Fit the arithmetic judge's probabilities, and measure the judge.

    python -m tools.fit_arithmetic

Reads the folder BANGLAHALLUEVAL_DATA (else ../shared/data): the first halves of the published
reasoning files; and the contrast set. Prints how many chains have each outcome, and its
probability, which stands in `judges/arithmetic/judge.py`, fitted on the published rows and the
fitting half of the contrast set, each class of each kind weighing the same; on the published rows
the outcomes per pattern, every proven alarm on gold, to be counted by hand, and BenHalluScore with
probabilities fitted on four fifths of the problems and applied to the other fifth; both halves of
the contrast set by kind and style; each published judge's BenHalluScore alone and as a hybrid;
and rows per second of processor time on one core.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, get_args

from banglahallueval.io.tables import read_frame
from banglahallueval.judges.arithmetic import check_chain
from banglahallueval.judges.arithmetic.judge import Outcome, classify, describe, judge_item
from banglahallueval.tasks import Item
from tools.benchmark_rows import DATA, Row, contrast, published

FOLDS = 5
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Chain(NamedTuple):
    """One chain, checked; `split` is its half of the contrast set, `number` its place in a file."""

    item: Item
    hallucinated: bool
    pattern: str
    problem: str
    outcome: Outcome
    style: str
    split: str
    number: int


def examine(row: Row) -> Chain:
    """Check a row's chain."""
    item, hallucinated, pattern, problem, number, style, split = row
    outcome, _ = classify(check_chain(item.output), item.output, item.question)
    return Chain(item, hallucinated, pattern, problem, outcome, style, split, number)


def probabilities(rows: Iterable[Chain]) -> dict[Outcome, float]:
    """Fit P(hallucinated | outcome), both classes and both kinds of data weighted alike.

    Half a row is added to each count.
    """
    counts = Counter((row.outcome, row.hallucinated, bool(row.split)) for row in rows)
    totals: Counter[tuple[bool, bool]] = Counter()
    for (_, hallucinated, ours), count in counts.items():
        totals[hallucinated, ours] += count
    fitted = {}
    for outcome in OUTCOMES:
        share = {
            label: sum(
                (counts[outcome, label, ours] + 0.5) / totals[label, ours]
                for ours in (False, True)
                if totals[label, ours]
            )
            for label in (False, True)
        }
        fitted[outcome] = share[True] / (share[True] + share[False])
    return fitted


def bhs(rows: Sequence[Chain], said_yes: Sequence[bool]) -> tuple[float, float, float]:
    """Compute BenHalluScore, false alarms and misses, in percent."""
    pairs = list(zip(rows, said_yes, strict=True))
    alarms = [yes for row, yes in pairs if not row.hallucinated]
    misses = [not yes for row, yes in pairs if row.hallucinated]
    false_alarms, missed = (100 * sum(x) / len(x) for x in (alarms, misses))
    return (false_alarms + missed) / 2, false_alarms, missed


def cross_validated(rows: Sequence[Chain]) -> tuple[float, float, float]:
    """Compute the same with probabilities fitted on the problems of the other folds.

    A chain without calculations has no label, and counts as not found.
    """
    folds = {problem: i % FOLDS for i, problem in enumerate(sorted({r.problem for r in rows}))}
    fitted = [probabilities(r for r in rows if folds[r.problem] != fold) for fold in range(FOLDS)]
    return bhs(
        rows,
        [
            row.outcome != "unread" and fitted[folds[row.problem]][row.outcome] >= 0.5
            for row in rows
        ],
    )


def hybrids(rows: Sequence[Chain]) -> Iterable[tuple[str, float, float]]:
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


def print_contrast(rows: Sequence[Chain], fitted: Mapping[Outcome, float]) -> None:
    """Print detection by kind, and alarms and slips found by style."""

    def share(some: Sequence[Chain]) -> str:
        found = sum(row.outcome != "unread" and fitted[row.outcome] >= 0.5 for row in some)
        proven = sum(row.outcome == "proven" for row in some)
        return f"{found:4}/{len(some):<4} proven {proven}"

    yes = [row.outcome != "unread" and fitted[row.outcome] >= 0.5 for row in rows]
    print("  BHS {:.1f}, false alarms {:.1f} %, misses {:.1f} %".format(*bhs(rows, yes)))
    for kind in sorted({row.pattern for row in rows}):
        print(f"    {kind or 'right':28}{share([row for row in rows if row.pattern == kind])}")
    for style in sorted({row.style for row in rows}):
        of_style = [row for row in rows if row.style == style]
        right = [row for row in of_style if not row.hallucinated]
        slips = [row for row in of_style if row.pattern.startswith("slip")]
        print(f"    {style:28}alarms {share(right):24} slips {share(slips)}")


def print_proven_gold(rows: Iterable[Chain]) -> None:
    """Print each gold chain that is proven wrong, for a person to count."""
    for row in rows:
        if row.outcome == "proven" and not row.hallucinated:
            step = check_chain(row.item.output).first_proven
            if step is not None:
                print(f"  row {row.number}: {describe(step)}")


def main() -> None:
    """Print the fit and the measurements."""
    if not DATA.is_dir():
        raise SystemExit(f"no folder {DATA}: set BANGLAHALLUEVAL_DATA to the benchmark's files")
    rows = [examine(row) for row in published("reasoning")]
    contrast_rows = [examine(row) for row in contrast("reasoning")]
    fitting = [row for row in contrast_rows if row.split == "fit"]
    fitted = probabilities([*rows, *fitting])
    print("outcome      published: gold  hall.  contrast: right  wrong       P")
    counts = Counter((row.outcome, row.hallucinated, row.split) for row in [*rows, *fitting])
    for outcome, p in fitted.items():
        theirs = f"{counts[outcome, False, '']:16}{counts[outcome, True, '']:7}"
        ours = f"{counts[outcome, False, 'fit']:17}{counts[outcome, True, 'fit']:7}"
        print(f"{outcome:12}{theirs}{ours}{p:8.3f}")
    print("\nproven on gold rows:")
    print_proven_gold(rows)
    for split in ("fit", "measure"):
        print(f"\ncontrast rows, {split}:")
        print_contrast([row for row in contrast_rows if row.split == split], fitted)
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
