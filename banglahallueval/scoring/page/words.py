"""What to take from the figures of the results, in plain sentences made from their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from banglahallueval.scoring.calibration import own_confidence, risk_coverage
from banglahallueval.scoring.compare import Comparison
from banglahallueval.scoring.page.error_words import error_words, pattern_words, unknown_words
from banglahallueval.scoring.rates import Rate
from banglahallueval.scoring.results import Results

_CHANCE = 50  # BHS of a judge that guesses
_LEVEL = 0.05  # corrected p below which a difference is called one
_WIDE = 10  # BHS points between the ends of an interval that tell little
_FEW = 3  # names that a sentence has room for


def plain_words(found: Results) -> dict[str, list[str]]:
    """Make the sentences under each figure, and under the table of comparisons, by its name."""
    makers: Mapping[str, Callable[[Results], Iterator[str]]] = {
        "bhs": _bhs,
        "errors": error_words,
        "patterns": pattern_words,
        "unknown": unknown_words,
        "comparisons": _comparisons,
        "risk_coverage": _risk_coverage,
        "calibration": _calibration,
        "agreement": _agreement,
    }
    return {name: list(make(found)) for name, make in makers.items()}


def _bhs(found: Results) -> Iterator[str]:
    pairs = {(each.task, frozenset((each.a, each.b))): each for each in found.comparisons}
    for task, judges in _by_task(found).items():
        (best, lowest), *others = judges
        said = f"{task}: "
        if others:
            said += f"{best} has the lowest BHS ({_value(lowest)}); "
            compared = [(other, pairs.get((task, frozenset((best, other))))) for other, _ in others]
            said += _lead(compared)
        else:
            said += f"{best} has BHS {_value(lowest)}"
        said += f"; {_against_chance(judges)}."
        if lowest.high - lowest.low > _WIDE:
            said += (
                f" With {lowest.rows:,} rows the interval is {lowest.high - lowest.low:.0f} points "
                "wide: too little data to tell close judges apart."
            )
        yield said


def _by_task(found: Results) -> dict[str, list[tuple[str, Rate]]]:
    """Give the judges that have a BHS, per task, lowest first."""
    of_tasks: dict[str, list[tuple[str, Rate]]] = {}
    for (task, judge), scores in found.scores.items():
        if scores.bhs.rows:
            of_tasks.setdefault(task, []).append((judge, scores.bhs))
    return {task: sorted(of, key=lambda each: each[1].value) for task, of in of_tasks.items()}


def _lead(compared: Sequence[tuple[str, Comparison | None]]) -> str:
    """Say which judges the best one cannot be told apart from, given its comparison with each."""
    near = [judge for judge, pair in compared if pair is None or not pair.bhs_holm < _LEVEL]
    if not near:
        return "lower than every other judge's beyond chance"
    return f"these rows do not show that it beats {_names(near)}"


def _against_chance(judges: Sequence[tuple[str, Rate]]) -> str:
    worse = [name for name, bhs in judges if bhs.low > _CHANCE]
    unclear = [name for name, bhs in judges if bhs.low <= _CHANCE <= bhs.high]
    said = []
    if unclear:
        said.append(f"{_names(unclear)} may be no better than guessing ({_CHANCE})")
    if worse:
        said.append(f"worse than guessing ({_CHANCE}): {_names(worse)}")
    return (
        ", and ".join(said)
        or f"{'all ' if len(judges) > 1 else ''}better than guessing ({_CHANCE})"
    )


def _comparisons(found: Results) -> Iterator[str]:
    pairs = [each for each in found.comparisons if not np.isnan(each.bhs_holm)]
    if not pairs:
        return
    apart = [each for each in pairs if each.bhs_holm < _LEVEL]
    yield (
        f"{len(apart)} of {len(pairs)} pairs of judges differ in BHS beyond chance (corrected "
        f"p below {_LEVEL}); of the others these rows cannot say who is better."
    )
    if apart:
        most = max(apart, key=lambda each: abs(each.difference.value))
        better, worse = (most.a, most.b) if most.difference.value < 0 else (most.b, most.a)
        yield (
            f"The largest such difference: {better} over {worse} on {most.task}, by "
            f"{abs(most.difference.value):.1f} points of BHS."
        )


def _risk_coverage(found: Results) -> Iterator[str]:
    drops = []
    for task, judge in found.calibrations:
        coverage, risk = risk_coverage(*own_confidence(*found.probabilities((task, judge))))
        if len(coverage):
            half = float(risk[np.searchsorted(coverage, 0.5)])
            drops.append((float(risk[-1]) - half, half, float(risk[-1]), judge, task))
    if not drops:
        return
    gain, half, whole, judge, task = max(drops)
    if gain > 0:
        yield (
            f"Keeping only the surest half of its labels helps {judge} on {task} most: "
            f"{100 * half:.0f} % of them are wrong rather than {100 * whole:.0f} %."
        )
    idle = [f"{judge} on {task}" for gain, *_, judge, task in drops if gain <= 0]
    if idle:
        yield f"The surest half has no fewer wrong labels for {_names(idle)}."


def _calibration(found: Results) -> Iterator[str]:
    off = sorted((each.ece, at) for at, each in found.calibrations.items())
    for (error, at), which in zip(
        dict.fromkeys((off[0], off[-1])) if off else (), ("closest", "farthest"), strict=False
    ):
        p, candidate, _ = found.probabilities(at)
        shift = float(p.mean() - candidate.mean())
        which = f" ({which})" if len(off) > 1 else ""
        yield (
            f"{at[1]} on {at[0]}{which}: p_hallucinated lies {100 * error:.0f} points from the "
            f"share of candidates on average, and over all rows {100 * abs(shift):.0f} points "
            f"{'above' if shift > 0 else 'below'} it ({len(p):,} rows)."
        )


def _agreement(found: Results) -> Iterator[str]:
    pairs = [
        (kappa, f"{a} and {b} on {task}")
        for task, each in found.agreements.items()
        for (a, b), kappa in each.pairs.items()
        if not np.isnan(kappa.value)
    ]
    if not pairs:
        return
    pairs.sort(key=lambda pair: -pair[0].value)
    (most, where), *others = pairs
    yield (
        f"{where} agree{' most' if others else ''} with κ {_value(most, 2)}, {most.rows:,} rows; "
        "0 is chance, 1 full."
    )
    if others:
        least, where = others[-1]
        yield f"{where} agree least, with κ {_value(least, 2)}, {least.rows:,} rows."
    chance = [where for kappa, where in pairs if kappa.low <= 0 <= kappa.high]
    if chance:
        yield f"The interval of κ reaches 0, so it may be chance, for {_names(chance)}."
    below = [where for kappa, where in pairs if kappa.high < 0]
    if below:
        yield f"κ lies below 0, so they agree less often than by chance: {_names(below)}."


def _value(rate: Rate, places: int = 1) -> str:
    return f"{rate.value:.{places}f} [{rate.low:.{places}f}, {rate.high:.{places}f}]"


def _names(names: Sequence[str]) -> str:
    if len(names) > _FEW:
        return f"{', '.join(names[:_FEW])} and {len(names) - _FEW} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
