"""Anyone's detector: what it found, matched with the answers by their id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.spans.mushroom import character_probabilities, hard_spans
from banglahallueval.spans.offsets import mask, read_soft_spans, read_spans_of
from banglahallueval.spans.records import Record, records
from banglahallueval.spans.tables import read_scores
from banglahallueval.spans.tags import read_tagged
from banglahallueval.spans.types import Detection, Sample, Span

SPANS = ("detected_spans", "spans", "hard_labels")
TAGGED = "annotated_span"
ANSWERS = ("answer", "llm_answer", "model_output_text", "response", "hypothesis")
NO_PREDICTION = "no prediction"


@dataclass(frozen=True, slots=True)
class Predictions:
    """What a file of predictions says of some answers.

    Attributes:
        detections: One for each answer, in order; one without a prediction is a failure.
        own_spans: Whether the file has spans; else they are to be made by a threshold.
        ranked: Whether it has scores; else each marked character has 1 and each other one 0.
        notes: What was left out or is missing, counted.
    """

    detections: tuple[Detection, ...]
    own_spans: bool
    ranked: bool
    notes: tuple[str, ...]


def read_predictions(path: Path, samples: Sequence[Sample], source: str = "") -> Predictions:
    """Read predictions: JSON lines, Parquet or CSV with `id`, spans and scores, or one of these.

    Spans are `[[start, end], …]` or objects with `start` and `end`, under `detected_spans`, `spans`
    or `hard_labels`, the first that is there, else the answer with tags under `annotated_span`, as
    in PsiloQA's annotation files; scores are one number per code point under `scores`, or
    Mu-SHROOM's `soft_labels`. A text in `failure` says that the detector failed. Where the file
    repeats the answer, it must be the same.

    Args:
        path: The file.
        samples: The answers.
        source: Where these are from, for messages.

    Raises:
        UsageError: If the file cannot be read, a row is invalid, an id is there twice, no id is
            one of the answers', or some rows have spans, or scores, and others have none.
    """
    places = _places(samples, f"{source}: " if source else "")
    found: dict[int, Detection] = {}
    kinds: dict[tuple[bool, bool], str] = {}
    unknown = 0
    seen: set[str] = set()
    for record in records(path):
        key = record.text("id").strip()
        if key in seen:
            raise UsageError(f"{record.where}: the id {key!r} is there twice")
        seen.add(key)
        place = places.get(key)
        if place is None:
            unknown += 1
            continue
        detection, kind = _detection(record, samples[place])
        found[place] = detection
        if not detection.failure:
            kinds.setdefault(kind, record.where)
    if not found:
        raise UsageError(
            f"{path}: none of its {unknown:,} ids is one of the answers', such as {samples[0].id!r}"
            if samples
            else f"{path}: there are no answers to match it with"
        )
    if len(kinds) > 1:
        raise UsageError(f"{_differing(kinds)}; give the same in all rows")
    own_spans, ranked = next(iter(kinds), (True, True))
    missing = len(samples) - len(found)
    copied = own_spans and all(found[place].spans == samples[place].spans for place in found)
    notes = (
        *([f"{path}: {unknown:,} ids are none of the answers'"] if unknown else []),
        *([f"{path}: {missing:,} answers have no prediction, which counts 0"] if missing else []),
        *([f"{path}: its spans are the gold ones in every row; are they predictions?"] * copied),
    )
    nothing = Detection(failure=NO_PREDICTION)
    detections = tuple(found.get(place, nothing) for place in range(len(samples)))
    return Predictions(detections, own_spans, ranked, notes)


def _places(samples: Sequence[Sample], where: str) -> Mapping[str, int]:
    places: dict[str, int] = {}
    for place, sample in enumerate(samples):
        if sample.id in places:
            raise UsageError(
                f"{where}two answers have the id {sample.id!r}, so predictions cannot be matched; "
                "give each its own"
            )
        places[sample.id] = place
    return places


def _differing(kinds: Mapping[tuple[bool, bool], str]) -> str:
    words = {(True, True): "spans and scores", (True, False): "spans", (False, True): "scores"}
    first, second, *_ = [f"{where} has {words[kind]}" for kind, where in kinds.items()]
    return f"{first}, and {second}"


def _detection(record: Record, sample: Sample) -> tuple[Detection, tuple[bool, bool]]:
    """Read a row, and whether it has spans and scores."""
    where, length = record.where, len(sample.answer)
    if failure := record.text("failure", ""):
        return Detection(failure=failure), (False, False)
    for name in ANSWERS:
        if record.text(name, sample.answer) not in (sample.answer, ""):
            raise UsageError(f"{where}: its {name!r} is not the answer {sample.id!r}")
    name = next((name for name in SPANS if name in record.fields), "")
    raw, scores = (record.json(name) if name else _tags(record, sample)), record.json("scores")
    soft = record.json("soft_labels")
    spans = None if raw is None else read_spans_of(raw, sample.answer, where)
    values: tuple[float, ...] | None = None
    if scores is not None:
        values = read_scores(scores, length, where)
    elif soft is not None:
        shares = read_soft_spans(soft, length, where)
        values = tuple(character_probabilities(shares, length).tolist())
        spans = hard_spans(shares) if spans is None else spans
    if spans is None and values is None:
        raise UsageError(
            f"{where}: has neither spans nor scores; a clean answer has the spans [], and one "
            "without a result a text in 'failure'"
        )
    kind = (spans is not None, values is not None)
    if values is None:
        values = tuple(mask(spans or (), length).astype(float).tolist())
    return Detection(values, spans or ()), kind


def _tags(record: Record, sample: Sample) -> tuple[Span, ...] | None:
    """Read the spans of a tagged answer; None where the row has none.

    Line breaks may have become spaces, as in PsiloQA's annotation files: no offset moves.
    """
    if record.fields.get(TAGGED) is None:
        return None
    plain, spans = read_tagged(record.text(TAGGED), record.where)
    if plain.replace("\n", " ") != sample.answer.replace("\n", " "):
        raise UsageError(
            f"{record.where}: its {TAGGED!r} without tags is not the answer {sample.id!r}"
        )
    return spans
