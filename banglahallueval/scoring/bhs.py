"""BenHalluScore, the benchmark's headline figure."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from banglahallueval.scoring.bootstrap import Floats

Number = TypeVar("Number", float, Floats)

WEIGHT = 50  # of each error rate: half, times 100


def bhs(false_alarm_rate: Number, detection_rate: Number) -> Number:
    """Compute BenHalluScore: ½ · (false-alarm rate + miss rate) · 100; lower is better.

    Source: the BenHalluEval paper (arXiv 2605.31483): ½ · (A-err + B-err) · 100, where A-err is the
    share of main rows judged `yes` and B-err the share of candidates not judged `yes`.

    Args:
        false_alarm_rate: Share of main rows judged `yes`, 0 to 1.
        detection_rate: Share of candidates judged `yes`, 0 to 1; the miss rate is the rest.

    Returns:
        The score, 0 to 100.
    """
    return WEIGHT * (false_alarm_rate + 1 - detection_rate)


def bhs_of_rows(candidate: npt.NDArray[np.bool_], yes: npt.NDArray[np.bool_]) -> float:
    """Compute BHS of rows that hold both tracks.

    Args:
        candidate: Whether a row is a candidate.
        yes: Whether it was judged `yes`.
    """
    return bhs(float(yes[~candidate].mean()), float(yes[candidate].mean()))
