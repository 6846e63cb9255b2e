"""Label leaks: surface features that separate candidates from gold outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import regex
from sklearn.metrics import roc_auc_score

from banglahallueval.audit.checks import Check, fold
from banglahallueval.audit.sides import Side

_BENGALI = regex.compile(r"\p{Bengali}")
_WORD = regex.compile(r"[\p{L}\p{M}\p{Nd}]+")
_LEAK = 0.1  # distance from ½ at which the AUROC of a meaningless feature needs attention


def check_leaks(sides: Sequence[Side]) -> Iterator[Check]:
    """Measure how well each surface feature alone separates candidates from gold outputs.

    Args:
        sides: A main and candidates pair, or candidates with their gold outputs beside them; of
            anything else there is nothing to compare.
    """
    candidates = next((side for side in sides if side.layout.track == "candidates"), None)
    if candidates is None:
        return
    if len(sides) == 2:
        main = next(side for side in sides if side is not candidates)
        gold, evidence = main.outputs, [item.evidence for item in main.items]
        where = "both"
    elif candidates.gold is not None:
        # One file holds each gold output once per candidate; once is enough.
        once = dict(zip(candidates.gold, (item.evidence for item in candidates.items), strict=True))
        gold, evidence = list(once), list(once.values())
        where = candidates.name
    else:
        return
    outputs = [*gold, *candidates.outputs]
    evidence += [item.evidence for item in candidates.items]
    truth = np.arange(len(outputs)) >= len(gold)
    for name, measure in _FEATURES.items():
        values = [measure(text, given) for text, given in zip(outputs, evidence, strict=True)]
        auroc = float(roc_auc_score(truth, values))
        # Overlap with the evidence is what a judge should go by; the others mean nothing.
        warning = abs(auroc - 0.5) > _LEAK and measure is not _overlap
        yield Check(where, name, auroc=auroc, warning=warning)


def _length(text: str, _: str) -> float:
    return len(text)


def _bengali_share(text: str, _: str) -> float:
    letters = sum(char.isalpha() for char in text)
    return sum(bool(_BENGALI.match(char)) and char.isalpha() for char in text) / max(letters, 1)


def _final_lines(text: str, _: str) -> float:
    return text.count("####")


def _calculations(text: str, _: str) -> float:
    return text.count("<<")


def _overlap(text: str, evidence: str) -> float:
    words = set(_WORD.findall(fold(text)))
    return len(words & set(_WORD.findall(fold(evidence)))) / max(len(words), 1)


# Each takes an output and its evidence.
_FEATURES: dict[str, Callable[[str, str], float]] = {
    "length alone tells": _length,
    "script alone tells (share of Bengali letters)": _bengali_share,
    "#### alone tells": _final_lines,
    "<<…>> alone tells": _calculations,
    "word overlap with the evidence alone tells": _overlap,
}
