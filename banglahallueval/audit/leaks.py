"""Label leaks: surface features that separate candidates from gold outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import regex

from banglahallueval.audit.checks import FEW, LEAK, Check
from banglahallueval.audit.intervals import Floats, separation
from banglahallueval.audit.outputs import Outputs
from banglahallueval.audit.sides import fold
from banglahallueval.tasks import Item
from banglahallueval.text.bangla import closing_mark

_BENGALI = regex.compile(r"(?=\p{L})\p{Bengali}")
_LETTER = regex.compile(r"\p{L}")
_WORD = regex.compile(r"[\p{L}\p{M}\p{Nd}]+")
_MARK = regex.compile(r"(?<=\S\s*)[।॥,?!;](?!\S)|(?<=\S)[।॥?!](?=\S)")
_SPACED_MARK = regex.compile(r"(?<=\S)\s+[।॥,?!;](?!\S)")
_QUOTES = regex.compile('["“”‘’«»]')


def check_leaks(outputs: Outputs) -> Iterator[Check]:
    """Measure how well each surface feature alone separates candidates from gold outputs."""
    raw_finals = [float(cell.count("####")) for cell in outputs.cells]
    yield _check(outputs, "#### alone tells", np.array(raw_finals))
    for name, measure in _FEATURES.items():
        yield _check(outputs, name, _measured(outputs, measure))
    overlap = _check(
        outputs, "word overlap with the evidence alone tells", _measured(outputs, _overlap)
    )
    # This is what a judge should go by; the others mean nothing.
    yield Check(
        overlap.where, overlap.name, auroc=overlap.auroc, low=overlap.low, high=overlap.high
    )


def surface_features(outputs: Outputs) -> Floats:
    """Compute the features that a judge sees and that mean nothing; one row per output."""
    return np.column_stack([_measured(outputs, measure) for measure in _FEATURES.values()])


def _measured(outputs: Outputs, measure: Callable[[Item], float]) -> Floats:
    return np.array([measure(item) for item in outputs.items], dtype=np.float64)


def _check(outputs: Outputs, name: str, values: Floats) -> Check:
    found = separation(values[None, :], outputs.truth, outputs.draws)
    shares = [float((values[track] > 0).mean()) for track in (outputs.truth, ~outputs.truth)]
    # A mark that few outputs of one track bear has a low AUROC, and gives all of those away.
    is_mark = abs(shares[0] - shares[1]) > FEW
    is_shown = not found.low <= 0.5 <= found.high
    return Check(
        outputs.where,
        name,
        auroc=found.auroc,
        low=found.low,
        high=found.high,
        warning=is_shown and (abs(found.auroc - 0.5) > LEAK or is_mark),
        detail=f"in {shares[0]:.0%} of candidates, {shares[1]:.0%} of gold" if is_mark else "",
    )


def _length(item: Item) -> float:
    return float(np.log1p(len(item.output.strip())))


def _bengali_share(item: Item) -> float:
    return len(_BENGALI.findall(item.output)) / max(len(_LETTER.findall(item.output)), 1)


def _closing_mark(item: Item) -> float:
    return float(bool(closing_mark(item.output)))


def _spaced_marks(item: Item) -> float:
    spaced = len(_SPACED_MARK.findall(item.output))
    return spaced / max(len(_MARK.findall(item.output)), spaced, 1)


def _bold(item: Item) -> float:
    return item.output.count("**")


def _quotes(item: Item) -> float:
    return len(_QUOTES.findall(item.output))


def _lines(item: Item) -> float:
    return item.output.strip().count("\n")


def _calculations(item: Item) -> float:
    return item.output.count("<<")


def _overlap(item: Item) -> float:
    words = set(_WORD.findall(fold(item.output)))
    return len(words & set(_WORD.findall(fold(item.evidence)))) / max(len(words), 1)


_FEATURES: dict[str, Callable[[Item], float]] = {
    "length alone tells": _length,
    "script alone tells (share of Bengali letters)": _bengali_share,
    "closing mark alone tells": _closing_mark,
    "space before marks alone tells": _spaced_marks,
    "bold alone tells": _bold,
    "quotation marks alone tell": _quotes,
    "line breaks alone tell": _lines,
    "<<…>> alone tells": _calculations,
}
