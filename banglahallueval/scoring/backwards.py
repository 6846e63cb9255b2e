"""Judges whose probabilities rank hallucinated outputs below right ones."""

from __future__ import annotations

from scipy.stats import mannwhitneyu

from banglahallueval.scoring.results import Results

_LEVEL = 0.05


def backwards(found: Results) -> list[str]:
    """Say what an AUROC below ½ means, and of which judges it is more than chance.

    By a one-sided Mann–Whitney test of the probabilities, rows taken as independent.
    """
    sure, unsure = [], []
    for (task, judge), each in found.calibrations.items():
        if each.auroc >= 0.5:
            continue
        p, candidate, _ = found.probabilities((task, judge))
        chance = mannwhitneyu(p[candidate], p[~candidate], alternative="less").pvalue
        if chance < _LEVEL:
            sure.append(f"{judge} on {task} {each.auroc:.3f}, turned round {1 - each.auroc:.3f}")
        else:
            unsure.append(f"{judge} on {task} {each.auroc:.3f}, {each.rows:,} rows")
    said = []
    if sure or unsure:
        said.append(
            "AUROC below 0.5: the probabilities rank hallucinated outputs below right ones."
        )
    if sure:
        said.append(f"{'; '.join(sure)}: check which way the labels point, and the prompt.")
    if unsure:
        said.append(f"{'; '.join(unsure)}: may be chance, so read it as no ranking.")
    return said
