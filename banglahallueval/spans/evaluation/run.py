"""One evaluation: gold spans and the files of detectors become scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.scoring.bootstrap import SEED
from banglahallueval.spans.calibration import Threshold, calibrate
from banglahallueval.spans.data import Data, read_data
from banglahallueval.spans.evaluation.annotators import (
    Against,
    Agreement,
    Annotators,
    agreements,
    matched,
    read_annotators,
    spans_of,
)
from banglahallueval.spans.evaluation.detections import Detector, read_detectors, same_detectors
from banglahallueval.spans.results import DetectorScores, evaluate
from banglahallueval.spans.types import Detection, Sample


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """What is scored against what.

    Attributes:
        gold: A file, a folder or `hub`; empty for what the annotators marked.
        detections: Files of detectors, as FILE or NAME=FILE.
        format_name: The format of gold, validation and annotators' files; empty to recognise it.
        split: The split of gold.
        validation: Answers to fit thresholds to; empty for half of the gold answers.
        validation_detections: What the same detectors found in them.
        own_spans: Whether the detectors' own spans count, whatever their scores.
        annotators: One file for each of several people.
        against: Which of their marks are gold, where nothing else is.
        seed: Of halves and intervals.
    """

    gold: str
    detections: tuple[str, ...]
    format_name: str = ""
    split: str = ""
    validation: str = ""
    validation_detections: tuple[str, ...] = ()
    own_spans: bool = False
    annotators: tuple[Path, ...] = ()
    against: Against = "union"
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of detectors, and all that they are computed from.

    Attributes:
        samples: The answers that are reported on.
        found: Per detector what it marks in each of them.
        scores: Per detector, the trivial ones included.
        thresholds: Per detector with fitted thresholds, these by language.
        languages: The languages of the answers, sorted.
        agreement: How far the annotators agree; empty without their files.
        notes: What to know when reading it.
        record: What it is made of.
    """

    samples: tuple[Sample, ...]
    found: Mapping[str, tuple[Detection, ...]]
    scores: Mapping[str, DetectorScores]
    thresholds: Mapping[str, Mapping[str, Threshold]]
    languages: tuple[str, ...]
    agreement: tuple[Agreement, ...]
    notes: tuple[str, ...]
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Marked:
    """The answers to report on, as places, and what each detector marks in them."""

    places: Sequence[int]
    found: Mapping[str, tuple[Detection, ...]]
    thresholds: Mapping[str, Mapping[str, Threshold]]
    notes: tuple[str, ...]


def run_evaluation(options: EvaluationOptions) -> Evaluation:
    """Read everything, fit thresholds, score.

    Raises:
        UsageError: If a file cannot be used, or they do not fit together.
        RunError: If the hub cannot be reached.
    """
    annotators = None
    if options.annotators:
        annotators = read_annotators(options.annotators, options.format_name)
    gold = _gold(options, annotators)
    _check_gold(gold)
    detectors, notes = read_detectors(options.detections, gold.samples, gold.source)
    marked = _marked(options, gold.samples, detectors)
    samples = tuple(gold.samples[place] for place in marked.places)
    found = {name: tuple(of) for name, of in marked.found.items()}
    return Evaluation(
        samples=samples,
        found=found,
        scores=evaluate(samples, found, seed=options.seed) if found else {},
        thresholds=marked.thresholds,
        languages=tuple(sorted({sample.language for sample in samples})),
        agreement=_agreement(options, annotators, gold),
        notes=(*gold.notes, *notes, *marked.notes),
        record={
            "gold": dict(gold.record),
            "detectors": {name: of.described() for name, of in detectors.items()},
            "own_spans": options.own_spans,
            "seed": options.seed,
        },
    )


def _gold(options: EvaluationOptions, annotators: Annotators | None) -> Data:
    if options.gold:
        return read_data(options.gold, format_name=options.format_name, split=options.split)
    assert annotators is not None
    files = [str(file) for file in options.annotators]
    record = {"annotators": files, "against": options.against, "answers": len(annotators.samples)}
    source = f"the {options.against} of {len(files)} annotators"
    note = f"gold is what {'any' if options.against == 'union' else 'every'} annotator marked"
    return Data(annotators.gold(options.against), (note,), source, None, record)


def _check_gold(gold: Data) -> None:
    without = [sample.id for sample in gold.samples if sample.spans is None]
    if without:
        raise UsageError(
            f"{gold.source}: {len(without)} of {len(gold.samples)} answers have no gold spans, as "
            f"{without[0]!r}; leave them out, or give a clean one the empty list []"
        )


def _marked(
    options: EvaluationOptions, samples: Sequence[Sample], detectors: Mapping[str, Detector]
) -> _Marked:
    """Settle what each detector marks: from a threshold on, or by its own spans.

    Raises:
        UsageError: If thresholds cannot be fitted.
    """
    everything = range(len(samples))
    own = {name: of.found.detections for name, of in detectors.items()}
    if options.own_spans:
        for of in detectors.values():
            if not of.found.own_spans:
                raise UsageError(f"{of.path} has scores and no spans; leave out --own-spans")
        return _Marked(everything, own, {}, ("the detectors' own spans count",))
    ranked = [name for name, of in detectors.items() if of.found.ranked]
    notes = [
        f"{name} has no scores, so its own spans count, and its AP is that of two scores, 0 and 1"
        for name in detectors
        if name not in ranked
    ]
    validation: Sequence[Sample] = ()
    fitting: Mapping[str, Detector] = {}
    if options.validation:
        split = "" if Path(options.validation).is_file() else "validation"
        data = read_data(options.validation, format_name=options.format_name, split=split)
        _check_gold(data)
        validation = data.samples
        fitting, told = read_detectors(options.validation_detections, validation, data.source)
        same_detectors(detectors, fitting, ranked)
        notes += [*data.notes, *told, *_shared(samples, validation)]
    if not ranked:
        return _Marked(everything, own, {}, tuple(notes))
    calibrated = {
        name: calibrate(
            samples,
            own[name],
            validation,
            fitting[name].found.detections if fitting else (),
            own_spans=detectors[name].found.own_spans,
            seed=options.seed,
        )
        for name in ranked
    }
    # The same for all: they depend on the answers and the seed alone.
    one = calibrated[ranked[0]]
    found = {
        name: calibrated[name].detections
        if name in calibrated
        else tuple(own[name][place] for place in one.places)
        for name in detectors
    }
    thresholds = {name: of.thresholds for name, of in calibrated.items()}
    return _Marked(one.places, found, thresholds, (*notes, one.note))


def _shared(samples: Sequence[Sample], validation: Sequence[Sample]) -> list[str]:
    """Say how many answers are both fitted to and scored."""
    scored = {(sample.id, sample.question, sample.answer) for sample in samples}
    both = sum((sample.id, sample.question, sample.answer) in scored for sample in validation)
    if not both:
        return []
    return [
        f"{both:,} of {len(validation):,} validation answers are among the scored ones: thresholds "
        "are fitted to answers that they are scored on"
    ]


def _agreement(
    options: EvaluationOptions, annotators: Annotators | None, gold: Data
) -> tuple[Agreement, ...]:
    """Compare the annotators with each other, and a gold set of its own with them.

    Raises:
        UsageError: If gold and annotators are not about the same answers.
    """
    if annotators is None:
        return ()
    others = {}
    if options.gold:
        own = matched(gold.samples, annotators.samples, gold.source)
        name = gold.path.stem if gold.path else "gold"
        others[name] = [spans_of(sample, gold.source) for sample in own]
    return tuple(agreements(annotators, others, seed=options.seed))
