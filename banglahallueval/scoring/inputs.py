"""Labelled files of both kinds that a user names: those of a track, and contrast sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.contrast import is_contrast
from banglahallueval.io.paths import short
from banglahallueval.io.tables import Table
from banglahallueval.scoring.labelled_rows import LabelledSource
from banglahallueval.scoring.load import Labelled, find_files, load_readable


@dataclass(frozen=True, slots=True)
class Inputs:
    """What was read.

    Attributes:
        labelled: Rows of tracks; None without any.
        contrast: Rows of contrast sets; None without any.
        left_out: Why files were left out, one line each.
    """

    labelled: Labelled | None
    contrast: Labelled | None
    left_out: tuple[str, ...]

    @property
    def files(self) -> tuple[LabelledSource, ...]:
        """All the files that were read."""
        return tuple(f for each in (self.labelled, self.contrast) if each for f in each.files)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the scores should know, each once."""
        kinds = (self.labelled, self.contrast)
        return tuple(dict.fromkeys(note for each in kinds if each for note in each.notes))


def read_inputs(
    inputs: Iterable[str | Path], assignments: Assignments, *, keep_flagged: bool = False
) -> Inputs:
    """Read labelled files, contrast sets apart from all others.

    Args:
        inputs: Files, folders, globs.
        assignments: What the user says they hold.
        keep_flagged: Whether to keep candidates that fail a generation check.

    Raises:
        UsageError: If an input stands for no file, or no file can be read, with a line for each.
    """
    left_out: list[str] = []
    paths = find_files(inputs, left_out)
    sets = [path for path in paths if _is_contrast_set(path)]
    others = [path for path in paths if path not in set(sets)]
    labelled = _read(others, assignments, left_out, keep_flagged=keep_flagged)
    contrast = _read(sets, assignments, left_out, contrast=True)
    if labelled is None and contrast is None:
        raise UsageError("\n".join(left_out))
    return Inputs(labelled, contrast, tuple(left_out))


def _read(
    paths: list[Path],
    assignments: Assignments,
    left_out: list[str],
    *,
    contrast: bool = False,
    keep_flagged: bool = False,
) -> Labelled | None:
    if not paths:
        return None
    try:
        found = load_readable(
            paths, assignments, contrast=contrast, members=True, keep_flagged=keep_flagged
        )
    except UsageError as error:
        left_out += str(error).splitlines()
        return None
    left_out += found.left_out
    notes = _joined(found) if contrast else ()
    return replace(found, notes=(*found.notes, *notes))


def _joined(contrast: Labelled) -> Iterator[str]:
    """Note whose labels are spread over several files, which may be different sets."""
    for (system, task), rows in contrast.rows.groupby(["system", "task"], sort=False):
        names = [short(contrast.files[number].path) for number in rows["file"].unique()]
        if len(names) > 1:
            yield f"{system}, {task} contrast sets: {', '.join(names)} are scored as one"


def _is_contrast_set(path: Path) -> bool:
    try:
        return is_contrast(Table(path).columns)
    except UsageError:
        return False  # whoever reads its rows says what is wrong
