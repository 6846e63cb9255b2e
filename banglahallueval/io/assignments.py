"""What the user says labelled files hold, for all of them or one by one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import regex

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track

FORM = "FILE=TASK:TRACK:JUDGE[:PROMPT]"
_COLUMNS = ("task", "track", "judge", "prompt")
STYLES = ("standard", "cot", "ecot")
# The last `=` before a task counts: paths may contain one, and drives and judges contain colons.
_ASSIGNED = regex.compile(
    rf"(?P<file>.+)=(?P<task>{'|'.join(TASKS)}|):(?P<track>{'|'.join(TRACKS)}|):(?P<rest>.*)",
    regex.IGNORECASE | regex.DOTALL,
)
_PROMPT = regex.compile(
    rf"(?P<judge>.*):(?P<prompt>(?:{'|'.join(TASKS)})\.[^:]+|{'|'.join(STYLES)})"
)


@dataclass(frozen=True, slots=True)
class Assignment:
    """What the user says a labelled file holds; None leaves it to the file.

    Attributes:
        task, track, judge, prompt: What it holds.
        by: The flag that says so, such as `--assign`; empty for the flags of the same names.
    """

    task: TaskName | None = None
    track: Track | None = None
    judge: str | None = None
    prompt: str | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Assignments:
    """What flags say of all the files given, and of single ones.

    Attributes:
        everywhere: Holds for every file of which nothing else is said.
        columns: Role to column name, for all files.
        files: Holds for single files, by `file_key`.
        named: The files of `--as` as the user wrote them, by `file_key`; each must be read.
    """

    everywhere: Assignment = Assignment()
    columns: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Assignment] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)

    def of(self, path: Path) -> Assignment:
        """Look up what is said of one file alone."""
        return self.files.get(file_key(path), Assignment())

    def unused(self, paths: Iterable[Path]) -> int:
        """Count the assigned files that are not among those read.

        Raises:
            UsageError: If `--as` names one.
        """
        read = {file_key(path) for path in paths}
        if stray := [text for key, text in self.named.items() if key not in read]:
            raise UsageError(f"--as {stray[0]}: no such file is among those read; check its path")
        return sum(key not in read for key in self.files)


def file_key(path: Path) -> str:
    """Compute a key that is the same for every spelling of a path, Bangla letters included."""
    return unicodedata.normalize("NFC", str(path.resolve()))


def read_assignments(
    texts: Sequence[str], table: Path | None
) -> tuple[dict[str, Assignment], dict[str, str]]:
    """Read `--as` and `--assign`; for a file in both, `--as` holds.

    Args:
        texts: The values of `--as`.
        table: The CSV of `--assign`.

    Returns:
        Assignments by `file_key`, and the files of `--as` by the same.

    Raises:
        UsageError: If something in them is no assignment, or a file is assigned twice.
    """
    files = _read_table(table) if table else {}
    named: dict[str, str] = {}
    for text in texts:
        file, assignment = parse_assignment(text)
        key = file_key(_existing(file, Path()))
        if key in named:
            raise UsageError(f"--as {text}: {file} is assigned twice")
        named[key] = file
        files[key] = assignment
    return files, named


def parse_assignment(text: str) -> tuple[str, Assignment]:
    """Read one value of `--as`; what it leaves empty is left to the file.

    A judge's name may contain colons, as in `qwen2.5:32b`, so the part after the last colon is a
    prompt only if it is a prompt's name (`qa.cot`) or style (`cot`).

    Raises:
        UsageError: If it does not have this form.
    """
    found = _ASSIGNED.fullmatch(text)
    if found is None or not (found["task"] or found["track"] or found["rest"]):
        raise UsageError(
            f"--as {text!r} is not {FORM} (TASK: {', '.join(TASKS)}; TRACK: {', '.join(TRACKS)})"
        )
    judge, prompt = found["rest"], ""
    if split := _PROMPT.fullmatch(judge):
        judge, prompt = split["judge"], split["prompt"]
    cells = {**found.groupdict(), "judge": judge, "prompt": prompt}
    return found["file"], _assignment(cells, "--as", f"--as {text!r}")


def _read_table(path: Path) -> dict[str, Assignment]:
    table = Table(path)
    if "file" not in table.columns or not set(_COLUMNS) & set(table.columns):
        raise UsageError(
            f"--assign {path} needs a column file and some of {', '.join(_COLUMNS)}; it has "
            f"{', '.join(table.columns)}"
        )
    files: dict[str, Assignment] = {}
    for number, cells in enumerate(table.rows(), 1):
        row = {name: cell.strip() for name, cell in zip(table.columns, cells, strict=True)}
        where = f"--assign {path}, row {number}"
        if not row["file"]:
            raise UsageError(f"{where}: names no file")
        key = file_key(_existing(row["file"], path.parent))
        if key in files:
            raise UsageError(f"{where}: {row['file']} is assigned twice")
        files[key] = _assignment(row, "--assign", where)
    return files


def _assignment(cells: Mapping[str, str], by: str, where: str) -> Assignment:
    task, track = (cells.get(name, "").casefold() for name in ("task", "track"))
    if task and task not in TASKS:
        raise UsageError(f"{where}: {task!r} is no task; it is one of {', '.join(TASKS)}")
    if track and track not in TRACKS:
        raise UsageError(f"{where}: {track!r} is no track; it is one of {', '.join(TRACKS)}")
    judge, prompt = (cells.get(name, "") or None for name in ("judge", "prompt"))
    return Assignment(cast(TaskName, task) or None, cast(Track, track) or None, judge, prompt, by)


def _existing(text: str, beside: Path) -> Path:
    """Find the file a path means: from the current folder, else from `beside`."""
    spellings = [Path(text), Path(text.replace("\\", "/"))]
    tried = [*spellings, *(beside / path for path in spellings)]
    return next((path for path in tried if path.exists()), spellings[0])
