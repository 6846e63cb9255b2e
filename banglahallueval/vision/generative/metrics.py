"""What judged descriptions come to: accuracy, types, lengths."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.scoring.clustered import Clusters, Measure, Sample
from banglahallueval.vision.generative.types import JUDGED, TYPES, HallucinationType, Trial

Picture = tuple[str, str]  # what names one: path and key

EDGES: Final = (20, 80)  # words: the published short and long outputs lie to either side of them


@dataclass(frozen=True, slots=True)
class TypeShare:
    """How often descriptions hallucinate in one way; a description may in several.

    Attributes:
        count: Descriptions that do.
        among_hallucinated: Their share of the hallucinated ones, as published.
        among_judged: Their share of all judged ones, as in the specification's recipe.
    """

    count: int
    among_hallucinated: Measure
    among_judged: Measure


@dataclass(frozen=True, slots=True)
class Bin:
    """The judged descriptions of some lengths.

    Attributes:
        low: Least number of words.
        high: The number of words that is too many; None for no end.
        n: How many there are.
        hallucinated: How many of them hallucinate.
        accuracy: Share of those that do not.
    """

    low: int
    high: int | None
    n: int
    hallucinated: int
    accuracy: Measure

    @property
    def name(self) -> str:
        """The bin as an interval: `[20, 80)`."""
        return f"[{self.low}, {'∞' if self.high is None else self.high})"


@dataclass(frozen=True, slots=True)
class Metrics:
    """The descriptions by one prompt; what is undefined is nan.

    Attributes:
        prompt: What the prompt is called.
        outputs: All of them.
        pictures: Pictures that they are of.
        described: Those that are descriptions.
        judged: Those with a verdict: all figures are of these.
        hallucinated: Those judged to hallucinate.
        untyped: Those among the hallucinated whose types are not known.
        cut: Judged descriptions that their budget ended.
        reasons: Why the others were not judged, most frequent first.
        coverage: Share of the outputs that are judged.
        accuracy: Share of the judged without hallucination.
        words: Mean number of words of the judged; without an interval where all have as many.
        types: By type. Shares of the hallucinated leave out the untyped.
        bins: By length.
    """

    prompt: str
    outputs: int
    pictures: int
    described: int
    judged: int
    hallucinated: int
    untyped: int
    cut: int
    reasons: tuple[tuple[str, int], ...]
    coverage: Measure
    accuracy: Measure
    words: Measure
    types: dict[HallucinationType, TypeShare]
    bins: tuple[Bin, ...]

    @property
    def clean(self) -> int:
        """Judged descriptions without hallucination."""
        return self.judged - self.hallucinated


def measure(trials: Iterable[Trial], edges: Sequence[int] = EDGES) -> tuple[Metrics, ...]:
    """Compute the metrics of each prompt; the order of trials makes no difference within one.

    Args:
        trials: The results, of any number of prompts.
        edges: Where a bin of lengths ends and the next begins, in words, ascending.
    """
    by_prompt: dict[str, list[Trial]] = {}
    for trial in trials:
        by_prompt.setdefault(trial.prompt, []).append(trial)
    every = (trial for group in by_prompt.values() for trial in group)
    clusters = Clusters(map(_picture, every))
    return tuple(_metrics(name, group, edges, clusters) for name, group in by_prompt.items())


def _picture(trial: Trial) -> Picture:
    """Name the picture, which out-of-domain items share."""
    return (trial.item.image, trial.item.key)


def _metrics(
    prompt: str, trials: Sequence[Trial], edges: Sequence[int], clusters: Clusters[Picture]
) -> Metrics:
    bounds = list(zip((0, *edges), (*edges, None), strict=True))
    sample = Sample(clusters, [*map(_picture, trials)], _columns(trials, bounds))

    def count(name: str) -> int:
        return int(sample.total(name))

    return Metrics(
        prompt=prompt,
        outputs=len(trials),
        pictures=sample.sources("all"),
        described=count("described"),
        judged=count("judged"),
        hallucinated=count("hallucinated"),
        untyped=count("judged") - count("typed"),
        cut=count("cut"),
        reasons=_reasons(trials),
        coverage=sample.share("judged", "all"),
        accuracy=sample.share("clean", "judged"),
        words=_bare_if_equal(sample.ratio("words", "judged")),
        types={
            name: TypeShare(
                count(name), sample.share(name, "typed hallucinated"), sample.share(name, "judged")
            )
            for name in TYPES
        },
        bins=tuple(
            Bin(
                low,
                high,
                count(f"from {low}"),
                count(f"from {low}") - count(f"clean from {low}"),
                sample.share(f"clean from {low}", f"from {low}"),
            )
            for low, high in bounds
        ),
    )


def _bare_if_equal(mean: Measure) -> Measure:
    """Take the interval off a mean of equal numbers, whose bound is that of a share."""
    if mean.method != "Wilson bound":
        return mean
    return Measure(mean.value, math.nan, math.nan, mean.rows)


def _columns(
    trials: Sequence[Trial], bounds: Sequence[tuple[int, int | None]]
) -> dict[str, Floats]:
    """Make the columns whose sums the metrics are made of."""

    def flags(values: Iterable[bool]) -> Floats:
        return np.fromiter(values, dtype=float)

    judged = flags(trial.judgement.outcome in JUDGED for trial in trials)
    clean = flags(trial.judgement.outcome == "clean" for trial in trials)
    typed = flags(trial.is_typed for trial in trials)
    words = np.array([trial.words for trial in trials], dtype=float)
    columns: dict[str, Floats] = {
        "all": np.ones(len(trials)),
        "described": flags(bool(trial.description.text) for trial in trials),
        "judged": judged,
        "clean": clean,
        "hallucinated": judged - clean,
        "typed": typed,
        "typed hallucinated": typed - clean,
        "cut": judged * flags(trial.description.is_cut for trial in trials),
        "words": judged * words,
    }
    for name in TYPES:
        columns[name] = flags(name in trial.judgement.types for trial in trials)
    for low, high in bounds:
        within = judged * (words >= low) * (words < (math.inf if high is None else high))
        columns |= {f"from {low}": within, f"clean from {low}": within * clean}
    return columns


def _reasons(trials: Iterable[Trial]) -> tuple[tuple[str, int], ...]:
    """Count why descriptions are not judged, or not typed."""
    reasons = Counter(
        f"{trial.judgement.outcome}: {trial.judgement.reason}"
        for trial in trials
        if not trial.is_typed
    )
    return tuple(sorted(reasons.items(), key=lambda each: (-each[1], each[0])))
