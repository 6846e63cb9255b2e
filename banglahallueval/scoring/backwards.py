"""Judges whose probabilities rank hallucinated outputs below right ones."""

from __future__ import annotations

from scipy.stats import mannwhitneyu

from banglahallueval.scoring.results import Results

_LEVEL = 0.05


def backwards(found: Results) -> list[str]:
    """Say of each AUROC below ½ what it means, or that chance explains it.

    By a one-sided Mann–Whitney test of the probabilities, rows taken as independent.
    """
    said = []
    for (task, judge), each in found.calibrations.items():
        if each.auroc >= 0.5:
            continue
        p, candidate, _ = found.probabilities((task, judge))
        chance = mannwhitneyu(p[candidate], p[~candidate], alternative="less").pvalue
        meaning = (
            f"{judge} on {task}: AUROC {each.auroc:.3f} is below 0.5, so its probabilities rank "
            "hallucinated outputs below right ones"
        )
        said.append(
            f"{meaning}; turned round it would be {1 - each.auroc:.3f}. Check which way its "
            "labels point, and the prompt."
            if chance < _LEVEL
            else f"{meaning}, but on {each.rows:,} rows that may be chance: read it as no ranking."
        )
    return said
