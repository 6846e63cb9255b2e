"""What a labelled file's columns, rows, name and folders each say about its task and track."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Generic, Literal, TypeVar

import regex

from banglahallueval.io.file_names import NameReading
from banglahallueval.io.layouts import PATTERN_COLUMNS, detect_task
from banglahallueval.tasks import TASKS, TRACKS, Task, TaskName, Track, split_final_answer
from banglahallueval.text.lazy_regex import lazy_regex

Value = TypeVar("Value", TaskName, Track)
Source = Literal["columns", "name", "folder", "rows"]

_BENGALI = lazy_regex(r"\p{Bengali}")
_MADE_ID = lazy_regex(
    rf".*::(?:{'|'.join(regex.escape(p) for task in TASKS.values() for p in task.patterns)})",
    regex.IGNORECASE | regex.DOTALL,
)
_ROWS_OF_SCRIPT = 200  # enough to tell Bengali script from code-mixed text
_EVALUATED = ("reasoning_chain_evaluated", "summary_evaluated", "answer_evaluated")


@dataclass(frozen=True, slots=True)
class Labels:
    """A labelled table to be recognised.

    Attributes:
        path: Its file.
        header: Its columns.
        rows: Iterates over its rows from the start; may be called any number of times.
    """

    path: Path
    header: Sequence[str]
    rows: Callable[[], Iterable[Sequence[str]]]

    def cells(self, *names: str) -> Iterator[tuple[str, ...]]:
        """Iterate over the cells of these columns, row by row."""
        at = [list(self.header).index(name) for name in names]
        return (tuple(row[i] for i in at) for row in self.rows())


@dataclass(frozen=True, slots=True)
class Reading(Generic[Value]):
    """What one source says.

    Attributes:
        source: What was read.
        values: What it leaves possible.
        why: What says so.
    """

    source: Source
    values: frozenset[Value]
    why: str


def task_by_columns(labels: Labels) -> Reading[TaskName] | None:
    """Read the task off the columns; None where they do not tell.

    Published files hold code-mixed answers under QA's column names too, where the output's column
    does not tell the track; then both tasks are possible.
    """
    names = set(labels.header)
    if (task := detect_task(labels.header)) is None:
        return None
    values: frozenset[TaskName] = frozenset({task})
    roles = [*TASKS[task].roles.values(), *TASKS[task].outputs.values()]
    why = [name for group in roles for name in group if name in names]
    tracked = {*TASKS["qa"].outputs["main"], *TASKS["qa"].outputs["candidates"]}
    if task == "qa" and not names & tracked:
        values |= {"codemix"}
    return Reading("columns", values, ", ".join(why))


def task_by_rows(labels: Labels) -> Reading[TaskName] | None:
    """Read the task off the texts; None where they do not tell.

    Gold chains end with a line `#### N`; QA is in Bengali script, code-mixed QA in Latin script.
    """
    names = set(labels.header)
    if "context" not in names and "answer_evaluated" in names:
        closed = any(split_final_answer(cell)[1] for (cell,) in labels.cells("answer_evaluated"))
        return Reading("rows", frozenset({"reasoning"}), "#### lines") if closed else None
    return _task_by_script(labels) if {"context", "question"} <= names else None


def _task_by_script(labels: Labels) -> Reading[TaskName] | None:
    rows = islice(labels.cells("context", "question"), _ROWS_OF_SCRIPT)
    letters = [char for cells in rows for cell in cells for char in cell if char.isalpha()]
    if not letters:
        return None
    bengali = sum(bool(_BENGALI.match(letter)) for letter in letters)
    if 2 * bengali > len(letters):
        return Reading("rows", frozenset({"qa"}), "Bengali letters")
    return Reading("rows", frozenset({"codemix"}), "Latin letters")


def judged_column(header: Sequence[str], task: Task) -> str | None:
    """Find the column that only holds judged texts: `*_evaluated`, else the candidates'."""
    own = {name for names in task.outputs.values() for name in names}
    chain = own & set(header)
    for name in _EVALUATED:
        # Beside a chain, reasoning's `answer_evaluated` is the chain's final answer.
        if name in header and (name in own or (task.name == "reasoning" and not chain)):
            return name
    return next((name for name in task.outputs["candidates"] if name in header), None)


def gold_column(header: Sequence[str], task: Task) -> str | None:
    """Find the column of gold outputs."""
    return next((name for name in task.outputs["main"] if name in header), None)


def track_by_columns(labels: Labels, task: Task) -> Reading[Track] | None:
    """Read the track off the columns; None where they do not tell.

    Published candidate files hold the gold output too, so a candidate column means candidates. Some
    published files of main rows repeat the gold output in the candidate column. If all rows do, the
    track is main; if there is only one text, that may be chance, and nothing is told.
    """
    judged, gold = judged_column(labels.header, task), gold_column(labels.header, task)
    if judged is None:
        return Reading("columns", frozenset({"main"}), gold) if gold else None
    if gold and (texts := _equal_throughout(labels.cells(judged, gold))):
        if texts == 1:
            return None
        return Reading("rows", frozenset({"main"}), f"{judged} equals {gold} throughout")
    if judged in _EVALUATED:
        return None
    return Reading("columns", frozenset({"candidates"}), judged)


def _equal_throughout(pairs: Iterable[tuple[str, ...]]) -> int:
    """Count the different texts if the two of every pair are equal; else 0.

    Pairs whose judged text is blank are skipped.
    """
    texts = set()
    for judged, gold in pairs:
        if not judged.strip():
            continue
        text = fold(judged)
        if text != fold(gold):
            return 0
        texts.add(text)
    return len(texts)


def track_by_rows(labels: Labels) -> Reading[Track] | None:
    """Read the track off patterns, in their column or in ids such as `7::factualness`."""
    patterns = next((name for name in PATTERN_COLUMNS if name in labels.header), None)
    # If only some rows have one, the table may hold both tracks.
    if patterns and all(cell.strip() for (cell,) in labels.cells(patterns)):
        return Reading("rows", frozenset({"candidates"}), patterns)
    if "id" in labels.header:
        ids = {cell.strip() for (cell,) in labels.cells("id")} - {""}
        if ids and all(_MADE_ID.fullmatch(each) for each in ids):
            return Reading("rows", frozenset({"candidates"}), "ids that name a pattern")
    return None


def named(
    source: Source, words: Mapping[Value, str], everything: Iterable[Value]
) -> Reading[Value] | None:
    """Make the reading of a name; None where it names nothing, or all there is."""
    if not words or set(words) == set(everything):
        return None
    return Reading(source, frozenset(words), ", ".join(words.values()))


def task_by_folder(folders: Iterable[NameReading]) -> Reading[TaskName] | None:
    """Read the task off the nearest folder that names one; None where none does."""
    found = (named("folder", folder.tasks, TASKS) for folder in folders)
    return next((reading for reading in found if reading), None)


def track_by_folder(folders: Iterable[NameReading]) -> Reading[Track] | None:
    """Read the track off the nearest folder that names one; None where none does."""
    found = (named("folder", folder.tracks, TRACKS) for folder in folders)
    return next((reading for reading in found if reading), None)


def fold(text: str) -> str:
    """Normalise for comparison: NFC, runs of white space made one space."""
    return " ".join(unicodedata.normalize("NFC", text).split())
