"""One judge on a contrast set: does it react to what an output says, or to how it is worded?"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from banglahallueval.scoring.bhs import WEIGHT
from banglahallueval.scoring.bootstrap import SEED, Floats
from banglahallueval.scoring.clustered import UNDEFINED, Clusters, Measure, Sample
from banglahallueval.scoring.contrast_rows import NO_SPLIT
from banglahallueval.scoring.shares import Numbers

SPLITS = ("measure", "fit", "both", NO_SPLIT)  # the headline's first
LEAST = 5  # right outputs that a style needs, to count in the gap
_SHUFFLES = 500


@dataclass(frozen=True, slots=True)
class StyleGap:
    """The largest difference of false alarms between two styles of right outputs.

    Attributes:
        gap: The difference, 0 to 1. Its interval is that of the difference between these two
            styles, of which the choice itself makes the gap too large.
        by_chance: The mean gap after alarms are shuffled among the right outputs of each source:
            what a judge shows to which styles are the same.
        least, most: The styles with the fewest and the most alarms; empty where all styles have
            the same, or there are not two to compare.
    """

    gap: Measure
    by_chance: float
    least: str
    most: str


NO_GAP = StyleGap(UNDEFINED, float("nan"), "", "")


@dataclass(frozen=True, slots=True)
class ContrastScores:
    """One judge on the rows of one task and split.

    Attributes:
        sources: Number of sources.
        bhs: BenHalluScore, 0 to 100; 50 is chance.
        false_alarms: Share of right outputs judged `yes`.
        detection: Share of wrong outputs judged `yes`; unknown is a miss.
        style_gap: How much the style of right outputs decides.
        by_style: False alarms by style of the right outputs.
        by_kind: Detection by what is wrong.
        unknown: Share of rows without a verdict.
    """

    sources: int
    bhs: Measure
    false_alarms: Measure
    detection: Measure
    style_gap: StyleGap
    by_style: dict[str, Measure]
    by_kind: dict[str, Measure]
    unknown: Measure


@dataclass(frozen=True, slots=True)
class ContrastResult:
    """The scores of one judge, with what they are of.

    Attributes:
        task, judge, prompt: Whose labels of what.
        split: One of `SPLITS`; `both` takes fit and measure together.
        scores: The scores.
    """

    task: str
    judge: str
    prompt: str
    split: str
    scores: ContrastScores


def contrast_results(rows: pd.DataFrame) -> list[ContrastResult]:
    """Score all judges on all splits, those without rows left out.

    Args:
        rows: Rows of contrast sets, as `load.Labelled.rows`.
    """
    found = []
    for task, of_task in rows.groupby("task", sort=False):
        for split in SPLITS:
            of_split = _of_split(of_task, split)
            if of_split.empty:
                continue
            # Shared, so that all judges have the same resamples.
            clusters = Clusters(of_split["source"])
            for system, group in of_split.groupby("system", sort=False):
                scores = score_contrast(group, clusters)
                prompt = str(group["prompt"].iloc[0])
                found.append(ContrastResult(str(task), str(system), prompt, split, scores))
    return found


def _of_split(rows: pd.DataFrame, split: str) -> pd.DataFrame:
    if split != "both":
        return rows[rows["split"].eq(split)]
    together = rows[rows["split"].ne(NO_SPLIT)]
    return together if together["split"].nunique() > 1 else together.iloc[:0]


def score_contrast(
    rows: pd.DataFrame, clusters: Clusters[Hashable] | None = None
) -> ContrastScores:
    """Score one judge's rows of one task; unknown counts as not `yes`, as on the benchmark.

    Args:
        rows: `label`, `expected`, `kind`, `style` and `source` of each row.
        clusters: The sources of all judges' rows; None for those of these rows.
    """
    clusters = clusters or Clusters(rows["source"])
    yes = rows["label"].eq("yes")
    wrong = rows["expected"].eq("yes")
    right_rows, wrong_rows = rows[~wrong], rows[wrong]
    columns = {"right": ~wrong, "alarms": ~wrong & yes, "wrong": wrong, "misses": wrong & ~yes}
    sample = Sample(
        clusters,
        list(rows["source"]),
        {name: _floats(column) for name, column in columns.items()},
    )
    bhs = sample.sum_of_shares([(WEIGHT, "alarms", "right"), (WEIGHT, "misses", "wrong")])
    return ContrastScores(
        rows["source"].nunique(),
        bhs,
        _share(right_rows, clusters),
        _share(wrong_rows, clusters),
        style_gap(right_rows, clusters),
        _shares(right_rows, "style", clusters),
        _shares(wrong_rows, "kind", clusters),
        _share(rows, clusters, label="unknown"),
    )


def _shares(rows: pd.DataFrame, by: str, clusters: Clusters[Hashable]) -> dict[str, Measure]:
    return {str(name): _share(group, clusters) for name, group in rows.groupby(by)}


def _share(rows: pd.DataFrame, clusters: Clusters[Hashable], label: str = "yes") -> Measure:
    """Compute the share of rows with a label."""
    if rows.empty:
        return UNDEFINED
    hits = _floats(rows["label"].eq(label))
    sample = Sample(clusters, list(rows["source"]), {"rows": np.ones(len(rows)), "hits": hits})
    return sample.share("hits", "rows")


def style_gap(rows: pd.DataFrame, clusters: Clusters[Hashable]) -> StyleGap:
    """Find the largest difference of alarms between styles that have enough right outputs.

    Args:
        rows: Right outputs.
        clusters: The sources that are drawn together.
    """
    counts = rows["style"].value_counts()
    styles = sorted(counts.index[counts >= LEAST])
    if len(styles) < 2:
        return NO_GAP
    rows = rows[rows["style"].isin(styles)]
    at = clusters.of(list(rows["source"]))
    style = np.searchsorted(np.array(styles, dtype=object), rows["style"].to_numpy(dtype=object))
    yes = _floats(rows["label"].eq("yes"))
    rates = _rates(style, yes)
    low, high = int(rates.argmin()), int(rates.argmax())
    columns = {
        f"{name} {side}": of * (style == place)
        for side, place in (("high", high), ("low", low))
        for name, of in (("alarms", yes), ("rows", np.ones(len(yes))))
    }
    sample = Sample(clusters, list(rows["source"]), columns)
    gap = sample.sum_of_shares([(1, "alarms high", "rows high"), (-1, "alarms low", "rows low")])
    least, most = (styles[low], styles[high]) if gap.value else ("", "")
    return StyleGap(gap, _gap_by_chance(at, style, yes), least, most)


def _floats(column: pd.Series[bool]) -> Floats:
    return np.asarray(column, dtype=np.float64)


def _rates(style: Numbers, yes: Floats) -> Floats:
    rates: Floats = np.bincount(style, weights=yes) / np.bincount(style)
    return rates


def _gap_by_chance(at: Numbers, style: Numbers, yes: Floats) -> float:
    """Compute the mean gap after alarms are shuffled within each source."""
    order = np.argsort(at, kind="stable")
    at, style, yes = at[order], style[order], yes[order]
    rng = np.random.default_rng(SEED)
    gaps = [
        float(np.ptp(_rates(style, yes[np.lexsort((rng.random(len(at)), at))])))
        for _ in range(_SHUFFLES)
    ]
    return float(np.mean(gaps))
