"""What the trials at each threshold come to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from banglahallueval.abstention.curves import CONVENTION, Ranking, rank
from banglahallueval.abstention.intervals import cluster_key
from banglahallueval.abstention.thresholds import penalty
from banglahallueval.abstention.types import SETTLED, Trial
from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.scoring.clustered import UNDEFINED, Clusters, Measure, Sample


@dataclass(frozen=True, slots=True)
class Metrics:
    """The trials at one threshold; what is undefined is nan.

    Attributes:
        t: The threshold.
        n: Trials that count: answered and graded, or abstained.
        sources: Sources of these; a question without one stands alone.
        answered, correct, wrong, abstained: How many of the n.
        no_reply, ungraded: Trials that count nowhere else.
        coverage: Share answered.
        accuracy: Share of answers that are right.
        hallucination: Share of answers that are wrong.
        hallucination_overall: Share of all n that are wrong answers.
        score: Mean score; a wrong answer costs t/(1−t).
        answerable: Questions that can be answered.
        unanswerable_abstained: Abstentions on the others.
        answerable_coverage: Share of these answered.
        answerable_accuracy: Share right of the answers to these.
        precision: Share of abstentions that are on unanswerable questions.
        recall: Share of unanswerable questions abstained on.
        f1: Their harmonic mean; all three are nan without unanswerable questions.
        correct_share: Share of all n that are right answers.
        f: SimpleQA's F, 2 · right / (n + answered): the harmonic mean of `correct_share` and
            `accuracy`, 0 where nothing is answered.
        ranking: What confidences are worth; None where no answer has one.
    """

    t: float
    n: int
    sources: int
    answered: int
    correct: int
    wrong: int
    abstained: int
    no_reply: int
    ungraded: int
    coverage: Measure
    accuracy: Measure
    hallucination: Measure
    hallucination_overall: Measure
    score: Measure
    answerable: int
    unanswerable_abstained: int
    answerable_coverage: Measure
    answerable_accuracy: Measure
    precision: Measure
    recall: Measure
    f1: Measure
    correct_share: Measure
    f: Measure
    ranking: Ranking | None

    @property
    def not_attempted(self) -> float:
        """The share abstained on; nan without trials that count."""
        return self.abstained / self.n if self.n else math.nan

    @property
    def unanswerable(self) -> int:
        """Questions that cannot be answered."""
        return self.n - self.answerable

    def as_json(self) -> dict[str, object]:
        """Convert for `metrics.json`: gemini-hallcheck's keys first; None where undefined."""
        ranking = asdict(self.ranking) if self.ranking else dict.fromkeys(Ranking.__slots__)
        return {
            "n": self.n,
            "coverage": defined(self.coverage.value),
            "accuracy_conditioned_on_answering": defined(self.accuracy.value),
            "hallucination_rate_among_answers": defined(self.hallucination.value),
            "avg_expected_score": defined(self.score.value),
            "answered": self.answered,
            "correct_answers": self.correct,
            "incorrect_answers": self.wrong,
            "abstentions": self.abstained,
            "hallucination_rate_overall": defined(self.hallucination_overall.value),
            "answerable": {
                "n": self.answerable,
                "coverage": defined(self.answerable_coverage.value),
                "accuracy": defined(self.answerable_accuracy.value),
            },
            "unanswerable": {
                "n": self.unanswerable,
                "abstained": self.unanswerable_abstained,
                "answered": self.unanswerable - self.unanswerable_abstained,
            },
            "abstention": {
                "precision": defined(self.precision.value),
                "recall": defined(self.recall.value),
                "f1": defined(self.f1.value),
            },
            "simpleqa": {
                "correct": defined(self.correct_share.value),
                "incorrect": defined(self.hallucination_overall.value),
                "not_attempted": defined(self.not_attempted),
                "accuracy_given_attempted": defined(self.accuracy.value),
                "f": defined(self.f.value),
            },
            "no_reply": self.no_reply,
            "ungraded": self.ungraded,
            "confidence": {
                "answers": ranking.pop("rows") or 0,
                **ranking,
                "convention": CONVENTION,
            },
            "intervals": {
                name: {"low": each.low, "high": each.high, "method": each.method}
                for name, each in self._intervals()
                if each.method
            },
        }

    def _intervals(self) -> Iterable[tuple[str, Measure]]:
        """Name what has an interval by its path in `as_json`."""
        return (
            ("coverage", self.coverage),
            ("accuracy_conditioned_on_answering", self.accuracy),
            ("hallucination_rate_among_answers", self.hallucination),
            ("avg_expected_score", self.score),
            ("hallucination_rate_overall", self.hallucination_overall),
            ("answerable.coverage", self.answerable_coverage),
            ("answerable.accuracy", self.answerable_accuracy),
            ("abstention.precision", self.precision),
            ("abstention.recall", self.recall),
            ("abstention.f1", self.f1),
            ("simpleqa.correct", self.correct_share),
            ("simpleqa.f", self.f),
        )


def defined(value: float) -> float | None:
    """Turn nan into None, for JSON."""
    return None if math.isnan(value) else value


def measure(trials: Iterable[Trial]) -> tuple[Metrics, ...]:
    """Compute the metrics at each threshold, in ascending order; trials may come in any."""
    by_t: dict[float, list[Trial]] = {}
    for trial in trials:
        by_t.setdefault(trial.t, []).append(trial)
    every = (trial for group in by_t.values() for trial in group)
    clusters = Clusters(cluster_key(trial.question) for trial in every if trial.outcome in SETTLED)
    return tuple(_metrics(t, by_t[t], clusters) for t in sorted(by_t))


def measure_subjects(trials: Iterable[Trial]) -> dict[str, tuple[Metrics, ...]]:
    """Compute the metrics of each subject, in alphabetical order; empty where no trial has one."""
    by_subject: dict[str, list[Trial]] = {}
    for trial in trials:
        by_subject.setdefault(trial.question.subject, []).append(trial)
    if not any(by_subject):
        return {}
    return {subject: measure(by_subject[subject]) for subject in sorted(by_subject)}


def _metrics(t: float, trials: Sequence[Trial], clusters: Clusters[tuple[str, ...]]) -> Metrics:
    outcomes = Counter(trial.outcome for trial in trials)
    settled = [trial for trial in trials if trial.outcome in SETTLED]
    keys = [cluster_key(trial.question) for trial in settled]
    sample = Sample(clusters, keys, _columns(settled))
    any_unanswerable = sample.total("unanswerable") > 0
    return Metrics(
        t=t,
        n=len(settled),
        sources=sample.sources("all"),
        answered=outcomes["correct"] + outcomes["wrong"],
        correct=outcomes["correct"],
        wrong=outcomes["wrong"],
        abstained=outcomes["abstained"],
        no_reply=outcomes["no reply"],
        ungraded=outcomes["ungraded"],
        coverage=sample.share("answered", "all"),
        accuracy=sample.share("correct", "answered"),
        hallucination=sample.share("wrong", "answered"),
        hallucination_overall=sample.share("wrong", "all"),
        score=sample.ratio("score", "all", least=-penalty(t)),
        answerable=int(sample.total("answerable")),
        unanswerable_abstained=int(sample.total("found")),
        answerable_coverage=sample.share("answerable_answered", "answerable"),
        answerable_accuracy=sample.share("answerable_correct", "answerable_answered"),
        precision=sample.share("found", "abstained") if any_unanswerable else UNDEFINED,
        recall=sample.share("found", "unanswerable"),
        f1=sample.ratio("f1_top", "f1_bottom") if any_unanswerable else UNDEFINED,
        correct_share=sample.share("correct", "all"),
        f=sample.ratio("f_top", "f_bottom"),
        ranking=_ranking(settled),
    )


def _columns(settled: Sequence[Trial]) -> dict[str, Floats]:
    """Make the columns whose sums the metrics are made of."""

    def flags(values: Iterable[bool]) -> Floats:
        return np.fromiter(values, dtype=float)

    correct = flags(trial.outcome == "correct" for trial in settled)
    wrong = flags(trial.outcome == "wrong" for trial in settled)
    abstained = flags(trial.outcome == "abstained" for trial in settled)
    unanswerable = flags(trial.question.unknown_ok for trial in settled)
    answered = correct + wrong
    every = np.ones(len(settled))
    return {
        "all": every,
        "answered": answered,
        "correct": correct,
        "wrong": wrong,
        "abstained": abstained,
        "score": np.array([trial.score for trial in settled], dtype=float),
        "answerable": every - unanswerable,
        "answerable_answered": answered * (1 - unanswerable),
        "answerable_correct": correct * (1 - unanswerable),
        "unanswerable": unanswerable,
        "found": abstained * unanswerable,
        "f1_top": 2 * abstained * unanswerable,
        "f1_bottom": abstained + unanswerable,
        "f_top": 2 * correct,
        "f_bottom": every + answered,
    }


def _ranking(settled: Iterable[Trial]) -> Ranking | None:
    sure = [
        (trial.confidence, trial.outcome == "correct")
        for trial in settled
        if trial.outcome != "abstained" and trial.confidence is not None
    ]
    if not sure:
        return None
    confidence, correct = zip(*sure, strict=True)
    return rank(np.array(confidence), correct)
