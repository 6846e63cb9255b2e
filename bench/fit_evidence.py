"""Fit the evidence judge's weights, and measure it.

    python bench/fit_evidence.py          # measure what is committed, and by cross-validation
    python bench/fit_evidence.py --write  # also write judges/evidence/constants.py anew

Fits on the first halves of the published files (qa, codemix, summarization; both tracks). Rows of
one source share a fold, and qa and codemix share their sources. The scores of places in a context
are fitted on where the fold's other sources have their gold answers, the weights of an answer's
features after that, so a cross-validated row had no part in either. The words of `lexicon.py` were
chosen by hand on these rows, which cross-validation does not undo.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.judges.evidence import constants, judge_item, locating
from banglahallueval.judges.evidence.answers import ANSWER_FEATURES, read_answer
from banglahallueval.judges.evidence.locating import PLACE_FEATURES, locate
from banglahallueval.judges.evidence.questions import read_question
from banglahallueval.judges.evidence.summaries import SUMMARY_FEATURES, read_summary
from banglahallueval.judges.evidence.tokens import index
from banglahallueval.judges.evidence.words import read_word
from banglahallueval.scoring.rates import score
from banglahallueval.tasks import TRACKS, Item, TaskName
from banglahallueval.text.phonetic import fold
from banglahallueval.verdicts import Verdict

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))
CONSTANTS = Path(locating.__file__).with_name("constants.py")
FOLDS = 10

Floats = npt.NDArray[np.float64]


class Row(NamedTuple):
    """One output: its item, whether it is hallucinated, its pattern and its source."""

    item: Item
    hallucinated: bool
    pattern: str
    source: str


def load(*tasks: TaskName) -> list[Row]:
    """Both tracks of each task, main first, in file order."""
    rows = []
    for task in tasks:
        for track in TRACKS:
            table = Table(DATA / f"{task}_{track}.csv")
            layout = find_layout(table.columns, task, track)
            for cells in table.rows():
                named = dict(zip(table.columns, cells, strict=True))
                pattern = named[layout.pattern] if layout.pattern else ""
                source = named[str(layout.source or layout.id)]
                rows.append(Row(layout.item(cells), track == "candidates", pattern, source))
    return rows


def fit_places(rows: Sequence[Row]) -> dict[str, float]:
    """Weights of a place's features: where gold answers stand against the rest of the context."""
    features, labels, weights = [], [], []
    for row in rows:
        if row.hallucinated:
            continue
        located = locate(row.item.question, row.item.context)
        reading = read_answer(row.item.question, row.item.context, row.item.output)
        own = {place for _, place in reading.found}.intersection(located.rivals)
        if not own or reading.absent:
            continue
        features.append(located.features)
        mine = np.array([place in own for place in located.rivals])
        labels.append(mine)
        weights.append(np.where(mine, 1 / mine.sum(), 1 / len(mine)))
    model = LogisticRegression(C=1.0, max_iter=3000)
    model.fit(np.vstack(features), np.concatenate(labels), sample_weight=np.concatenate(weights))
    return dict(zip(PLACE_FEATURES, model.coef_[0].tolist(), strict=True))


def use_places(weights: dict[str, float]) -> None:
    """Let `locate` score with these weights."""
    constants.PLACE_WEIGHTS.update(weights)
    locate.cache_clear()


def features_of(rows: Iterable[Row]) -> Floats:
    """The features the judge weighs, a row each."""
    return np.array([_features(row.item) for row in rows])


def _features(item: Item) -> list[float]:
    if item.task == "summarization":
        found = read_summary(item.context, item.output).features
        return [found[name] for name in SUMMARY_FEATURES]
    found = read_answer(item.question, item.context, item.output).features
    return [found[name] for name in ANSWER_FEATURES]


class Fitted(NamedTuple):
    """What a fit on some rows says.

    Attributes:
        places: Weights of a place's features.
        weights: Per kind of output the weights of its features.
        intercepts: Per task.
    """

    places: dict[str, float]
    weights: dict[str, dict[str, float]]
    intercepts: dict[str, float]


# The most false alarms that the choice of an intercept may make on the rows it is fitted on.
LIMITS: dict[TaskName, float] = {"codemix": 0.115, "qa": 0.06, "summarization": 0.13}


def fit(rows: Sequence[Row]) -> Fitted:
    """Fit everything on rows of all three tasks; leaves `locate` with the new weights.

    An answer's weights come from codemix (qa has 40 candidates), each task's intercept from its
    own rows: the one of the lowest BenHalluScore within the task's limit. Since 40 candidates
    cannot tell that for qa, its intercept is the one that uses its limit up.
    """
    by_task: dict[TaskName, list[Row]] = {
        task: [row for row in rows if row.item.task == task] for task in LIMITS
    }
    places = fit_places([*by_task["codemix"], *by_task["qa"]])
    use_places(places)
    features = {task: features_of(mine) for task, mine in by_task.items()}
    weights: dict[str, dict[str, float]] = {}
    intercepts: dict[str, float] = {}
    kinds: tuple[tuple[str, TaskName, Sequence[str]], ...] = (
        ("answers", "codemix", ANSWER_FEATURES),
        ("summarization", "summarization", SUMMARY_FEATURES),
    )
    for kind, task, names in kinds:
        labels = [row.hallucinated for row in by_task[task]]
        scale = features[task].std(axis=0) + 1e-9
        model = LogisticRegression(C=3.0, class_weight="balanced", max_iter=3000)
        model.fit(features[task] / scale, labels)
        weights[kind] = dict(zip(names, (model.coef_[0] / scale).tolist(), strict=True))
    for task, mine in by_task.items():
        kind = "summarization" if task == "summarization" else "answers"
        logits = features[task] @ np.array(list(weights[kind].values()))
        wrong = np.array([row.hallucinated for row in mine])
        intercepts[task] = -_cut(logits, wrong, LIMITS[task], spend_limit=task == "qa")
    return Fitted(places, weights, intercepts)


def _cut(logits: Floats, wrong: npt.NDArray[np.bool_], limit: float, *, spend_limit: bool) -> float:
    """The logit from which a row is called hallucinated."""
    best = (math.inf, 0.0)
    for cut in np.quantile(logits, np.linspace(0.02, 0.98, 193)):
        alarms, misses = (logits[~wrong] >= cut).mean(), (logits[wrong] < cut).mean()
        if alarms <= limit:
            best = min(best, (0.0 if spend_limit else float(alarms + misses), float(cut)))
    return best[1]


def use(fitted: Fitted) -> None:
    """Let the judge judge by a fit."""
    use_places(fitted.places)
    for kind, weights in fitted.weights.items():
        constants.WEIGHTS[kind].update(weights)
    constants.INTERCEPTS.update(fitted.intercepts)


def cross_validated(rows: Sequence[Row]) -> list[Verdict]:
    """Each row's verdict by a fit on the rows of other sources."""
    verdicts: dict[int, Verdict] = {}
    for train, test in GroupKFold(FOLDS).split(rows, groups=[row.source for row in rows]):
        use(fit([rows[at] for at in train]))
        verdicts |= {int(at): judge_item(rows[at].item) for at in test}
    return [verdicts[at] for at in range(len(rows))]


def report(title: str, rows: Sequence[Row], verdicts: Sequence[Verdict]) -> None:
    """Print per task: BenHalluScore and its parts with an interval, and detection by pattern."""
    print(f"\n{title}")
    for task in LIMITS:
        mine = [(r, v) for r, v in zip(rows, verdicts, strict=True) if r.item.task == task]
        scores = score(
            np.array([row.hallucinated for row, _ in mine]),
            np.array([verdict.label == "yes" for _, verdict in mine]),
            np.array([row.source for row, _ in mine]),
        )
        bhs = scores.bhs
        print(
            f"  {task:14s} BHS {bhs.value:5.1f} [{bhs.low:.1f}, {bhs.high:.1f}]"
            f"  false alarms {scores.false_alarms.value:6.1%}"
            f"  misses {1 - scores.detection.value:6.1%}  ",
            *(f"{p} {_rate([v for r, v in mine if r.pattern == p]):.0%}" for p in _patterns(mine)),
        )
        proven = [(r, v) for r, v in mine if any(f.proven for f in v.findings)]
        right = sum(r.hallucinated for r, _ in proven)
        print(f"  {'':14s} proven: {len(proven)} outputs, {right} of them hallucinated")


def _rate(verdicts: Sequence[Verdict]) -> float:
    return sum(verdict.label == "yes" for verdict in verdicts) / len(verdicts)


def _patterns(mine: Iterable[tuple[Row, Verdict]]) -> list[str]:
    return list(dict.fromkeys(row.pattern for row, _ in mine if row.pattern))


def padded(rows: Sequence[Row]) -> None:
    """Print how many gold answers keep their verdict with their question before or after them."""
    gold = [row.item for row in rows if row.item.question and not row.hallucinated]
    kept = [
        judge_item(item).label == judge_item(replace(item, output=output)).label
        for item in gold
        for output in (f"{item.question} {item.output}", f"{item.output}\n{item.question}")
    ]
    print(f"\nGold answers padded with their question: {sum(kept)} of {len(kept)} verdicts kept")


def speed(rows: Sequence[Row]) -> None:
    """Print rows per second, from empty caches."""
    for task in LIMITS:
        mine = [row.item for row in rows if row.item.task == task]
        for cache in (index, locate, read_question, read_word, fold):
            cache.cache_clear()
        began = time.process_time()
        for item in mine:
            judge_item(item)
        print(f"  {task:14s} {len(mine) / (time.process_time() - began):6.0f} rows/s")


_HEADER = '''"""What the evidence judge weighs with, written by `bench/fit_evidence.py --write`.

Fitted on the first halves of the published files: codemix {codemix}, qa {qa}, summarization
{summarization} rows (both tracks), from {sources} sources.
"""

from __future__ import annotations
'''


def write(fitted: Fitted, rows: Sequence[Row]) -> None:
    """Write the constants' module."""
    counts = {task: sum(row.item.task == task for row in rows) for task in LIMITS}
    text = _HEADER.format(sources=len({row.source for row in rows}), **counts)
    for name, values, kind in (
        ("PLACE_WEIGHTS", fitted.places, "dict[str, float]"),
        ("WEIGHTS", fitted.weights, "dict[str, dict[str, float]]"),
        ("INTERCEPTS", fitted.intercepts, "dict[str, float]"),
    ):
        text += f"\n{name}: {kind} = {json.dumps(_rounded(values), indent=4)}\n"
    CONSTANTS.write_text(text, encoding="utf-8")


def _rounded(values: dict[str, float] | dict[str, dict[str, float]]) -> dict[str, object]:
    return {
        name: round(value, 3) if isinstance(value, float) else _rounded(value)
        for name, value in values.items()
    }


def main() -> None:
    """Measure, and with --write fit anew first."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the constants anew")
    write_anew = parser.parse_args().write
    rows = load(*LIMITS)
    committed = Fitted(
        dict(constants.PLACE_WEIGHTS),
        {kind: dict(weights) for kind, weights in constants.WEIGHTS.items()},
        dict(constants.INTERCEPTS),
    )
    report(f"Cross-validated, {FOLDS} folds by source", rows, cross_validated(rows))
    if write_anew:
        committed = fit(rows)
        write(committed, rows)
    use(committed)
    report("As committed", rows, [judge_item(row.item) for row in rows])
    padded(rows)
    speed(rows)


if __name__ == "__main__":
    main()
