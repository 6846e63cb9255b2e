"""How well a model tells matching captions from wrong ones, per type of hallucination.

Each type is scored on pairs: a wrong caption of the type, and the true caption of the same picture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal, get_args

import numpy as np

from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.scoring.clustered import Clusters, Measure, Sample
from banglahallueval.vision.discriminative.results import Result
from banglahallueval.vision.types import HALLUCINATIONS, Hallucination, Kind

Positive = Literal["matches", "hallucination"]
Unparsed = Literal["drop", "wrong"]
POSITIVES: tuple[Positive, ...] = get_args(Positive)
UNPARSED_POLICIES: tuple[Unparsed, ...] = get_args(Unparsed)

MACRO = "macro"
POOLED = "pooled, true captions repeated"
ONCE = "pooled, each caption once"


@dataclass(frozen=True, slots=True)
class Scoring:
    """What is counted how; it changes tables alone.

    Attributes:
        positive: The class that precision, recall and F1 are of: `matches`, as Hal-Eval publishes
            them, or `hallucination`.
        unparsed: What becomes of replies that hold no answer: `drop` leaves them out of all but
            the share of yes, `wrong` counts each as a wrong answer.
        clean: Whether defective captions are left out.
    """

    positive: Positive = "matches"
    unparsed: Unparsed = "drop"
    clean: bool = False


@dataclass(frozen=True, slots=True)
class Scores:
    """One row of the table; what is undefined is nan.

    Attributes:
        accuracy, precision, recall, f1: By `Scoring`.
        yes: Share of the replies that say yes, `it matches`.
        yes_of_answered: The same of those that can be read.
    """

    accuracy: Measure
    precision: Measure
    recall: Measure
    f1: Measure
    yes: Measure
    yes_of_answered: Measure


@dataclass(frozen=True, slots=True)
class Group:
    """One type, or types together.

    Attributes:
        name: The type, or `MACRO`, `POOLED` or `ONCE`.
        captions: Captions that count, one for each reply; a pair has two.
        unparsed: Replies among these that hold no answer.
        left_out: Pairs without a reply to both captions.
        scores: What they come to.
    """

    name: str
    captions: int
    unparsed: int
    left_out: int
    scores: Scores


FIGURES = tuple(each.name for each in fields(Scores))


def counted(results: Sequence[Result], scoring: Scoring) -> list[Result]:
    """Leave out what `--clean` leaves out: defective captions, and pictures whose true one is."""
    if not scoring.clean:
        return list(results)
    spoilt = {each.index for each in results if each.kind == "true" and each.defect}
    return [each for each in results if not each.defect and each.index not in spoilt]


def score(results: Sequence[Result], scoring: Scoring) -> list[Group]:
    """Score each type, then the mean over them and the two ways of pooling them.

    Pairs are left out where the model was not asked about one of their captions, or no reply came:
    that says nothing about the model.

    Args:
        results: The answers, in any order.
        scoring: What is counted how.
    """
    pairs = _Pairs(counted(results, scoring))
    if not pairs.types:
        return []
    columns: dict[str, Floats] = {}
    for name in (*pairs.types, POOLED, ONCE):
        for figure, (top, bottom) in _sums(pairs.cells(name), scoring).items():
            columns[f"{name}/{figure}/top"] = top
            columns[f"{name}/{figure}/bottom"] = bottom
    sample = Sample(Clusters(pairs.pictures), pairs.pictures, columns)

    def of(*names: str) -> Scores:
        def figure(name: str) -> Measure:
            return sample.mean_of_ratios(
                [(f"{each}/{name}/top", f"{each}/{name}/bottom") for each in names]
            )

        return Scores(*map(figure, FIGURES))

    groups = [pairs.group(name, of(name)) for name in pairs.types]
    return [
        *groups,
        pairs.group(MACRO, of(*pairs.types)),
        pairs.group(POOLED, of(POOLED)),
        pairs.group(ONCE, of(ONCE)),
    ]


class _Pairs:
    """The answers about each picture, as columns with one row per item.

    Attributes:
        pictures: The picture of each item; items that share one belong together.
        types: The types that were asked about.
    """

    def __init__(self, results: Sequence[Result]) -> None:
        items: dict[int, dict[Kind, Result]] = {}
        for each in sorted(results, key=lambda result: result.index):
            items.setdefault(each.index, {})[each.kind] = each
        self._items = list(items.values())
        self.pictures = [next(iter(item.values())).picture for item in self._items]
        self.types: list[Hallucination] = [
            kind for kind in HALLUCINATIONS if any(kind in item for item in self._items)
        ]

    def group(self, name: str, scores: Scores) -> Group:
        """Put a group's scores beside its counts."""
        cells = self.cells(name)
        counted = cells.true_all + cells.wrong_all
        read = cells.true_yes + cells.true_no + cells.wrong_yes + cells.wrong_no
        left_out = sum(
            kind in item and not _is_pair(item, kind)
            for item in self._items
            for kind in self._kinds(name)
        )
        return Group(name, int(counted.sum()), int((counted - read).sum()), left_out, scores)

    def cells(self, name: str) -> _Cells:
        """Count the answers of each item to the captions of a group."""
        made = [self._item_cells(item, name) for item in self._items]
        return _Cells(*np.array(made, dtype=float).T)

    def _item_cells(self, item: Mapping[Kind, Result], name: str) -> list[float]:
        kinds = [kind for kind in self._kinds(name) if _is_pair(item, kind)]
        if not kinds:
            return [0.0] * 6
        times = 1 if name == ONCE else len(kinds)
        true = item["true"].answer
        wrong = [item[kind].answer for kind in kinds]
        return [
            times,
            times * (true == "yes"),
            times * (true == "no"),
            len(wrong),
            wrong.count("yes"),
            wrong.count("no"),
        ]

    def _kinds(self, name: str) -> Collection[Hallucination]:
        return [kind for kind in self.types if name in (kind, MACRO, POOLED, ONCE)]


@dataclass(frozen=True, slots=True)
class _Cells:
    """Counts per item of true and of wrong captions: all, answered yes, answered no."""

    true_all: Floats
    true_yes: Floats
    true_no: Floats
    wrong_all: Floats
    wrong_yes: Floats
    wrong_no: Floats


def _is_pair(item: Mapping[Kind, Result], kind: Kind) -> bool:
    both = (item.get("true"), item.get(kind))
    return all(each is not None and not each.is_open for each in both)


def _sums(cells: _Cells, scoring: Scoring) -> dict[str, tuple[Floats, Floats]]:
    """Name the two columns whose sums each figure is the ratio of."""
    every = cells.true_all + cells.wrong_all
    yes = cells.true_yes + cells.wrong_yes
    answered = yes + cells.true_no + cells.wrong_no
    if scoring.positive == "matches":
        hits, alarms, misses = cells.true_yes, cells.wrong_yes, cells.true_no
        positives = cells.true_all
    else:
        hits, alarms, misses = cells.wrong_no, cells.true_no, cells.wrong_yes
        positives = cells.wrong_all
    is_wrong = scoring.unparsed == "wrong"
    if is_wrong:
        misses = positives - hits
    return {
        "accuracy": (cells.true_yes + cells.wrong_no, every if is_wrong else answered),
        "precision": (hits, hits + alarms),
        "recall": (hits, hits + misses),
        "f1": (2 * hits, 2 * hits + alarms + misses),
        "yes": (yes, every),
        "yes_of_answered": (yes, answered),
    }


def reasons(results: Sequence[Result]) -> Iterator[tuple[str, bool, int]]:
    """Count the unknown answers: the reason, whether the model was not asked, how many."""
    found: dict[tuple[str, bool], int] = {}
    for each in results:
        if each.answer == "unknown":
            key = (each.reason, each.is_open)
            found[key] = found.get(key, 0) + 1
    for (reason, is_open), count in sorted(found.items(), key=lambda each: (-each[1], each[0])):
        yield reason, is_open, count
