"""Draw a study: find its rows, sample them, and write its folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.annotation.forms import FormName
from banglahallueval.annotation.inputs import InputFiles, draw_forms
from banglahallueval.annotation.sampling import Design
from banglahallueval.annotation.study_writer import (
    Format,
    FormSample,
    check_study_folder,
    write_study,
)
from banglahallueval.errors import UsageError


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """What to draw and where to.

    Attributes:
        folder: The study's folder.
        name: The study's name.
        annotators: Names of the annotators.
        formats: File formats that each annotator gets.
        designs: Sampling design of each form.
        inputs: The files to draw from.
        overwrite: Whether to replace an existing study.
        asks_spans: Whether pages ask annotators to mark what is hallucinated.
    """

    folder: Path
    name: str
    annotators: tuple[str, ...]
    formats: tuple[Format, ...]
    designs: Mapping[FormName, Design]
    inputs: InputFiles
    overwrite: bool = False
    asks_spans: bool = False


def draw_study(options: DrawOptions) -> list[FormSample]:
    """Draw a study and write it.

    Raises:
        UsageError: If a file is missing or unfit, nothing can be drawn, or the folder cannot be
            written.
    """
    check_study_folder(options.folder, options.overwrite)
    samples = draw_forms(options.designs, options.inputs)
    if not any(each.sample.entries for each in samples):
        raise UsageError(f"nothing can be drawn: {_why_empty(samples)}")
    write_study(
        options.folder,
        options.name,
        samples,
        options.annotators,
        options.formats,
        options.overwrite,
        options.asks_spans,
    )
    return samples


def _why_empty(samples: Sequence[FormSample]) -> str:
    if not any(each.design.candidates or each.design.gold for each in samples):
        return "every size is 0"
    if any(each.pool.entries for each in samples):
        return "no rows of both tracks match; --fill draws unmatched items"
    left_out = [
        f"{count} rows left out: {reason}"
        for each in samples
        for reason, count in each.pool.left_out.items()
    ]
    return "; ".join(left_out or ["the files have no rows"])


def describe(drawn: FormSample) -> Iterator[str]:
    """Describe a form's sample for the lead: its size, what is missing, what was left out."""
    name, sample = drawn.pool.form.name, drawn.sample
    mixes_tracks = drawn.pool.form.task is not None
    matched = f", {sample.matched} in matched sets" if mixes_tracks else ""
    yield f"{name}: {len(sample.entries)} items{matched}"
    if sample.shortfalls:
        missing = ", ".join(f"{n or 'all'} {count}" for n, count in sample.shortfalls.items())
        can_fill = mixes_tracks and not drawn.design.fill
        hint = "; --fill completes the sample with unmatched items" if can_fill else ""
        yield f"{name}: short of {missing}{hint}"
    for reason, count in drawn.pool.left_out.items():
        yield f"{name}: {count} rows left out: {reason}"
