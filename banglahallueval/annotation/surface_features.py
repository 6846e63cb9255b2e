"""The outside of an output: what tells gold from candidate without reading for truth."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import regex
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from banglahallueval.annotation.forms import Form

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

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_PUNCTUATION = regex.compile(r"[\p{P}\p{S}]")
_LATIN = regex.compile(r"\p{Latin}")
_DIGIT = regex.compile(r"\p{Nd}")


def features(form: Form, texts: Mapping[str, str]) -> list[float]:
    """The surface of one item's output, in the order of `FEATURES`.

    Lengths are logarithms of code points or counts, the rest counts or shares of 0 to 1.

    Args:
        form: A form of a task.
        texts: The item's texts by field name, as they are shown.
    """
    output = texts[form.names("output")[-1]]
    evidence = texts[form.names("evidence")[0]]
    question = texts.get("question", texts.get("problem", ""))
    words = _WORD.findall(output)
    asked = set(_WORD.findall(question))
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
        sum(word in asked for word in words) / max(1, len(words)),
        float(np.log(length / max(1, len(evidence)))),
    ]


def propensities(values: Floats, candidate: npt.NDArray[np.bool_], seed: int) -> Floats:
    """How much each output looks like a candidate, as log-odds guessed by a model not fitted on it.

    Propensity scores: rows with equal scores are, on the whole, equal in all features (Rosenbaum &
    Rubin 1983). With fewer than two rows of a track nothing can be learnt and all scores are 0.

    Args:
        values: Features, one row per output.
        candidate: Whether each output is a candidate.
        seed: Seed of the split into folds.
    """
    labels = candidate.astype(int)
    folds = min(5, int(np.bincount(labels, minlength=2).min()))
    if folds < 2:
        return np.zeros(len(labels))
    split = StratifiedKFold(folds, shuffle=True, random_state=seed)
    model = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    scores: Floats = cross_val_predict(model, values, labels, cv=split, method="decision_function")
    return scores
