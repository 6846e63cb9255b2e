"""Draw a study: find its rows, sample them, and write its folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
        UsageError: If a file is missing or unfit, a form gets no item, or the folder cannot be
            written.
    """
    check_study_folder(options.folder, options.overwrite)
    samples = draw_forms(options.designs, options.inputs)
    empty = [_why_empty(each) for each in samples if not each.sample.entries]
    if empty:
        raise UsageError("; ".join(empty))
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


def _why_empty(drawn: FormSample) -> str:
    """Tell why a form has no item, and what to do about it."""
    name, design, entries = drawn.pool.form.name, drawn.design, drawn.pool.entries
    if not design.candidates + design.gold:
        return f"{name}: every size is 0; ask for items, or leave it out of --forms"
    left_out = [f"{count} rows left out: {why}" for why, count in drawn.pool.left_out.most_common()]
    rows = "; ".join(left_out or ["the files have no rows"])
    if not entries or drawn.pool.form.task is None:
        return f"{name}: no item can be drawn: {rows}; give other files, or leave it out of --forms"
    gold = sum(entry.track == "main" for entry in entries)
    tracks = f"{gold} gold rows and {len(entries) - gold} candidates"
    return (
        f"{name}: no item can be drawn: among {tracks} no gold row has candidates of every pattern "
        "that resemble it and come from other sources; --fill draws unmatched items, "
        "--several-per-source lets items share a source"
    )


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
