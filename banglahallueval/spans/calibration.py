"""From which score on to mark a character: one threshold per language and detector.

Source: Rykov et al. 2025 (PsiloQA) and its released code: fitted on validation, reported on test.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from banglahallueval.errors import UsageError
from banglahallueval.scoring.bootstrap import SEED, Floats
from banglahallueval.spans.characters import Characters
from banglahallueval.spans.offsets import runs
from banglahallueval.spans.sources import halves
from banglahallueval.spans.types import Detection, Sample

T = TypeVar("T")

NO_THRESHOLD = "no threshold: nothing to fit it to has a result"
STEPS = 2000  # of the grid between the lowest and the highest score
_CELLS = 1_000_000  # counted at a time: answers times thresholds
_DIGITS = 12  # to which two mean IoUs are compared, so that rounding decides nothing


@dataclass(frozen=True, slots=True)
class Threshold:
    """A fitted threshold.

    Attributes:
        value: Characters that score this or more are marked.
        iou: Mean IoU that it reaches on the answers it was fitted to.
        answers: How many these were.
    """

    value: float
    iou: float
    answers: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A detector's results with fitted thresholds.

    Attributes:
        places: The answers to report on, as places among the test samples.
        detections: What is found in each of these, marked from the threshold on.
        thresholds: Per language; none for one in which no answer to fit it to has a result. There
            the detector's own spans stand; one that has scores alone has no result.
        note: Where the thresholds come from, for the report.
    """

    places: tuple[int, ...]
    detections: tuple[Detection, ...]
    thresholds: Mapping[str, Threshold]
    note: str


def calibrate(
    test: Sequence[Sample],
    found: Sequence[Detection],
    validation: Sequence[Sample] = (),
    found_in_validation: Sequence[Detection] = (),
    *,
    own_spans: bool = True,
    seed: int = SEED,
) -> Calibrated:
    """Fit one detector's thresholds per language, and mark the test answers by them.

    A language that has no answers in validation has its threshold fitted on one half of its test
    sources, drawn by the seed, and is reported on the other half; these halves are the same for
    all detectors.

    Args:
        test: The answers to mark.
        found: What the detector found in them.
        validation: The answers to fit thresholds to.
        found_in_validation: What it found in these.
        own_spans: Whether it marks spans itself; where it does not, an answer of a language without
            a threshold has no result.
        seed: Of the halves.

    Raises:
        UsageError: If a language without validation answers cannot be halved.
    """
    groups = _by_language(validation)
    thresholds: dict[str, Threshold] = {}
    reported: list[int] = []
    halved = []
    languages = _by_language(test)
    for language, places in languages.items():
        if fitted_on := groups.get(language):
            samples, detections = _at(validation, fitted_on), _at(found_in_validation, fitted_on)
        else:
            first, second = halves(_at(test, places), seed)
            if not second:
                raise UsageError(
                    f"the answers of {language or 'no language'!r} come from one source, so no "
                    "half of them is left to fit a threshold on; name a validation file, or use "
                    "the detector's own spans"
                )
            fitting = [places[at] for at in first]
            places = [places[at] for at in second]
            samples, detections = _at(test, fitting), _at(found, fitting)
            halved.append(language)
        # A detector may have no result in a whole language, as one that checks calculations.
        if any(detection.scores for detection in detections):
            thresholds[language] = fit(samples, detections)
        reported += places
    reported.sort()
    marked = tuple(
        _settled(found[at], thresholds.get(test[at].language), own_spans) for at in reported
    )
    return Calibrated(tuple(reported), marked, thresholds, _note(languages, halved, seed))


def fit(samples: Sequence[Sample], detections: Sequence[Detection]) -> Threshold:
    """Find the threshold with the highest mean IoU over the answers of one language.

    Of equally good ones, the lowest. Answers without a result are left out.

    Raises:
        UsageError: If no answer has a result with scores.
    """
    kept = [(s, d) for s, d in zip(samples, detections, strict=True) if not d.failure]
    if not any(detection.scores for _, detection in kept):
        raise UsageError(
            f"no answer of {samples[0].language or 'no language'!r} has character scores to fit a "
            "threshold to; use the detector's own spans"
        )
    characters = Characters.of([s for s, _ in kept], [d for _, d in kept])
    thresholds = grid(characters.scores)
    means = mean_ious(characters, thresholds)
    best = int(np.argmax(np.round(means, _DIGITS)))
    return Threshold(float(thresholds[best]), float(means[best]), len(kept))


def grid(scores: Floats) -> Floats:
    """List the thresholds to try, as the paper does: 2,000 from the lowest score on.

    The highest score is not among them, as in the paper: the last threshold is a step of 1/2000 of
    the range below it, so published numbers are reproduced. Where all scores are equal, on which
    the paper's code breaks off, the one threshold is that score: it marks every character.
    """
    low, high = float(scores.min()), float(scores.max())
    step = (high - low) / STEPS
    if not 0 < step < np.inf:  # equal, or so near or far that floating point has no step
        return np.array([low])
    return np.arange(low, high, step)


def mean_ious(characters: Characters, thresholds: Floats) -> Floats:
    """Compute the mean IoU over answers at each of some rising thresholds.

    Each character is counted once, by how many thresholds it reaches; sums from the highest down
    then give what is marked at each.
    """
    total = np.zeros(len(thresholds))
    gold = characters.per_answer(characters.gold)[:, None]
    for answers, marked, hits in _marked(characters, thresholds):
        union = gold[answers] + marked - hits
        total += np.divide(hits, union, out=np.ones_like(union), where=union > 0).sum(axis=0)
    return total / characters.answers


def _marked(characters: Characters, thresholds: Floats) -> Iterator[tuple[slice, Floats, Floats]]:
    """Count marked characters, and gold ones among them, per answer and threshold, in blocks."""
    reached = np.searchsorted(thresholds, characters.scores, side="right")
    width = len(thresholds) + 1
    block = max(1, _CELLS // width)
    for start in range(0, characters.answers, block):
        answers = slice(start, min(start + block, characters.answers))
        chars = slice(characters.bounds[answers.start], characters.bounds[answers.stop])
        cell = (characters.answer[chars] - start) * width + reached[chars]
        counts = [
            np.bincount(which, minlength=(answers.stop - start) * width)
            .reshape(-1, width)[:, :0:-1]
            .cumsum(axis=1)[:, ::-1]
            .astype(float)
            for which in (cell, cell[characters.gold[chars]])
        ]
        yield answers, counts[0], counts[1]


def mark(detection: Detection, threshold: float) -> Detection:
    """Replace the spans of a detection by the characters that reach a threshold."""
    if detection.failure:
        return detection
    return replace(detection, spans=runs(np.asarray(detection.scores) >= threshold))


def _settled(detection: Detection, threshold: Threshold | None, own_spans: bool) -> Detection:
    """Mark a detection from a threshold on; without one its own spans stand, where it has some."""
    if threshold is not None:
        return mark(detection, threshold.value)
    if own_spans or detection.failure:
        return detection
    return Detection(failure=NO_THRESHOLD)


def _at(items: Sequence[T], places: Sequence[int]) -> list[T]:
    return [items[at] for at in places]


def _by_language(samples: Sequence[Sample]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, sample in enumerate(samples):
        places.setdefault(sample.language, []).append(place)
    return places


def _note(languages: Collection[str], halved: Sequence[str], seed: int) -> str:
    if not halved:
        return "thresholds fitted on validation, per language"
    names = ", ".join(language or "no language" for language in sorted(halved))
    half = (
        f"no validation split for {names}: thresholds fitted on half of the sources (seed {seed}), "
        "scores are those of the other half"
    )
    return half if len(halved) == len(languages) else f"{half}; else fitted on validation"
