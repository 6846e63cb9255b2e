"""What a labelled file's columns, name, folders and rows each say of its task and track."""

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

Value = TypeVar("Value", TaskName, Track)
Source = Literal["columns", "name", "folder", "rows"]

_BENGALI = regex.compile(r"\p{Bengali}")
_MADE_ID = regex.compile(
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
        rows: Gives its rows, each time anew.
    """

    path: Path
    header: Sequence[str]
    rows: Callable[[], Iterable[Sequence[str]]]

    def cells(self, *names: str) -> Iterator[tuple[str, ...]]:
        """The cells of some columns, row by row."""
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
    """What the columns say of the task; None where they say nothing.

    Answers to a question about a context are QA's where the answer's column is; published files
    hold code-mixed ones under the same names where the column tells no track either.
    """
    names = set(labels.header)
    if (task := detect_task(labels.header)) is None:
        return None
    values = frozenset({task})
    roles = [*TASKS[task].roles.values(), *TASKS[task].outputs.values()]
    why = [name for group in roles for name in group if name in names]
    if task == "qa" and not names & {*qa_outputs("main"), *qa_outputs("candidates")}:
        values |= {"codemix"}
    return Reading("columns", values, ", ".join(why))


def qa_outputs(track: Track) -> tuple[str, ...]:
    """The columns that hold QA's outputs of a track."""
    return TASKS["qa"].outputs[track]


def task_by_rows(labels: Labels) -> Reading[TaskName] | None:
    """What the texts say of the task; None where they say nothing.

    Chains close with a line `#### N`; QA is in Bengali script, and code-mixed QA in Latin.
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
    """The column that only a judged text can stand in: `*_evaluated`, else a candidate's."""
    own = {name for names in task.outputs.values() for name in names}
    chain = own & set(header)
    for name in _EVALUATED:
        # Beside a chain, reasoning's `answer_evaluated` is the chain's final answer.
        if name in header and (name in own or (task.name == "reasoning" and not chain)):
            return name
    return next((name for name in task.outputs["candidates"] if name in header), None)


def gold_column(header: Sequence[str], task: Task) -> str | None:
    """The column of gold outputs."""
    return next((name for name in task.outputs["main"] if name in header), None)


def track_by_columns(labels: Labels, task: Task) -> Reading[Track] | None:
    """What the columns, and gold outputs beside the judged ones, say of the track.

    Published candidate files hold the gold output too, so a candidate column means candidates. Some
    published files hold the gold output in both columns: these are main. A single row that does
    might be chance, and says nothing. None where nothing is said.
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
    """Number of different texts if the two of every pair are equal, else 0.

    Pairs with nothing judged are left out.
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
    """What patterns, by column or in ids such as `7::factualness`, say of the track."""
    patterns = next((name for name in PATTERN_COLUMNS if name in labels.header), None)
    # Where only some rows have one, the table may hold both tracks.
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
    """What the words of a name say; None where it names nothing, or everything there is."""
    if not words or set(words) == set(everything):
        return None
    return Reading(source, frozenset(words), ", ".join(words.values()))


def task_by_folder(folders: Iterable[NameReading]) -> Reading[TaskName] | None:
    """What the nearest folder that names a task says; None where none does."""
    found = (named("folder", folder.tasks, TASKS) for folder in folders)
    return next((reading for reading in found if reading), None)


def track_by_folder(folders: Iterable[NameReading]) -> Reading[Track] | None:
    """What the nearest folder that names a track says; None where none does."""
    found = (named("folder", folder.tracks, TRACKS) for folder in folders)
    return next((reading for reading in found if reading), None)


def fold(text: str) -> str:
    """Fold what does not make two texts differ: normal form and white space."""
    return " ".join(unicodedata.normalize("NFC", text).split())
