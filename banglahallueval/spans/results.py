"""Scores of detectors over many answers: per language, over languages, with intervals.

Source: Rykov et al. 2025 (PsiloQA): the mean over answers, per language. The paper gives no mean
over languages; `macro over languages` is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from banglahallueval.errors import UsageError
from banglahallueval.scoring.bootstrap import RESAMPLES, SEED, Floats, Resamples, interval
from banglahallueval.scoring.rates import Rate
from banglahallueval.spans.characters import Characters
from banglahallueval.spans.correlation import correlation
from banglahallueval.spans.metrics import average_precisions, iou
from banglahallueval.spans.mushroom import character_probabilities
from banglahallueval.spans.offsets import Bools
from banglahallueval.spans.sources import Ints, source_keys
from banglahallueval.spans.types import Detection, Sample, Span

MARK_ALL, MARK_NONE = "mark-all", "mark-none"
MACRO, POOLED = "macro over languages", "pooled"
UNKNOWN_LANGUAGE = "und"  # ISO 639-2's code for undetermined


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """One detector's scores of each answer, in the order of the samples.

    Attributes:
        iou: IoU; 0 where the detector failed.
        ap: Average precision; 0 where the detector failed or the answer is clean.
        correlation: Mu-SHROOM's correlation with soft labels; nan where the data has none.
        failed: Whether the detector gave no result.
    """

    iou: Floats
    ap: Floats
    correlation: Floats
    failed: Bools


@dataclass(frozen=True, slots=True)
class GroupScores:
    """One detector's mean scores over a group of answers, with 95 % bootstrap intervals.

    Attributes:
        group: A language, `macro over languages` (the mean of the languages' means, equally
            weighted) or `pooled` (the mean over all answers).
        answers: Answers in it.
        clean: Answers among them without a hallucinated character.
        failed: Answers without a result; they count 0 in every mean, clean or not.
        iou: Mean IoU.
        ap: Mean average precision; each clean answer costs 0 here, whatever the detector does.
        ap_marked: The same over the answers that have a hallucinated character.
        correlation: Mean of Mu-SHROOM's correlation; over languages whose data has soft labels.
    """

    group: str
    answers: int
    clean: int
    failed: int
    iou: Rate
    ap: Rate
    ap_marked: Rate
    correlation: Rate


@dataclass(frozen=True, slots=True)
class DetectorScores:
    """One detector's scores.

    Attributes:
        answers: Those of each answer.
        languages: Those per language, by its code.
        macro: The mean over languages, equally weighted.
        pooled: The mean over answers.
    """

    answers: AnswerScores
    languages: Mapping[str, GroupScores]
    macro: GroupScores
    pooled: GroupScores


def evaluate(
    samples: Sequence[Sample],
    detections: Mapping[str, Sequence[Detection]],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[str, DetectorScores]:
    """Score the spans and the character scores of detectors.

    Args:
        samples: Answers with gold spans.
        detections: Per detector what it found in each of them, in their order.
        resamples: Bootstrap resamples of the answers: those of one source are drawn together, and
            each language keeps its number of sources.
        seed: Equal seeds and samples give equal intervals.

    Returns:
        Scores by detector, and behind them those of `mark-all` and `mark-none`, which mark every
        character and none: a detector that scores no higher has found nothing.

    Raises:
        UsageError: If there are no samples, or one has no gold spans.
        ValueError: If detections do not fit the samples.
    """
    if not samples:
        raise UsageError("there are no answers to score")
    if without := [sample.id for sample in samples if sample.spans is None]:
        raise UsageError(
            f"{len(without)} of {len(samples)} answers have no gold spans, as {without[0]!r}; "
            "leave them out, or give a clean one the empty list []"
        )
    groups = _Groups(samples, resamples, seed)
    everybody = {**detections, MARK_ALL: mark_all(samples), MARK_NONE: mark_none(samples)}
    return {name: groups.score(score_answers(samples, of)) for name, of in everybody.items()}


def mark_all(samples: Sequence[Sample]) -> list[Detection]:
    """Mark every character of every answer."""
    return [
        Detection((1.0,) * len(sample.answer), (Span(0, len(sample.answer)),))
        if sample.answer
        else Detection()
        for sample in samples
    ]


def mark_none(samples: Sequence[Sample]) -> list[Detection]:
    """Mark no character of any answer."""
    return [Detection((0.0,) * len(sample.answer)) for sample in samples]


def score_answers(samples: Sequence[Sample], detections: Sequence[Detection]) -> AnswerScores:
    """Score each answer.

    Soft labels count as present in all answers of a language that has them in one: a clean answer
    has an empty list of them.

    Raises:
        ValueError: If detections do not fit the samples.
    """
    failed = np.array([bool(detection.failure) for detection in detections], dtype=bool)
    # A failure has no scores; constant ones stand in, and what they earn is taken back.
    filled = [
        Detection((0.0,) * len(sample.answer)) if detection.failure else detection
        for sample, detection in zip(samples, detections, strict=True)
    ]
    pairs = list(zip(samples, filled, strict=True))
    ious = [iou(sample.spans or (), found.spans, len(sample.answer)) for sample, found in pairs]
    soft = {sample.language for sample in samples if sample.soft}
    correlations = [
        correlation(character_probabilities(sample.soft, len(sample.answer)), found.scores)
        if sample.language in soft
        else np.nan
        for sample, found in pairs
    ]
    kept = np.where(failed, 0.0, 1.0)
    ap = average_precisions(Characters.of(samples, filled))
    return AnswerScores(kept * ious, kept * ap, kept * correlations, failed)


class _Groups:
    """The languages of some samples, and the resamples that all detectors share."""

    def __init__(self, samples: Sequence[Sample], resamples: int, seed: int) -> None:
        names, language = np.unique(
            [sample.language or UNKNOWN_LANGUAGE for sample in samples], return_inverse=True
        )
        self._names = [str(name) for name in names]
        # One column per language, 1 for the answers in it.
        self._member = (language[:, None] == np.arange(len(names))).astype(float)
        self._marked = np.array([bool(sample.spans) for sample in samples], dtype=bool)
        self._sources = source_keys(samples)
        strata = _strata(self._sources, language)
        self._draws = Resamples(self._sources, strata, resamples=resamples, seed=seed)

    def score(self, answers: AnswerScores) -> DetectorScores:
        everyone = np.ones(len(self._marked), dtype=bool)
        rates = self._rates(
            {
                "iou": (answers.iou, everyone),
                "ap": (answers.ap, everyone),
                "ap_marked": (answers.ap, self._marked),
                "correlation": (np.nan_to_num(answers.correlation), ~np.isnan(answers.correlation)),
            }
        )
        members, clean = self._counts(everyone), self._counts(~self._marked)
        failed = self._counts(answers.failed)
        groups = {
            group: GroupScores(
                group,
                members[group],
                clean[group],
                failed[group],
                iou=rates["iou"][group],
                ap=rates["ap"][group],
                ap_marked=rates["ap_marked"][group],
                correlation=rates["correlation"][group],
            )
            for group in [*self._names, MACRO, POOLED]
        }
        macro, pooled = groups.pop(MACRO), groups.pop(POOLED)
        return DetectorScores(answers, groups, macro, pooled)

    def _counts(self, which: Bools) -> dict[str, int]:
        counts = (which @ self._member).astype(int).tolist()
        everywhere = dict.fromkeys((MACRO, POOLED), sum(counts))
        return dict(zip(self._names, counts, strict=True)) | everywhere

    def _rates(self, measures: Mapping[str, tuple[Floats, Bools]]) -> dict[str, dict[str, Rate]]:
        """Average measures over each group; each is its values and the answers that count."""
        columns = np.hstack(
            [
                part[:, None] * self._member
                for values, counted in measures.values()
                for part in (values * counted, counted)
            ]
        )
        shape = (-1, len(measures), 2, len(self._names))
        found = columns.sum(axis=0).reshape(shape)
        drawn = self._draws.sums(self._sources, columns).reshape(shape)
        return {name: self._rate(found[:, at], drawn[:, at]) for at, name in enumerate(measures)}

    def _rate(self, found: Floats, drawn: Floats) -> dict[str, Rate]:
        """Turn sums and counts per language, of the data and of resamples, into rates by group."""
        rows = found[0, 1].astype(int)
        # A language without any such answer is not part of the mean over languages.
        there = rows > 0
        groups = {}
        with np.errstate(invalid="ignore", divide="ignore"):
            (value,), replicates = (sums[:, 0] / sums[:, 1] for sums in (found, drawn))
            for at, name in enumerate(self._names):
                groups[name] = Rate(float(value[at]), *interval(replicates[:, at]), int(rows[at]))
            if not there.any():
                return groups | dict.fromkeys((MACRO, POOLED), groups[self._names[0]])
            macros = replicates[:, there].mean(axis=1)
            groups[MACRO] = Rate(float(value[there].mean()), *interval(macros), int(rows.sum()))
            sums, counts = drawn.sum(axis=2).T
            pooled = float(found[0, 0].sum() / rows.sum())
            groups[POOLED] = Rate(pooled, *interval(sums / counts), int(rows.sum()))
        return groups


def _strata(sources: Ints, language: Ints) -> Ints:
    """Number for each answer the set of languages that its source has answers in.

    Sources of one set form a stratum, so that each resample keeps every language's size.
    """
    languages: dict[int, set[int]] = {}
    for source, code in zip(sources.tolist(), language.tolist(), strict=True):
        languages.setdefault(source, set()).add(code)
    numbers: dict[frozenset[int], int] = {}
    return np.array(
        [
            numbers.setdefault(frozenset(languages[source]), len(numbers))
            for source in sources.tolist()
        ],
        dtype=np.int64,
    )
