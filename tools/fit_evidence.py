"""Fit the weights that the evidence judge ships, and measure it.

    python tools/fit_evidence.py          # measure the shipped weights, and by cross-validation
    python tools/fit_evidence.py --write  # also fit anew and write judges/evidence/weights.json

Reads the folder BANGLAHALLUEVAL_DATA (else ../shared/data): the first halves of the published files
(qa, codemix, summarization; both tracks). Rows of one source share a fold, and qa and codemix share
their sources. The weights of locations are fitted on where gold answers stand, then the weights of
outputs; a cross-validated row has no part in either. Where a context has a gold answer's word
several times, the weights that a fit starts from choose the occurrence; they are those of the fold
before, so the weights written follow from all folds in turn. The word lists of `lexicon.py` were
chosen by hand on these rows, which cross-validation does not undo.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.judges.evidence import judge_item, weights
from banglahallueval.judges.evidence.answer_check import ANSWER_FEATURES, check_answer
from banglahallueval.judges.evidence.answer_location import locate_answer
from banglahallueval.judges.evidence.evidence_index import index_evidence
from banglahallueval.judges.evidence.location_features import LOCATION_FEATURES
from banglahallueval.judges.evidence.questions import parse_question
from banglahallueval.judges.evidence.summary_check import SUMMARY_FEATURES, check_summary
from banglahallueval.judges.evidence.weights import Weights, shipped_weights
from banglahallueval.judges.evidence.word_analysis import analyse_word
from banglahallueval.scoring.rates import score
from banglahallueval.tasks import TRACKS, Item, TaskName
from banglahallueval.text.phonetic import fold
from banglahallueval.verdicts import Verdict

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))
SHIPPED = Path(weights.__file__).with_name("weights.json")
FOLDS = 10
# The highest rate of false alarms that the choice of an intercept may cause on the rows fitted.
MAX_FALSE_ALARMS: dict[TaskName, float] = {"codemix": 0.115, "qa": 0.06, "summarization": 0.13}

Floats = npt.NDArray[np.float64]


class Row(NamedTuple):
    """One output: its item, whether it is hallucinated, its pattern and its source."""

    item: Item
    hallucinated: bool
    pattern: str
    source: str


def load(tasks: Iterable[TaskName]) -> list[Row]:
    """Read both tracks of each task, main first, in file order."""
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


def fit_location(rows: Iterable[Row], start: Weights) -> dict[str, float]:
    """Fit the weights of locations: where gold answers stand against the rest of the context.

    Args:
        rows: Rows of qa and codemix.
        start: Weights that choose among several occurrences of a gold answer's word.
    """
    features, labels, sample_weights = [], [], []
    for item, hallucinated, _, _ in rows:
        if hallucinated:
            continue
        answer = check_answer(item.question, item.context, item.output, start)
        location = answer.location
        gold = {at for _, at in answer.supported}.intersection(location.candidates)
        if not gold or answer.unsupported:
            continue
        is_gold = np.array([at in gold for at in location.candidates])
        features.append(location.features)
        labels.append(is_gold)
        sample_weights.append(np.where(is_gold, 1 / is_gold.sum(), 1 / len(is_gold)))
    model = LogisticRegression(C=1.0, max_iter=3000)
    model.fit(np.vstack(features), np.concatenate(labels), np.concatenate(sample_weights))
    return dict(zip(LOCATION_FEATURES, model.coef_[0].tolist(), strict=True))


def fit_outputs(features: Floats, rows: Sequence[Row], names: Sequence[str]) -> dict[str, float]:
    """Fit the weights of the features of outputs, hallucinated or not."""
    scale = features.std(axis=0) + 1e-9
    model = LogisticRegression(C=3.0, class_weight="balanced", max_iter=3000)
    model.fit(features / scale, [row.hallucinated for row in rows])
    return dict(zip(names, (model.coef_[0] / scale).tolist(), strict=True))


def features_of(rows: Iterable[Row], fitted: Weights) -> Floats:
    """Compute the features that the judge weighs, a row each."""
    return np.array([_features(row.item, fitted) for row in rows])


def _features(item: Item, fitted: Weights) -> list[float]:
    if item.task == "summarization":
        summary = check_summary(item.context, item.output).features
        return [summary[name] for name in SUMMARY_FEATURES]
    answer = check_answer(item.question, item.context, item.output, fitted).features
    return [answer[name] for name in ANSWER_FEATURES]


def fit(rows: Sequence[Row], start: Weights) -> Weights:
    """Fit all weights on rows of the three tasks.

    An answer's weights come from codemix, since qa has 40 candidates only; each task's intercept
    comes from its own rows: the one with the lowest BenHalluScore within the task's limit of false
    alarms. Since 40 candidates cannot tell that for qa, its intercept uses its limit up.

    Args:
        rows: The rows.
        start: Where fitting the weights of locations starts.
    """
    by_task = {task: [row for row in rows if row.item.task == task] for task in MAX_FALSE_ALARMS}
    location = fit_location([*by_task["codemix"], *by_task["qa"]], start)
    fitted = replace(start, location=location)
    features = {task: features_of(own, fitted) for task, own in by_task.items()}
    answer = fit_outputs(features["codemix"], by_task["codemix"], ANSWER_FEATURES)
    summary = fit_outputs(features["summarization"], by_task["summarization"], SUMMARY_FEATURES)
    intercepts: dict[TaskName, float] = {}
    for task, own in by_task.items():
        output_weights = summary if task == "summarization" else answer
        logits = features[task] @ np.array(list(output_weights.values()))
        hallucinated = np.array([row.hallucinated for row in own])
        intercepts[task] = -_threshold(
            logits, hallucinated, MAX_FALSE_ALARMS[task], use_up_limit=task == "qa"
        )
    return Weights(_provenance(rows), location, answer, summary, intercepts)


def _threshold(
    logits: Floats, hallucinated: npt.NDArray[np.bool_], limit: float, *, use_up_limit: bool
) -> float:
    """Return the logit from which a row is called hallucinated."""
    best = (math.inf, 0.0)
    for threshold in np.quantile(logits, np.linspace(0.02, 0.98, 193)):
        false_alarms = (logits[~hallucinated] >= threshold).mean()
        misses = (logits[hallucinated] < threshold).mean()
        if false_alarms <= limit:
            error = 0.0 if use_up_limit else float(false_alarms + misses)
            best = min(best, (error, float(threshold)))
    return best[1]


def _provenance(rows: Sequence[Row]) -> dict[str, object]:
    return {
        "program": "tools/fit_evidence.py --write",
        "fitted_on": "the first halves of the published files of these tasks, both tracks",
        "rows": {task: sum(row.item.task == task for row in rows) for task in MAX_FALSE_ALARMS},
        "sources": len({row.source for row in rows}),
    }


def cross_validated(rows: Sequence[Row], start: Weights) -> tuple[list[Verdict], Weights]:
    """Judge each row by weights fitted on the rows of other sources.

    Each fit starts from the one before, the first from `start`.

    Returns:
        The verdicts and the last weights.
    """
    verdicts: dict[int, Verdict] = {}
    fitted = start
    for train, test in GroupKFold(FOLDS).split(rows, groups=[row.source for row in rows]):
        fitted = fit([rows[at] for at in train], fitted)
        verdicts |= {int(at): judge_item(rows[at].item, fitted) for at in test}
    return [verdicts[at] for at in range(len(rows))], fitted


def report(title: str, rows: Sequence[Row], verdicts: Sequence[Verdict]) -> None:
    """Print per task: BenHalluScore and its parts with an interval, and detection by pattern."""
    print(f"\n{title}")
    for task in MAX_FALSE_ALARMS:
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
    for task in MAX_FALSE_ALARMS:
        mine = [row.item for row in rows if row.item.task == task]
        for cache in (index_evidence, locate_answer, parse_question, analyse_word, fold):
            cache.cache_clear()
        began = time.process_time()
        for item in mine:
            judge_item(item)
        print(f"  {task:14s} {len(mine) / (time.process_time() - began):6.0f} rows/s")


def write(fitted: Weights) -> None:
    """Write the weights that the package ships, rounded to three decimals."""
    as_json = json.dumps(asdict(fitted))
    rounded = json.loads(as_json, parse_float=lambda number: round(float(number), 3))
    SHIPPED.write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Measure, and with --write fit anew first."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="fit anew and write weights.json")
    write_anew = parser.parse_args().write
    rows = load(MAX_FALSE_ALARMS)
    verdicts, last = cross_validated(rows, shipped_weights())
    report(f"Cross-validated, {FOLDS} folds by source", rows, verdicts)
    if write_anew:
        write(fit(rows, last))
        shipped_weights.cache_clear()
    report("As shipped", rows, [judge_item(row.item) for row in rows])
    padded(rows)
    speed(rows)


if __name__ == "__main__":
    main()
