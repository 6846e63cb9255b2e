"""Reads answers with gold spans, whatever the format of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import regex

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import no_file
from banglahallueval.spans.formats import mushroom, psiloqa
from banglahallueval.spans.formats.hub import PSILOQA, hub_records
from banglahallueval.spans.formats.notes import Notes
from banglahallueval.spans.formats.ragtruth import SOURCES, RagTruth
from banglahallueval.spans.records import SUFFIXES, Record, records
from banglahallueval.spans.tables import read_sample
from banglahallueval.spans.types import Sample

SPLITS = ("train", "validation", "test")

_SPLIT_IN_NAME = regex.compile(r"(?<![a-z])(?:train|validation|valid|val|dev|test|tst)(?![a-z])")
_SPLIT_OF = {"valid": "validation", "val": "validation", "dev": "validation", "tst": "test"}

Reader = Callable[[Record], Sample]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    Attributes:
        keys: The fields that a row of it has; a file is of the first format whose keys it has.
        reader: Given a file and where to note what is noticed, how its rows are read.
    """

    keys: frozenset[str]
    reader: Callable[[Path, Notes], Reader]


FORMATS: Mapping[str, Format] = {
    "psiloqa": Format(
        frozenset({"llm_answer", "labels"}),
        lambda path, notes: partial(psiloqa.published, notes=notes),
    ),
    "psiloqa-pipeline": Format(
        frozenset({"hypothesis", "annotation"}),
        lambda path, notes: partial(psiloqa.pipeline, notes=notes),
    ),
    "psiloqa-annotator": Format(
        frozenset({"annotated_span"}), lambda path, notes: psiloqa.annotator
    ),
    "mushroom": Format(
        frozenset({"model_output_text"}), lambda path, notes: partial(mushroom.sample, notes=notes)
    ),
    "ragtruth": Format(
        frozenset({"response", "source_id"}), lambda path, notes: RagTruth(path, notes).sample
    ),
    "spans": Format(frozenset({"answer"}), lambda path, notes: read_sample),
}


@dataclass(frozen=True, slots=True)
class SpanData:
    """Answers with their gold spans.

    Attributes:
        samples: The answers, in file order.
        notes: What a user should know about how they were read.
    """

    samples: tuple[Sample, ...]
    notes: tuple[str, ...]


def read_span_data(path: Path, *, format_name: str = "", split: str = "") -> SpanData:
    """Read a file, or the files of a folder, of any known format.

    Args:
        path: A file, or a folder of files; those with one name in several forms are read once.
        format_name: A key of FORMATS; empty to recognise it by the names of columns.
        split: `train`, `validation` or `test`: files that name it, or rows whose `split` it is.

    Raises:
        UsageError: If nothing can be read, the format is not recognised, a row is invalid, or a
            folder holds several splits and none is named.
    """
    notes = Notes()
    samples: list[Sample] = []
    by_name = False
    if path.is_dir():
        files, by_name = _files(path, split)
    elif path.exists():
        files = [path]
    else:
        raise UsageError(no_file(path))
    for file in files:
        rows = records(file)
        first = next(rows, None)
        if first is None:
            raise UsageError(f"{file} holds no rows")
        chosen = _format(format_name, first, file)
        reader = chosen.reader(file, notes)
        every = _of_split(chain([first], rows), split, by_name, notes, file)
        samples += map(reader, every)
    return _data(samples, notes, str(path))


def read_hub(name: str = PSILOQA, split: str = "test") -> SpanData:
    """Read a split of a data set in PsiloQA's form from the Hugging Face hub.

    Raises:
        UsageError: If the library is not installed, or a row is invalid.
        RunError: If it cannot be loaded.
    """
    notes = Notes()
    samples = [psiloqa.published(record, notes) for record in hub_records(name, split)]
    return _data(samples, notes, name)


def _data(samples: list[Sample], notes: Notes, where: str) -> SpanData:
    if not samples:
        raise UsageError(f"{where}: holds no answers of that split")
    ids = Counter(sample.id for sample in samples)
    repeated = [key for key, count in ids.items() if count > 1]
    lines = notes.lines()
    if repeated:
        lines += (f"{where}: {len(repeated):,} ids are there more than once, as {repeated[0]!r}",)
    return SpanData(tuple(samples), lines)


def _format(name: str, first: Record, file: Path) -> Format:
    """Find the format of a file: the one named, else by the fields of its first row."""
    if name and name not in FORMATS:
        raise UsageError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    names = set(first.fields)
    for format_name, known in FORMATS.items():
        if format_name == name or (not name and known.keys <= names):
            if missing := known.keys - names:
                raise UsageError(
                    f"{file}: has no {sorted(missing)[0]!r}, which the format {name} needs; it has "
                    f"{', '.join(first.fields)}"
                )
            return known
    raise UsageError(
        f"{file}: of no known format; it has {', '.join(first.fields)}. Known are "
        + "; ".join(f"{key} ({', '.join(sorted(of.keys))})" for key, of in FORMATS.items())
    )


def _files(folder: Path, split: str) -> tuple[list[Path], bool]:
    """List the files of a folder and its `data` folder, and whether their names tell the split."""
    found: dict[Path, Path] = {}
    for suffix in SUFFIXES:
        for place in (folder, folder / "data"):
            for path in sorted(place.glob(f"*{suffix}")):
                # One file in two forms, as after fetching, is one.
                found.setdefault(path.with_suffix(""), path)
    files = sorted(path for path in found.values() if path.name != SOURCES)
    if not files:
        raise UsageError(f"{folder} holds no {', '.join(SUFFIXES)} file")
    splits = {path: _split_in(path) for path in files}
    named = {name for name in splits.values() if name}
    if not named:
        return files, False
    if not split and len(named) > 1:
        raise UsageError(f"{folder} holds {', '.join(sorted(named))}; say which with --split")
    kept = [path for path, name in splits.items() if not split or name == split]
    if not kept:
        raise UsageError(f"{folder} holds no {split} file; it holds {', '.join(sorted(named))}")
    return kept, True


def _split_in(path: Path) -> str:
    found = _SPLIT_IN_NAME.search(path.name.lower())
    return _SPLIT_OF.get(found[0], found[0]) if found else ""


def _of_split(
    rows: Iterable[Record], split: str, by_name: bool, notes: Notes, file: Path
) -> Iterator[Record]:
    """Choose the rows of a split, where the rows or the file's name tell it."""
    for record in rows:
        own = record.text("split", "")
        if split and not own and not by_name:
            raise UsageError(f"{file}: has no column 'split'; leave out --split")
        if not split and own:
            notes.add(f"split is {own}", record.where)
        if not split or not own or own == split:
            yield record
