"""Fit the weights that the evidence judge ships, and measure it.

    python -m tools.fit_evidence          # measure the shipped weights, and by cross-validation
    python -m tools.fit_evidence --write  # also fit anew and write judges/evidence/weights.json

Fits on two kinds of rows together: the first halves of the published files (qa, codemix,
summarization; both tracks) in the folder BANGLAHALLUEVAL_DATA (else ../shared/data), and the split
`fit` of the committed contrast sets; their split `measure` is not read. Prints both in one table:
cross-validated by source, and with each style of the contrast sets left out in turn. Rows of one
source share a fold, and qa and codemix share their sources. The weights of locations are fitted
first, on where right answers stand, then the weights of outputs; a cross-validated row has no part
in either. The word lists were not fitted; those of frames were written before the rows were read,
and widened by what right outputs of the split `fit` were found to say.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from banglahallueval.judges.evidence import judge_item, weights
from banglahallueval.judges.evidence.answer_check import ANSWER_FEATURES, check_answer
from banglahallueval.judges.evidence.answer_location import locate_answer
from banglahallueval.judges.evidence.claim_check import CLAIM_FEATURES, check_claims
from banglahallueval.judges.evidence.evidence_index import index_evidence
from banglahallueval.judges.evidence.location_features import LOCATION_FEATURES
from banglahallueval.judges.evidence.weights import Weights, shipped_weights
from banglahallueval.scoring.rates import score
from banglahallueval.tasks import Item, TaskName
from banglahallueval.verdicts import Verdict
from tools.benchmark_rows import Row, contrast, published

SHIPPED = Path(weights.__file__).with_name("weights.json")
FITTED: tuple[TaskName, ...] = ("codemix", "qa", "summarization")
FOLDS = 5
REGULARISATION = 0.3  # `C` of the logistic regression, whose rows weigh 2,000 together
# The minimum is flat: of what comes so near to it, the threshold with the fewest false alarms.
FLAT = 0.005
# The share of the weight that published rows of qa get: 40 candidates say little.
QA_PUBLISHED = 0.4

Floats = npt.NDArray[np.float64]


def load() -> list[Row]:
    """Read the published rows and those of the contrast sets that may be fitted on."""
    may_be_fitted = (row for task in FITTED for row in contrast(task) if row.split == "fit")
    return [*(row for task in FITTED for row in published(task)), *may_be_fitted]


def fit_location(rows: Iterable[Row], start: Weights) -> dict[str, float]:
    """Fit the weights of locations: where right answers stand against the rest of the context.

    Args:
        rows: Rows of qa and codemix.
        start: Weights that choose among several occurrences of an answer's word.
    """
    features, labels, sample_weights = [], [], []
    for row in rows:
        item = row.item
        if row.hallucinated or row.style not in ("", "short"):
            continue
        answer = check_answer(item.question, item.context, item.output, start)
        location = answer.location
        right = {at for _, at in answer.supported}.intersection(location.candidates)
        if not right or answer.claims.absent or answer.claims.absent_numbers:
            continue
        is_right = np.array([at in right for at in location.candidates])
        features.append(location.features)
        labels.append(is_right)
        sample_weights.append(np.where(is_right, 1 / is_right.sum(), 1 / len(is_right)))
    model = LogisticRegression(C=1.0, max_iter=3000)
    model.fit(np.vstack(features), np.concatenate(labels), np.concatenate(sample_weights))
    return dict(zip(LOCATION_FEATURES, model.coef_[0].tolist(), strict=True))


def features_of(rows: Iterable[Row], fitted: Weights) -> Floats:
    """Compute the features that the judge weighs, a row each."""
    return np.array([_features(row.item, fitted) for row in rows])


def _features(item: Item, fitted: Weights) -> list[float]:
    if item.task == "summarization":
        checked = check_claims(index_evidence(item.context), None, item.output).features
        return [checked[name] for name in CLAIM_FEATURES]
    answer = check_answer(item.question, item.context, item.output, fitted).features
    return [answer[name] for name in ANSWER_FEATURES]


def weigh(rows: Sequence[Row]) -> Floats:
    """Weigh rows, so that each part has as much, half of it for either label."""
    counts: dict[object, int] = {}
    for row in rows:
        counts[row.part, row.hallucinated] = counts.get((row.part, row.hallucinated), 0) + 1
    return np.array(
        [
            500
            / counts[row.part, row.hallucinated]
            * (QA_PUBLISHED if row.part == ("qa", True) else 1)
            for row in rows
        ]
    )


def fit_outputs(features: Floats, rows: Sequence[Row], names: Sequence[str]) -> dict[str, float]:
    """Fit the weights of the features of outputs, hallucinated or not."""
    scale = features.std(axis=0) + 1e-9
    model = LogisticRegression(C=REGULARISATION, max_iter=3000)
    model.fit(features / scale, [row.hallucinated for row in rows], weigh(rows))
    return dict(zip(names, (model.coef_[0] / scale).tolist(), strict=True))


def fit(rows: Sequence[Row], start: Weights) -> Weights:
    """Fit all weights on rows of the three tasks.

    qa and codemix share the weights of an answer. Each task's intercept is the one with the lowest
    mean of its BenHalluScores on published rows and on contrast rows.

    Args:
        rows: The rows.
        start: Where fitting the weights of locations starts.
    """
    answers = [row for row in rows if row.item.task != "summarization"]
    summaries = [row for row in rows if row.item.task == "summarization"]
    location = fit_location(answers, start)
    fitted = replace(start, location=location)
    intercepts: dict[TaskName, float] = {}
    by_kind = []
    for own, names in ((answers, ANSWER_FEATURES), (summaries, CLAIM_FEATURES)):
        features = features_of(own, fitted)
        by_name = fit_outputs(features, own, names)
        by_kind.append(by_name)
        logits = features @ np.array(list(by_name.values()))
        for task in FITTED:
            mine = np.array([row.item.task == task for row in own])
            if mine.any():
                chosen = [row for row, is_mine in zip(own, mine, strict=True) if is_mine]
                intercepts[task] = -_threshold(logits[mine], chosen)
    return Weights(_provenance(rows), location, by_kind[0], by_kind[1], intercepts)


def _threshold(logits: Floats, rows: Sequence[Row]) -> float:
    """Return the logit from which a row is called hallucinated."""
    hallucinated = np.array([row.hallucinated for row in rows])
    published = np.array([not row.style for row in rows])
    thresholds = np.quantile(logits, np.linspace(0.02, 0.98, 193))
    errors = []
    for threshold in thresholds:
        wrong = (logits >= threshold) != hallucinated
        parts = [
            wrong[(published == part) & (hallucinated == label)]
            for part in (True, False)
            for label in (True, False)
        ]
        errors.append(np.mean([part.mean() for part in parts if len(part)]))
    return float(thresholds[np.array(errors) <= min(errors) + FLAT].max())


def _provenance(rows: Sequence[Row]) -> dict[str, object]:
    parts = {
        f"{task}, {'published' if published else 'contrast set'}": sum(
            row.part == (task, published) for row in rows
        )
        for task in FITTED
        for published in (True, False)
    }
    return {
        "program": "python -m tools.fit_evidence --write",
        "fitted_on": "the first halves of the published files, both tracks, and the split `fit` of "
        "the contrast sets",
        "rows": parts,
        "sources": len({row.source for row in rows}),
    }


def cross_validated(rows: Sequence[Row], start: Weights) -> list[Verdict]:
    """Judge each row by weights fitted on the rows of other sources."""
    verdicts: dict[int, Verdict] = {}
    fitted = start
    for train, test in GroupKFold(FOLDS).split(rows, groups=[row.source for row in rows]):
        fitted = fit([rows[at] for at in train], fitted)
        verdicts |= {int(at): judge_item(rows[at].item, fitted) for at in test}
    return [verdicts[at] for at in range(len(rows))]


def styles_left_out(rows: Sequence[Row], start: Weights) -> None:
    """Print, per style, alarms and detection by weights that saw no row of that style."""
    print("\nEach style of the contrast sets left out: alarms on right outputs, detection")
    for style in sorted({row.style for row in rows if row.style}):
        fitted = fit([row for row in rows if row.style != style], start)
        cells = []
        for task in FITTED:
            mine = [row for row in rows if row.style == style and row.item.task == task]
            said = [(r.hallucinated, judge_item(r.item, fitted).label == "yes") for r in mine]
            right, wrong = (
                [yes for hallucinated, yes in said if hallucinated == of] for of in (False, True)
            )
            cells.append(f"{task} {np.mean(right):5.0%} {np.mean(wrong):5.0%}" if mine else "")
        print(f"  {style:14s}", "   ".join(cells))


def report(title: str, rows: Sequence[Row], verdicts: Sequence[Verdict]) -> None:
    """Print per task and kind of rows: BenHalluScore and its parts, and what is proven."""
    print(f"\n{title}")
    for task in FITTED:
        for is_published in (True, False):
            pairs = zip(rows, verdicts, strict=True)
            mine = [(r, v) for r, v in pairs if r.part == (task, is_published)]
            scores = score(
                np.array([row.hallucinated for row, _ in mine]),
                np.array([verdict.label == "yes" for _, verdict in mine]),
                np.array([row.source for row, _ in mine]),
            )
            bhs = scores.bhs
            proven = [r for r, v in mine if any(f.proven for f in v.findings)]
            false = [row.number for row in proven if not row.hallucinated]
            print(
                f"  {task:14s}{'published' if is_published else 'contrast':10s}"
                f" BHS {bhs.value:5.1f} [{bhs.low:.1f}, {bhs.high:.1f}]"
                f"  alarms {scores.false_alarms.value:6.1%}  found {scores.detection.value:6.1%}"
                f"  proven {len(proven)}, of right rows {false}"
            )


def padded(rows: Sequence[Row]) -> None:
    """Print false alarms on published right answers, bare and with their question around them."""
    for task in ("codemix", "qa"):
        gold = [r.item for r in rows if r.part == (task, True) and not r.hallucinated]
        shapes = {
            "bare": gold,
            "question before": [replace(i, output=f"{i.question} {i.output}") for i in gold],
            "question after": [replace(i, output=f"{i.output}\n{i.question}") for i in gold],
        }
        rates = {
            shape: np.mean([judge_item(item).label == "yes" for item in items])
            for shape, items in shapes.items()
        }
        print(f"  {task:14s}", *(f"{shape} {rate:.1%}" for shape, rate in rates.items()))


def speed(rows: Sequence[Row]) -> None:
    """Print rows per second, from empty caches of texts."""
    for task in FITTED:
        mine = [row.item for row in rows if row.part == (task, True)]
        for cache in (index_evidence, locate_answer):
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
    rows = load()
    if write_anew:
        write(fit(rows, shipped_weights()))
        shipped_weights.cache_clear()
    shipped = shipped_weights()
    report("As shipped", rows, [judge_item(row.item) for row in rows])
    report(f"Cross-validated, {FOLDS} folds by source", rows, cross_validated(rows, shipped))
    styles_left_out(rows, shipped)
    print("\nFalse alarms on published right answers, padded with their question")
    padded(rows)
    print("\nSpeed, one core")
    speed(rows)


if __name__ == "__main__":
    main()
