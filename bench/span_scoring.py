"""How long span scores take: thresholds fitted and every metric, beside a plain implementation.

    python bench/span_scoring.py [--answers 3000] [--characters 300] [--plain 20]

The plain implementation builds a set of marked characters per answer and threshold, and calls
scikit-learn for each answer; it runs over a few answers, and its time is scaled up.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.metrics import average_precision_score

from banglahallueval.spans.calibration import STEPS, fit
from banglahallueval.spans.characters import Characters
from banglahallueval.spans.metrics import average_precisions
from banglahallueval.spans.offsets import mask, runs
from banglahallueval.spans.results import evaluate
from banglahallueval.spans.types import Detection, Sample


def made(answers: int, characters: int) -> tuple[list[Sample], list[Detection]]:
    """Make answers with spans of words, and scores that are higher there."""
    rng = np.random.default_rng(1)
    samples, detections = [], []
    for number in range(answers):
        length = int(rng.integers(characters // 2, characters * 3 // 2))
        gold = np.repeat(rng.random(length // 8 + 1) < 0.2, 8)[:length]
        scores = np.repeat(rng.random(length // 4 + 1), 4)[:length] + 0.3 * gold
        samples.append(Sample(str(number), "ক" * length, runs(gold), language="bn"))
        detections.append(Detection(tuple(scores.tolist())))
    return samples, detections


def plain_fit(samples: list[Sample], detections: list[Detection]) -> tuple[float, float]:
    """Fit a threshold with a loop over answers and thresholds."""
    every = [score for detection in detections for score in detection.scores]
    low, high = min(every), max(every)
    thresholds = np.arange(low, high, (high - low) / STEPS)
    rows = []
    for sample, detection in zip(samples, detections, strict=True):
        gold = {at for start, end in sample.spans or () for at in range(start, end)}
        scores = np.array(detection.scores)
        row = []
        for threshold in thresholds:
            found = set(np.flatnonzero(scores >= threshold).tolist())
            row.append(len(gold & found) / len(gold | found) if gold or found else 1.0)
        rows.append(row)
    means = np.array(rows).mean(axis=0)
    return float(thresholds[means.argmax()]), float(means.max())


def plain_precision(samples: list[Sample], detections: list[Detection]) -> float:
    """Call scikit-learn for each answer."""
    with warnings.catch_warnings(action="ignore"):
        return float(
            np.mean(
                [
                    average_precision_score(mask(s.spans or (), len(s.answer)), d.scores)
                    for s, d in zip(samples, detections, strict=True)
                ]
            )
        )


def timed(call: Callable[[], object]) -> tuple[float, object]:
    """Run a call; give its seconds and its result."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def main() -> None:
    """Measure both implementations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--answers", type=int, default=3000)
    parser.add_argument("--characters", type=int, default=300)
    parser.add_argument("--plain", type=int, default=20, help="answers for the plain one")
    args = parser.parse_args()
    samples, detections = made(args.answers, args.characters)
    few, found = samples[: args.plain], detections[: args.plain]
    scale = len(samples) / len(few)

    own, _ = timed(lambda: fit(samples, detections))
    plain, expected = timed(lambda: plain_fit(few, found))
    threshold = fit(few, found)
    print(f"threshold: {own:6.2f} s; plain {plain * scale:,.0f} s (from {len(few)} answers)")
    print(f"  on these {len(few)}: {(threshold.value, threshold.iou)}; plain {expected}")

    own, precision = timed(lambda: average_precisions(Characters.of(samples, detections)).mean())
    plain, expected = timed(lambda: plain_precision(samples, detections))
    print(f"average precision: {own:6.2f} s, {precision}; plain {plain:.2f} s, {expected}")

    own, _ = timed(lambda: evaluate(samples, {"made": detections}))
    print(f"every metric of 3 detectors, with intervals: {own:6.2f} s")


if __name__ == "__main__":
    main()
