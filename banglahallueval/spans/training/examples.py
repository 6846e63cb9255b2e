"""Answers with spans as labelled tokens, in the very inputs that detection uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from banglahallueval.judges.classifiers.encoder import covered
from banglahallueval.judges.classifiers.templates import Template
from banglahallueval.models.huggingface.pairs import Encoding, PairTokenizer
from banglahallueval.models.huggingface.windows import Part, UncoveredError
from banglahallueval.spans.types import Sample
from banglahallueval.text.spans import Place

SUPPORTED, HALLUCINATED = 0, 1
NO_LOSS = -100  # torch's own mark for what the loss leaves out


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
class Examples:
    """The examples that samples make, and what was left out.

    Attributes:
        found: The examples, in the order of the samples.
        windowed: How many have evidence or an answer longer than the model reads at once.
        left_out: Samples without an example, by reason.
    """

    found: list[Example] = field(default_factory=list)
    windowed: int = 0
    left_out: dict[str, int] = field(default_factory=dict)


def make_examples(pairs: PairTokenizer, template: Template, samples: Sequence[Sample]) -> Examples:
    """Cover each answer that is marked with inputs in a template."""
    made = Examples()
    for sample in samples:
        reason = ""
        if sample.spans is None:
            reason = "nobody marked spans"
        elif not sample.answer.strip():
            reason = "blank answer"
        else:
            try:
                parts = covered(pairs, template, sample.evidence, sample.question, sample.answer)
                made.found.append(Example(sample, tuple(parts)))
                made.windowed += sum(len(part.inputs) for part in parts) > 1
            except UncoveredError as error:
                reason = str(error)
        if reason:
            made.left_out[reason] = made.left_out.get(reason, 0) + 1
    return made


def training_inputs(example: Example) -> list[tuple[Encoding, list[int]]]:
    """List an example's inputs for training, each with the labels of its tokens.

    Of several windows of evidence only the one is used that shares most tokens with the answer: in
    the others, what the evidence does carry has no support.
    """
    spans = example.sample.spans or ()
    found = []
    for part in example.parts:
        start = part.place[0]
        moved = [(first - start, last - start) for first, last in spans]
        nearest = max(part.inputs, key=_shared)
        found.append((nearest, token_labels(nearest, moved)))
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
