"""Loading of labelled files, ours and those of the published scripts, into one table of rows."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from banglahallueval.errors import UsageError
from banglahallueval.io import tables
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.contrast import is_contrast
from banglahallueval.io.flagged import describe_left_out, without_flagged
from banglahallueval.io.labelled import LABEL_COLUMN, by_origin
from banglahallueval.io.paths import short
from banglahallueval.io.readings import Labels
from banglahallueval.io.recognition import Recognised, recognise
from banglahallueval.io.records import read_trusted
from banglahallueval.judges.ecot.evidence import GOLD_ON_MAIN
from banglahallueval.scoring.contrast_rows import with_expectations
from banglahallueval.scoring.labelled_rows import LabelledSource, labelled_rows
from banglahallueval.scoring.overlaps import Part, join_parts, notes_on
from banglahallueval.scoring.panels import members_of

_TOLD = ("task", "track", "judge", "prompt")


@dataclass(frozen=True, slots=True)
class Labelled:
    """Labelled rows of any number of files.

    Attributes:
        rows: One row per labelled row. `task`, `track`, `judge`, `prompt`; `system`: the judge,
            with its prompt where one judge used several on a task; `label`, `reason`, `p` (nan
            where absent), `pattern`, `id`, `source_id`; `raw`, `spans`, `claims`, `prompt_tokens`
            and `completion_tokens`: cells as they stand, empty where absent; `evidence`,
            `question`, `output`; `right`: the right output beside a candidate, empty if absent;
            `key`: what rows are matched by; `source`: what rows are clustered by; `file`, `row`.
            Those of contrast sets have `expected`, `kind`, `style` and `split` besides.
        files: The files that were read.
        notes: What a reader of the scores should know.
        left_out: Why files were left out, one line each.
    """

    rows: pd.DataFrame
    files: tuple[LabelledSource, ...]
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def find_files(inputs: Iterable[str | Path], unreadable: list[str] | None = None) -> list[Path]:
    """Find the CSVs that files, folders and globs stand for, each once, in order.

    Of a folder, all CSVs below it that have a column of labels.

    Args:
        inputs: Files, folders, globs.
        unreadable: Gets a line for each CSV in a folder that cannot be read; None to raise.

    Raises:
        UsageError: If an input stands for no file, or a CSV in a folder cannot be read.
    """
    found: dict[Path, None] = {}
    for given in inputs:
        path = Path(given)
        told = len(unreadable or ())
        if path.is_dir():
            below = list(_labelled_below(path, unreadable))
        elif path.exists():
            below = [path]
        else:
            below = [Path(p) for p in sorted(glob.glob(str(given), recursive=True))]  # noqa: PTH207
        if not below and told == len(unreadable or ()):
            raise UsageError(f"no labelled CSV at {given}; name labelled files, a folder or a glob")
        found.update(dict.fromkeys(map(_from_here, below)))
    return list(found)


def _from_here(path: Path) -> Path:
    """Shorten a path below the current folder, as messages and notes name files."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _labelled_below(folder: Path, unreadable: list[str] | None) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        # macOS adds `._NAME.csv`, which holds no rows, to archives.
        if path.suffix.lower() != ".csv" or path.name.startswith("._") or not path.is_file():
            continue
        try:
            columns = tables.Table(path).columns
        except UsageError as error:
            if unreadable is None:
                raise
            unreadable.append(str(error))
            continue
        if LABEL_COLUMN in columns:
            yield path


def load(
    inputs: Iterable[str | Path],
    assignments: Assignments | None = None,
    *,
    own_outputs: bool = False,
    keep_flagged: bool = False,
) -> Labelled:
    """Read labelled files, all of them.

    Args:
        inputs: Files, folders, globs.
        assignments: What the user says they hold.
        own_outputs: Whether the rows are a user's own outputs, which have no track.
        keep_flagged: Whether to keep candidates that fail a generation check.

    Raises:
        UsageError: If files cannot be read as labelled rows, with a line for each.
    """
    labelled = load_readable(
        inputs, assignments, own_outputs=own_outputs, keep_flagged=keep_flagged
    )
    if labelled.left_out:
        raise UsageError("\n".join(labelled.left_out))
    return labelled


def load_readable(
    inputs: Iterable[str | Path],
    assignments: Assignments | None = None,
    *,
    own_outputs: bool = False,
    contrast: bool = False,
    members: bool = False,
    keep_flagged: bool = False,
) -> Labelled:
    """Read labelled files, and leave out those that cannot be read as labelled rows.

    Args:
        inputs: Files, folders, globs.
        assignments: What the user says they hold.
        own_outputs: Whether the rows are a user's own outputs, which have no track.
        contrast: Whether the files are contrast sets, which are never mixed with others.
        members: Whether the members of a panel are read as judges of their own, too. One that has
            labelled the same task and track in another file is not read twice.
        keep_flagged: Whether to keep candidates that fail a generation check.

    Raises:
        UsageError: If an input stands for no file, or no file is left, with a line for each that
            was left out.
    """
    assignments = assignments or Assignments()
    problems: list[str] = []
    paths = find_files(inputs, problems)
    parts: list[Part] = []
    panels: list[tuple[Path, _Group]] = []
    for path in paths:
        try:
            groups = list(_groups(path, keep_flagged=keep_flagged))
        except UsageError as error:
            problems.append(str(error))
            continue
        for group in groups:
            try:
                parts.append(_read(path, group, assignments, own_outputs, contrast))
            except UsageError as error:
                problems.append(str(error))
                continue
            if members and not assignments.of(path).judge:
                own = members_of(group.record, group.frame)
                panels += [(path, replace(group, record=r, frame=f)) for r, f in own]
    for path, group in panels:
        part = _read(path, group, assignments, own_outputs, contrast)
        if _whose(part) not in map(_whose, parts):
            parts.append(part)
    parts, rows = join_parts(parts, problems)
    left_out = tuple(dict.fromkeys(problems))
    if not parts:
        raise UsageError("\n".join(left_out))
    for name in ("key", "source"):
        rows[name] = pd.factorize(rows[name])[0]
    files = tuple(source for source, _ in parts)
    return Labelled(rows, files, tuple(notes_on(rows, parts)), left_out)


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows of a file that one judge labelled.

    Attributes:
        told: What columns named task, track, judge and prompt say of them.
        record: Their run record, without the judge where their labels are of unknown origin.
        frame: The rows.
        notes: What to say of their origin.
    """

    told: Mapping[str, str]
    record: Mapping[str, Any]
    frame: pd.DataFrame
    notes: tuple[str, ...]


def _groups(path: Path, *, keep_flagged: bool) -> Iterator[_Group]:
    """Split a file's rows by judge: by run record, or by columns of that name."""
    frame = tables.read_frame(path)
    if LABEL_COLUMN not in frame.columns:
        raise UsageError(f"{path} has no column {LABEL_COLUMN!r}, so it is not a labelled file")
    if frame.empty:
        raise UsageError(f"{path} has no rows; leave it out")
    whole = len(frame)
    if not keep_flagged:
        frame = without_flagged(frame)
    if frame.empty:
        raise UsageError(f"{path}: {describe_left_out(whole)}, and there are no others")
    flagged = (
        f"{short(path)}: {describe_left_out(whole - len(frame))}" if len(frame) < whole else ""
    )
    record, changed = read_trusted(path)
    by = [name for name in _TOLD if name in frame.columns and not record]
    groups = frame.groupby(by, sort=False) if by else [((), frame)]
    for values, group in groups:
        told = {name: str(value) for name, value in zip(by, values, strict=True) if value}
        for own, rows, origin in by_origin(group, record):
            yield _Group(told, own, rows, tuple(filter(None, (changed, origin, flagged))))


def _read(
    path: Path, group: _Group, assignments: Assignments, own_outputs: bool, contrast: bool
) -> Part:
    frame = group.frame
    header = [str(name) for name in frame.columns]
    if is_contrast(header) and not contrast and not own_outputs:
        raise UsageError(
            f"{path} is a contrast set, which has no track; score.py and report.py read such files"
        )
    labels = Labels(path, header, lambda: frame.itertuples(index=False, name=None))
    found = recognise(labels, assignments, group.told, group.record, track_needed=not own_outputs)
    layout = found.layout
    source = LabelledSource(
        path,
        layout.task.name,
        layout.track,
        found.judge,
        found.prompt,
        found.record,
        found.by,
        found.how,
        len(frame),
        (*group.notes, *((GOLD_ON_MAIN,) if _gold_on_main(found) else ())),
    )
    rows = labelled_rows(source, layout, frame)
    return source, with_expectations(path, frame, rows) if contrast else rows


def _whose(part: Part) -> tuple[str, str | None, str, str]:
    source = part[0]
    return source.task, source.track, source.judge, source.prompt


def _gold_on_main(found: Recognised) -> bool:
    evidence = (found.record.get("judge") or {}).get("evidence")
    layout = found.layout
    return layout.task.name == "reasoning" and layout.track == "main" and evidence == "gold"
