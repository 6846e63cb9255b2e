"""Supplied replies, from their file to the same rows and tables as those of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import keep_apart
from banglahallueval.models.types import Reply
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.session import RunSession
from banglahallueval.verdicts import UNPARSED
from banglahallueval.vision.discriminative.plan import Asked
from banglahallueval.vision.discriminative.predictions import Prediction, Predictions
from banglahallueval.vision.discriminative.report import report
from banglahallueval.vision.discriminative.results import (
    COLUMNS,
    KIND,
    NO_PREDICTION,
    Result,
    cells_of,
    unanswered,
)
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.report_files import report_files


def score_predictions(
    asked: Asked,
    predictions: Predictions,
    output: Path,
    options: RunOptions,
    folder: PictureFolder | None = None,
) -> int:
    """Write the rows and tables of supplied replies; no picture and no model is needed.

    Args:
        asked: The questions.
        predictions: The replies.
        output: The rows.
        options: What to do with an output that exists, and what to show.
        folder: Where the pictures are, for those who show the results; None if that is not known.

    Returns:
        The exit status, 0.

    Raises:
        UsageError: If the output is there, or would take an input's place.
        RunError: If writing fails on the way, as on a full disk.
    """
    asked.check(output)
    keep_apart(predictions.path, output=output)
    session = RunSession(
        output,
        options,
        inputs=[*asked.inputs, predictions.path],
        reports=report_files(output, options),
    )
    if options.adds_to(output):
        raise UsageError("--predictions scores one file as a whole; leave out --resume")
    about = {
        "replies": str(predictions.path),
        **asked.about(),
        "asked": _wording(asked),
    }
    counts: Counter[str] = Counter()
    with session:
        with session.writing(COLUMNS[asked.ask]) as writer:
            for result in _results(asked, predictions):
                counts[result.reason if result.answer == "unknown" else result.answer] += 1
                writer.writerow(cells_of(result, asked.ask))
        session.publish(
            _record(asked, predictions, about, counts, folder),
            {"questions": sum(counts.values())},
        )
        if missing := counts[NO_PREDICTION]:
            print(f"Note: {missing:,} captions have no reply in {predictions.path}")
        report(
            output,
            asked.ask,
            asked.scoring,
            _wording(asked),
            about,
            kind=KIND,
            quiet=options.quiet,
        )
    return 0


def _record(
    asked: Asked,
    predictions: Predictions,
    about: Mapping[str, str],
    counts: Mapping[str, int],
    folder: PictureFolder | None,
) -> dict[str, Any]:
    """Say what the rows are of, for the run record."""
    return {
        "kind": KIND,
        "input": asked.data.record(),
        "image_root": str(folder.root) if folder else None,
        "predictions": {"path": str(predictions.path), "sha256": predictions.sha256},
        "ask": asked.ask,
        "asked": _wording(asked),
        "about": dict(about),
        "identity": {"model": f"replies of {predictions.path}"},
        "answers": dict(counts),
    }


def _wording(asked: Asked) -> str:
    return f"{asked.ask}, supplied replies, read as to prompt {asked.wording.name} ({asked.lang})"


def _results(asked: Asked, predictions: Predictions) -> list[Result]:
    made = []
    for question in asked.questions():
        if asked.selects(question):
            result = unanswered(question, asked.defects.of(question) or "")
            found = predictions.found.get((question.item.index, question.kind))
            made.append(_read(asked, result, found))
    return made


def _read(asked: Asked, result: Result, found: Prediction | None) -> Result:
    if found is None:
        return replace(result, reason=NO_PREDICTION)
    if found.reply is None:
        reason = UNPARSED if found.answer == "unknown" else ""
        return replace(result, answer=found.answer, reason=reason)
    return asked.read(result, Reply(found.reply))
