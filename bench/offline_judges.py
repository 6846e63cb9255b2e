"""How the offline judges do on the benchmark's files, beside the published judges and the aims.

    python bench/offline_judges.py

Reads the folder BANGLAHALLUEVAL_DATA (else ../shared/data; without it, there are only contrast
sets) and the committed contrast sets. Prints, with 95 % intervals (bootstrap over sources, or
Wilson for rates of independent rows): each task's scores on published rows and on the measured
half of its contrast set side by side, what is proven apart from what is only suspected, detection
by pattern and kind, alarms by style, the hybrid replay on the published labels, and rows per second
of processor time on one core.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from banglahallueval.hashing import digest
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.judges.hybrid import proves
from banglahallueval.judges.offline import judge_offline
from banglahallueval.scoring.contrast import ContrastScores, score_contrast
from banglahallueval.scoring.rates import Rate, score, wilson
from banglahallueval.tasks import TASKS, Item, TaskName
from banglahallueval.verdicts import Verdict

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))

AIMS: dict[str, str] = {
    "codemix": "published BHS <= 23 (GPT-4.1-mini 21.0), contrast <= 25",
    "qa": "published BHS <= 16, contrast <= 28",
    "summarization": "published BHS <= 15 (TigerLLM 27.2), contrast <= 32",
    "reasoning": "published slips >= 98 %, proven alarms <= 0.5 %; contrast <= 27, slips >= 95 %",
}
# What adding every proven slip to the published labels must come to at the least.
REPLAY_AIMS = {
    "deepseek-r1:14b": 15.9,
    "qwen2.5:32b": 20.5,
    "gemma2:27b": 29.6,
    "mistral-nemo": 39.3,
    "llama3.1:8b": 43.1,
    "tigerllm-9b": 42.8,
}


class Row(NamedTuple):
    """One judged row."""

    item: Item
    candidate: bool
    pattern: str
    source: str
    verdict: Verdict


def judged(task: TaskName) -> tuple[list[Row], float]:
    """Both tracks of a task, judged, and the rows per second of processor time."""
    found: list[tuple[Item, bool, str]] = []
    for track in ("main", "candidates"):
        table = Table(DATA / f"{task}_{track}.csv")
        layout = find_layout(table.columns, task)
        at = table.columns.index(layout.pattern) if layout.pattern else None
        found += [
            (layout.item(cells), track == "candidates", cells[at] if at is not None else "")
            for cells in table.rows()
        ]
    clock = time.process_time()
    verdicts = [judge_offline(item) for item, _, _ in found]
    spent = time.process_time() - clock
    rows = [
        Row(item, candidate, pattern, digest([item.evidence]).hex(), verdict)
        for (item, candidate, pattern), verdict in zip(found, verdicts, strict=True)
    ]
    return rows, len(rows) / spent


def percent(rate: Rate) -> str:
    """A rate and its interval in per cent."""
    return f"{rate.value:6.1%} [{rate.low:.1%}, {rate.high:.1%}]"


def bhs(rows: Sequence[Row], yes: Callable[[Row, int], bool]) -> tuple[Rate, Rate, Rate]:
    """BHS, false alarms and detection of a decision on rows."""
    candidate = np.array([row.candidate for row in rows])
    said = np.array([yes(row, n) for n, row in enumerate(rows)])
    scores = score(candidate, said, np.array([row.source for row in rows]))
    return scores.bhs, scores.false_alarms, scores.detection


def contrast(task: TaskName) -> pd.DataFrame:
    """The measured half of a task's contrast set, judged."""
    table = Table(ROOT / TASKS[task].folder / "Contrast set" / f"{task}_contrast.csv")
    layout = find_layout(table.columns, task)
    rows = [
        (dict(zip(table.columns, cells, strict=True)), layout.item(cells)) for cells in table.rows()
    ]
    found = []
    for cells, item in rows:
        if cells["split"] == "measure":
            verdict = judge_offline(item)
            kept = {name: cells[name] for name in ("expected", "kind", "style")}
            of_row = {
                "source": cells["source_id"],
                "said": verdict.label,
                "proven": proves(verdict),
            }
            found.append({**kept, **of_row})
    return pd.DataFrame(found)


def scored(rows: pd.DataFrame, *, proven: bool | None = None) -> ContrastScores:
    """Scores on a contrast set: of all that is said, of what is proven, or of the rest."""
    yes = rows["said"].eq("yes")
    if proven is not None:
        yes &= rows["proven"].eq(proven)
    said = rows["said"].where(~rows["said"].eq("yes"), "no").mask(yes, "yes")
    return score_contrast(rows.assign(label=said))


def columns(published: Sequence[str], other: Sequence[str]) -> None:
    """Print lines side by side: name and published figure, then the contrast set's."""
    for left, right in zip_longest(published, other, fillvalue=""):
        print(f"  {left:56}{right}".rstrip())


def on_contrast(rows: pd.DataFrame) -> list[str]:
    """The lines of a contrast set's figures; `on_published` has the same ones first."""
    found, proven, suspected = (scored(rows, proven=which) for which in (None, True, False))
    gap = found.style_gap
    return [
        f"contrast set, measured half: {len(rows)} rows of {found.sources} sources; chance is 50",
        f"{found.bhs.value:5.2f} [{found.bhs.low:.2f}, {found.bhs.high:.2f}]",
        *(percent(each.false_alarms) for each in (found, proven, suspected)),
        *(percent(each.detection) for each in (found, proven, suspected)),
        f"style gap {percent(gap.gap)}, by chance {gap.by_chance:.1%}",
        f"    (fewest alarms: {gap.least}; most: {gap.most})",
        "alarms on right outputs by style",
        *(f"  {name:26}{percent(rate)} of {rate.rows}" for name, rate in found.by_style.items()),
        "detection by kind",
        *(f"  {name:26}{percent(rate)} of {rate.rows}" for name, rate in found.by_kind.items()),
    ]


def on_published(task: TaskName, rows: Sequence[Row], pace: float) -> list[str]:
    """The lines of a task's figures on published rows."""
    proven = [proves(row.verdict) for row in rows]
    yes = [row.verdict.label == "yes" for row in rows]
    total, alarms, detection = bhs(rows, lambda _, n: yes[n])
    _, proven_alarms, proven_detection = bhs(rows, lambda _, n: yes[n] and proven[n])
    _, more_alarms, more_detection = bhs(rows, lambda _, n: yes[n] and not proven[n])
    lines = [
        f"published rows: {alarms.rows} main, {detection.rows} candidates",
        f"BHS           {total.value:5.2f} [{total.low:.2f}, {total.high:.2f}]",
        f"false alarms  {percent(alarms)}",
        f"  proven      {percent(proven_alarms)}",
        f"  suspected   {percent(more_alarms)}",
        f"detection     {percent(detection)}",
        f"  proven      {percent(proven_detection)}",
        f"  suspected   {percent(more_detection)}",
        f"{pace:,.0f} rows/s",
        "detection by pattern",
    ]
    for pattern in TASKS[task].patterns:
        hits = [said for said, row in zip(yes, rows, strict=True) if row.pattern == pattern]
        lines.append(f"  {pattern:30}{percent(wilson(sum(hits), len(hits)))}")
    if task == "reasoning":
        hits = [p for p, row in zip(proven, rows, strict=True) if row.pattern == "arithmetic_slip"]
        lines.append(f"  slips proven wrong            {percent(wilson(sum(hits), len(hits)))}")
    return lines


def replay(task: TaskName, rows: Sequence[Row]) -> None:
    """Print each published judge's BHS alone and with everything proven taken from us."""
    labels: dict[str, dict[tuple[str, int], str]] = {}
    table = Table(DATA / "published_labels.csv")
    at = {name: i for i, name in enumerate(table.columns)}
    for cells in table.rows():
        if cells[at["task"]] == task:
            of_judge = labels.setdefault(cells[at["judge"]], {})
            of_judge[cells[at["track"]], int(cells[at["row"]])] = cells[at["label"]].lower()
    places = [
        ("candidates", n) if row.candidate else ("main", n)
        for candidate in (False, True)
        for n, row in enumerate(r for r in rows if r.candidate is candidate)
    ]
    proven = [proves(row.verdict) for row in rows]
    print(f"\n{task}: published labels alone, and as a hybrid with what is proven")
    for judge, said in sorted(labels.items()):
        if not all(place in said for place in places):
            continue
        alone, _, _ = bhs(rows, lambda _, n, said=said: said[places[n]] == "yes")  # type: ignore[misc]
        both, _, _ = bhs(rows, lambda _, n, said=said: proven[n] or said[places[n]] == "yes")  # type: ignore[misc]
        aim = f"aim {REPLAY_AIMS[judge]}" if task == "reasoning" and judge in REPLAY_AIMS else ""
        print(f"  {judge:24} {alone.value:6.2f} -> {both.value:6.2f}   {aim}")


def main() -> None:
    """Print both tables of each task."""
    if not DATA.is_dir():
        print(f"no folder {DATA}: set BANGLAHALLUEVAL_DATA to the benchmark's files for theirs")
    for task in TASKS:
        print(f"\n{task}   aim: {AIMS[task]}")
        on_set = on_contrast(contrast(task))
        if not DATA.is_dir():
            names = ("", "BHS", *("false alarms", "  proven", "  suspected"))
            columns([*names, "detection", *names[3:]], on_set)
            continue
        rows, pace = judged(task)
        columns(on_published(task, rows, pace), on_set)
        if task in ("reasoning", "codemix"):
            replay(task, rows)


if __name__ == "__main__":
    main()
