"""Guesses about the captions of a data file, and what they come to per type of hallucination."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Cells
from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.scoring.clustered import Clusters, Measure, Sample
from banglahallueval.vision.discriminative.metrics import MACRO
from banglahallueval.vision.guessing.rules import (
    FEATURES,
    RULES,
    RuleName,
    Threshold,
    cross_validate,
    features,
    fit_threshold,
    folds_of,
)
from banglahallueval.vision.types import HALLUCINATIONS, Hallucination, Question

COLUMNS = (
    *("pair_type", "index", "image", "key", "kind", "caption", "caption_matches"),
    *FEATURES,
    "fold",
    *(f"guess_{name.replace(' ', '_')}" for name in RULES),
)


@dataclass(frozen=True)
class Guessed:
    """The guesses about the pairs of one type.

    Attributes:
        kind: The type.
        questions: The captions: of each pair the true one, then the wrong one.
        values: Their features.
        folds: Their folds.
        guesses: By rule, which captions it takes for true.
        threshold: The rule of lengths, fitted to all of them.
    """

    kind: Hallucination
    questions: Sequence[Question]
    values: Floats
    folds: Sequence[int]
    guesses: Mapping[RuleName, Sequence[bool]]
    threshold: Threshold

    def right(self, rule: RuleName) -> Floats:
        """Tell which guesses of a rule are right: 1, else 0."""
        pairs = zip(self.guesses[rule], self.questions, strict=True)
        return np.array([guess == each.matches for guess, each in pairs], dtype=float)


@dataclass(frozen=True, slots=True)
class RuleScore:
    """A rule on one type, or on average over types.

    Attributes:
        type: The type, or `MACRO`.
        rule: The rule.
        captions: Captions guessed about, half of them true.
        accuracy: Share of right guesses.
        yes: Share of guesses that the caption matches.
    """

    type: str
    rule: RuleName
    captions: int
    accuracy: Measure
    yes: Measure


def guess(questions: Sequence[Question]) -> list[Guessed]:
    """Guess about each type's pairs; what is guessed of a picture is learnt from others.

    Args:
        questions: The captions; a wrong one without its true one is left out.

    Raises:
        UsageError: If there are not two pictures to learn from one and guess about another.
    """
    by_item: dict[int, dict[str, Question]] = {}
    for question in questions:
        by_item.setdefault(question.item.index, {})[question.kind] = question
    made = []
    for kind in HALLUCINATIONS:
        pairs = [
            (item["true"], item[kind])
            for item in by_item.values()
            if kind in item and "true" in item
        ]
        if pairs:
            made.append(_guess(kind, [each for pair in pairs for each in pair]))
    return made


def _guess(kind: Hallucination, questions: Sequence[Question]) -> Guessed:
    pictures = [_picture(question) for question in questions]
    if len(set(pictures)) < 2:
        raise UsageError(
            "a guess about one picture is learnt from others, and the data has one; take more items"
        )
    values = np.array([features(question.caption) for question in questions])
    true = np.array([question.matches for question in questions])
    folds = folds_of(pictures)
    return Guessed(
        kind,
        questions,
        values,
        folds.tolist(),
        {rule: cross_validate(rule, values, true, folds).tolist() for rule in RULES},
        fit_threshold(values[:, FEATURES.index("words")], true),
    )


def _picture(question: Question) -> str:
    return f"{question.item.image}\n{question.item.key}"


def measure(guessed: Sequence[Guessed]) -> list[RuleScore]:
    """Score the rules per type, then on average over types, with intervals by picture."""
    questions = [question for each in guessed for question in each.questions]
    pictures = [_picture(question) for question in questions]
    sizes = [len(each.questions) for each in guessed]
    columns: dict[str, Floats] = {}
    for place, each in enumerate(guessed):
        before, after = sum(sizes[:place]), sum(sizes[place + 1 :])
        for rule in RULES:
            parts = {
                "right": each.right(rule),
                "yes": np.array(each.guesses[rule], dtype=float),
                "all": np.ones(len(each.questions)),
            }
            for name, values in parts.items():
                columns[f"{each.kind}/{rule}/{name}"] = np.pad(values, (before, after))
    sample = Sample(Clusters(pictures), pictures, columns)

    def score(type_name: str, rule: RuleName, kinds: Collection[str], captions: int) -> RuleScore:
        def figure(name: str) -> Measure:
            return sample.mean_of_ratios(
                [(f"{kind}/{rule}/{name}", f"{kind}/{rule}/all") for kind in kinds]
            )

        return RuleScore(type_name, rule, captions, figure("right"), figure("yes"))

    kinds = [each.kind for each in guessed]
    return [
        *(
            score(each.kind, rule, [each.kind], len(each.questions))
            for each in guessed
            for rule in RULES
        ),
        *(score(MACRO, rule, kinds, len(questions)) for rule in RULES if kinds),
    ]


def rows(guessed: Sequence[Guessed]) -> Iterator[Cells]:
    """Write the guesses as rows of `COLUMNS`."""
    for each in guessed:
        for at, question in enumerate(each.questions):
            item = question.item
            yield [
                *(each.kind, str(item.index), item.image, item.key, question.kind),
                *(question.caption, _yes(question.matches)),
                *(f"{value:g}" for value in each.values[at]),
                str(each.folds[at]),
                *(_yes(each.guesses[rule][at]) for rule in RULES),
            ]


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
