"""Answers with spans as labelled tokens, in the very inputs that detection uses."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, overload

from banglahallueval.judges.classifiers.encoder import covered
from banglahallueval.judges.classifiers.templates import Template
from banglahallueval.models.huggingface.pairs import Encoding, features
from banglahallueval.models.huggingface.windows import Pairs, Part, UncoveredError
from banglahallueval.spans.types import Sample
from banglahallueval.text.spans import Place

SUPPORTED, HALLUCINATED = 0, 1
NO_LOSS = -100  # torch's own mark for what the loss leaves out

Labelled = tuple[Encoding, list[int]]


@dataclass(frozen=True, slots=True)
class Example:
    """An answer with spans, and what covers it.

    Attributes:
        sample: The answer.
        parts: Its pieces with their inputs.
    """

    sample: Sample
    parts: tuple[Part, ...]

    @property
    def inputs(self) -> tuple[Encoding, ...]:
        """The inputs of all pieces, in order."""
        return tuple(encoding for part in self.parts for encoding in part.inputs)


@dataclass(slots=True)
class Intake:
    """What became of samples.

    Attributes:
        used: How many make an example.
        with_spans: How many of these have a hallucinated stretch.
        windowed: How many of these do not fit into what the model reads at once.
        left_out: How many make none, by reason.
    """

    used: int = 0
    with_spans: int = 0
    windowed: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def record(self) -> dict[str, Any]:
        """Write the counts as JSON has them; `asdict` makes tuples of a Counter's keys."""
        counts = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**counts, "left_out": dict(self.left_out.most_common())}


def make_examples(
    pairs: Pairs, template: Template, samples: Iterable[Sample], intake: Intake
) -> Iterator[Example]:
    """Cover each answer that is marked with inputs in a template, and count in `intake`."""
    for sample in samples:
        if sample.spans is None or not sample.answer.strip():
            intake.left_out["nobody marked spans" if sample.spans is None else "blank answer"] += 1
            continue
        try:
            parts = covered(pairs, template, sample.evidence, sample.question, sample.answer)
        except UncoveredError as error:
            intake.left_out[str(error)] += 1
            continue
        intake.used += 1
        intake.with_spans += bool(sample.spans)
        intake.windowed += sum(len(part.inputs) for part in parts) > 1
        yield Example(sample, tuple(parts))


class Rows(Sequence[dict[str, list[int]]]):
    """Labelled inputs as a data set of transformers; a tenth of the size of lists of numbers."""

    def __init__(self, inputs: Iterable[Labelled]) -> None:
        """Take in the inputs."""
        self._rows = [
            {name: array("i", values) for name, values in _named(*each).items()} for each in inputs
        ]

    def __len__(self) -> int:
        """Count the inputs."""
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> dict[str, list[int]]: ...

    @overload
    def __getitem__(self, at: slice) -> list[dict[str, list[int]]]: ...

    def __getitem__(self, at: int | slice) -> dict[str, list[int]] | list[dict[str, list[int]]]:
        """Give an input under the names that models take its parts by."""
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        return {name: list(values) for name, values in self._rows[at].items()}


def _named(encoding: Encoding, labels: Sequence[int]) -> dict[str, Sequence[int]]:
    return {**features(encoding), "labels": labels}


def training_inputs(example: Example) -> list[Labelled]:
    """List an example's inputs for training, each with the labels of its tokens.

    Of several windows of evidence only the one is used that shares most tokens with the answer: in
    the others, what the evidence does carry has no support.
    """
    nearest = [Part(part.place, (max(part.inputs, key=_shared),)) for part in example.parts]
    return _labelled(nearest, example.sample.spans or ())


def all_inputs(example: Example) -> list[Labelled]:
    """List an example's inputs as detection reads them, each with the labels of its tokens."""
    return _labelled(example.parts, example.sample.spans or ())


def _labelled(parts: Sequence[Part], spans: Sequence[Place]) -> list[Labelled]:
    found = []
    for (start, _), inputs in parts:
        moved = [(first - start, last - start) for first, last in spans]
        found += [(encoding, token_labels(encoding, moved)) for encoding in inputs]
    return found


def token_labels(encoding: Encoding, spans: Sequence[Place]) -> list[int]:
    """Label tokens: hallucinated if any of their characters is; only the answer's count."""
    return [
        NO_LOSS
        if place is None
        else HALLUCINATED
        if any(place[0] < last and first < place[1] for first, last in spans)
        else SUPPORTED
        for place in encoding.places
    ]


def _shared(encoding: Encoding) -> int:
    """Count the kinds of tokens that answer and evidence have in common."""
    tokens = list(zip(encoding.ids, encoding.places, strict=True))
    answer = {token for token, place in tokens if place is not None}
    return len(answer & {token for token, place in tokens if place is None})
