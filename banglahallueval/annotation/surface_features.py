"""Surface features of an output: what separates gold from candidates without judging truth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import regex
from rapidfuzz import fuzz
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from banglahallueval.annotation.forms import Form, Sheet

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

FEATURES = (
    "length",
    "words",
    "lines",
    "word length",
    "closing mark",
    "#### line",
    "bold marks",
    "punctuation",
    "commas",
    "Latin letters",
    "digits",
    "calculations",
    "words of the question",
    "length against the evidence",
)
SHEET_FEATURES = (
    *FEATURES,
    "place in the sheet",
    "rows with the same evidence",
    "similarity to outputs with the same evidence",
    "length against outputs with the same evidence",
)

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_PUNCTUATION = regex.compile(r"[\p{P}\p{S}]")
_LATIN = regex.compile(r"\p{Latin}")
_DIGIT = regex.compile(r"\p{Nd}")


def item_features(form: Form, texts: Mapping[str, str]) -> list[float]:
    """Compute the features of one item's output, in the order of `FEATURES`.

    Lengths are logarithms of code points or counts, the rest counts or shares of 0 to 1.

    Args:
        form: A form of a task.
        texts: The item's texts by field name, as they are shown.
    """
    output = texts[form.field_names("output")[-1]]
    evidence = texts[form.field_names("evidence")[0]]
    question = texts.get("question", texts.get("problem", ""))
    words = _WORD.findall(output)
    question_words = set(_WORD.findall(question))
    length = max(1, len(output))
    return [
        float(np.log1p(len(output))),
        float(np.log1p(len(words))),
        float(output.count("\n")),
        float(np.mean([len(word) for word in words])) if words else 0.0,
        float(output.rstrip().endswith(("।", ".", "?", "!"))),
        float("####" in output),
        float("**" in output),
        len(_PUNCTUATION.findall(output)) / length,
        float(np.log1p(output.count(","))),
        len(_LATIN.findall(output)) / length,
        len(_DIGIT.findall(output)) / length,
        float(output.count("<<")),
        sum(word in question_words for word in words) / max(1, len(words)),
        float(np.log(length / max(1, len(evidence)))),
    ]


def sheet_features(sheet: Sheet) -> list[list[float]]:
    """Compute the features of each item within its sheet, in the order of `SHEET_FEATURES`.

    Besides its own features, an item has a place, and perhaps neighbours with the same evidence.
    """
    output, evidence = sheet.form.field_names("output")[-1], sheet.form.field_names("evidence")[0]
    outputs_by_evidence: dict[str, list[str]] = defaultdict(list)
    for _, texts in sheet.rows:
        outputs_by_evidence[texts[evidence]].append(texts[output])
    rows = []
    for place, (_, texts) in enumerate(sheet.rows):
        own = texts[output]
        others = list((Counter(outputs_by_evidence[texts[evidence]]) - Counter([own])).elements())
        similarities = [fuzz.ratio(own, other) / 100 for other in others]
        log_lengths = [np.log((1 + len(own)) / (1 + len(other))) for other in others]
        rows.append(
            [
                *item_features(sheet.form, texts),
                place / len(sheet.rows),
                float(len(others)),
                float(np.mean(similarities)) if others else 0.0,
                float(np.mean(log_lengths)) if others else 0.0,
            ]
        )
    return rows


def propensities(features: Floats, is_candidate: Bools, seed: int) -> Floats:
    """Estimate the log-odds that each output is a candidate, by a model not fitted on it.

    Propensity scores: rows with equal scores are, on the whole, equal in all features (Rosenbaum &
    Rubin 1983). With fewer than two rows of a track nothing can be learnt and all scores are 0.

    Args:
        features: One row per output.
        is_candidate: Whether each output is a candidate.
        seed: Seed of the split into folds, from 0.
    """
    labels = is_candidate.astype(int)
    folds = min(5, int(np.bincount(labels, minlength=2).min()))
    if folds < 2:
        return np.zeros(len(labels))
    split = StratifiedKFold(folds, shuffle=True, random_state=sklearn_seed(seed))
    model = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    scores: Floats = cross_val_predict(
        model, features, labels, cv=split, method="decision_function"
    )
    return scores


def sklearn_seed(seed: int) -> int:
    """Reduce a seed to the 32 bits that scikit-learn takes."""
    return seed % 2**32
