"""How soft labels of two sides go together, as the scorer of Mu-SHROOM has it.

Source: Vázquez et al. 2025 (SemEval-2025 task 3) and its scorer.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr

from banglahallueval.scoring.bootstrap import Floats

_DIGITS = 8  # to which the official scorer compares probabilities


def correlation(gold: npt.ArrayLike, predicted: npt.ArrayLike) -> float:
    """Compute Spearman's ρ over the characters of one answer, -1 to 1.

    It is undefined where either side is constant; then it is 1 if both are, even at different
    values, and else 0, as in the official scorer.

    Raises:
        ValueError: If the two differ in length.
    """
    one, other = np.asarray(gold, dtype=float), np.asarray(predicted, dtype=float)
    if one.shape != other.shape:
        raise ValueError(f"{len(one)} and {len(other)} characters cannot be compared")
    constant = [_is_constant(side) for side in (one, other)]
    if any(constant):
        return float(all(constant))
    return float(spearmanr(one, other).statistic)


def _is_constant(values: Floats) -> bool:
    return len(np.unique(np.round(values, _DIGITS))) <= 1
