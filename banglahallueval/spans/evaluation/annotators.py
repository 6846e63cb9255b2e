"""Several people's marks of the same answers: a gold set made of them, and how far they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.scoring.bootstrap import Resamples, interval
from banglahallueval.scoring.rates import Rate
from banglahallueval.spans.agreement import Marks, intersection, same_answer, union
from banglahallueval.spans.formats import read_span_data
from banglahallueval.spans.metrics import iou
from banglahallueval.spans.sources import source_keys
from banglahallueval.spans.types import Sample, Span

Against = Literal["union", "intersection"]
AGAINST: tuple[Against, ...] = get_args(Against)


@dataclass(frozen=True, slots=True)
class Annotators:
    """What several people marked.

    Attributes:
        samples: The answers, in the order of the first one's file.
        marks: Per annotator the marks of each answer.
    """

    samples: tuple[Sample, ...]
    marks: Mapping[str, Sequence[Marks]]

    def together(self, how: Against) -> tuple[tuple[Span, ...], ...]:
        """Collect of each answer the characters that any, or every, annotator marked."""
        rows = list(zip(*self.marks.values(), strict=True))
        return tuple(map(union if how == "union" else intersection, rows))

    def gold(self, how: Against) -> tuple[Sample, ...]:
        """Make gold answers of what any, or every, annotator marked."""
        marked = zip(self.samples, self.together(how), strict=True)
        return tuple(replace(sample, spans=spans, soft=()) for sample, spans in marked)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two markings of the same answers agree.

    Attributes:
        one, other: Whose they are.
        iou: Mean IoU with its 95 % interval.
    """

    one: str
    other: str
    iou: Rate


def read_annotators(files: Sequence[Path], format_name: str = "") -> Annotators:
    """Read one file per annotator; their rows may stand in any order.

    Raises:
        UsageError: If there are less than two, an answer is missing in one of them, differs or has
            no marks, or two files have one name.
    """
    if len(files) < 2:
        raise UsageError("--annotators needs the files of two annotators or more")
    first: tuple[Sample, ...] = ()
    marks: dict[str, Sequence[Marks]] = {}
    for file in files:
        samples = read_span_data(file, format_name=format_name).samples
        first = first or samples
        if file.stem in marks:
            raise UsageError(f"{short(file)}: another annotator's file is named {file.stem}, too")
        own = matched(samples, first, short(file))
        marks[file.stem] = [spans_of(sample, short(file)) for sample in own]
    return Annotators(first, marks)


def matched(samples: Sequence[Sample], wanted: Sequence[Sample], where: str) -> list[Sample]:
    """Bring the answers of a file into the order of others, by their ids.

    Raises:
        UsageError: If an id is missing or there twice, or its answer is another.
    """
    by_id: dict[str, Sample] = {}
    for sample in samples:
        if sample.id in by_id:
            raise UsageError(f"{where}: the id {sample.id!r} is there twice")
        by_id[sample.id] = sample
    found = []
    for sample in wanted:
        own = by_id.get(sample.id)
        if own is None:
            raise UsageError(f"{where}: has no answer {sample.id!r}, which others have")
        if not same_answer(own, sample):
            raise UsageError(f"{where}: its answer {sample.id!r} is another than the others'")
        found.append(own)
    return found


def spans_of(sample: Sample, where: str) -> Marks:
    """Take the marks of an answer.

    Raises:
        UsageError: If nobody marked any.
    """
    if sample.spans is None:
        raise UsageError(
            f"{where}: the answer {sample.id!r} has no spans; a clean one has the list []"
        )
    return sample.spans


def agreements(
    annotators: Annotators, others: Mapping[str, Sequence[Marks]], *, seed: int
) -> list[Agreement]:
    """Compare annotators with each other, and others with what any or every one of them marked.

    Args:
        annotators: What people marked.
        others: Further markings of the same answers, in their order, by name.
        seed: Equal seeds give equal intervals; answers of one source are drawn together.
    """
    sources = source_keys(annotators.samples)
    resamples = Resamples(sources, seed=seed)
    lengths = [len(sample.answer) for sample in annotators.samples]

    def mean(one: Sequence[Marks], other: Sequence[Marks]) -> Rate:
        values = np.array(list(map(iou, one, other, lengths)))
        sums = resamples.sums(sources, np.column_stack([values, np.ones_like(values)]))
        ends = interval(sums[:, 0] / sums[:, 1])
        return Rate(float(values.mean()), *ends, len(values))

    found = [
        Agreement(one, other, mean(annotators.marks[one], annotators.marks[other]))
        for one, other in combinations(annotators.marks, 2)
    ]
    for how in AGAINST:
        marks = annotators.together(how)
        found += [Agreement(name, how, mean(own, marks)) for name, own in others.items()]
    return found
