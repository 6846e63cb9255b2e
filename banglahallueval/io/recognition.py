"""What labelled files hold: whose labels, of which task and track.

The user's assignment comes first, then the run record beside the file, then its columns named
`task`, `track`, `judge` and `prompt`. Failing those, its columns, rows, name and folders are read
together: what some leave open the others decide, and contradictory readings are an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import STYLES, Assignments
from banglahallueval.io.contrast import CONTRAST_COLUMNS, is_contrast
from banglahallueval.io.file_names import read_file_name, read_folders, words_of
from banglahallueval.io.layouts import Layout, find_layout
from banglahallueval.io.readings import (
    Labels,
    Reading,
    Value,
    gold_column,
    judged_column,
    named,
    task_by_columns,
    task_by_folder,
    task_by_rows,
    track_by_columns,
    track_by_folder,
    track_by_rows,
)
from banglahallueval.io.records import (
    read_trusted,
    record_path,
    recorded_judge,
    recorded_prompt,
)
from banglahallueval.tasks import TASKS, TRACKS, Task, TaskName, Track

_SAYS = {
    "columns": "its columns say",
    "name": "its name says",
    "folder": "its folder says",
    "rows": "its rows say",
}


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a labelled table holds.

    Attributes:
        layout: Its task, track and columns; the track is None for contrast sets, which have none,
            and where nothing tells it and none is needed.
        judge: Whose labels they are; empty where nothing tells it and none is needed.
        prompt: The prompt's name; empty where nothing tells it.
        record: The run record beside the file; empty where there is none.
        by: What `task`, `track`, `judge` and `prompt` were recognised by.
    """

    layout: Layout
    judge: str
    prompt: str
    record: Mapping[str, Any]
    by: Mapping[str, str]

    def __str__(self) -> str:
        """Describe it, as in `qa main (task by columns; track by name (gt))`."""
        what = f"{self.layout.task.name} {self.layout.track or ''}".strip()
        return f"{what} ({self.how})"

    @property
    def how(self) -> str:
        """Describe what each was recognised by: `task, track by columns; judge by name`."""
        together: dict[str, list[str]] = {}
        for what in ("task", "track", "judge", "prompt"):
            if what in self.by:
                together.setdefault(self.by[what], []).append(what)
        return "; ".join(f"{', '.join(whats)} by {by}" for by, whats in together.items())


def recognise(
    labels: Labels,
    assignments: Assignments,
    told: Mapping[str, str] | None = None,
    record: Mapping[str, Any] | None = None,
    *,
    track_needed: bool = True,
    judge_needed: bool = True,
) -> Recognised:
    """Recognise a labelled table.

    Args:
        labels: The table.
        assignments: What the user says.
        told: What columns named task, track, judge and prompt say, where it has no run record.
        record: The run record of these rows; None for the one beside the file, if it fits.
        track_needed: Whether a table whose track nothing tells is refused.
        judge_needed: The same for its judge.

    Raises:
        UsageError: If readings contradict each other, tell too little, or the columns do not hold
            the task; in one line that names the file and what it was read as.
    """
    if record is None:
        record, _ = read_trusted(labels.path)
    return _Recognition(labels, assignments, told or {}, record).result(track_needed, judge_needed)


class _Recognition:
    """Recognises one table, and collects what is wrong with it."""

    def __init__(
        self,
        labels: Labels,
        assignments: Assignments,
        told: Mapping[str, str],
        record: Mapping[str, Any],
    ) -> None:
        self._labels = labels
        self._record = record
        self._told = told
        self._own = assignments.of(labels.path)
        self._everywhere = assignments.everywhere
        # If the user names another task, the record's track and columns do not apply.
        task = self._own.task or self._everywhere.task
        of_task = self._record if task in (None, self._record.get("task")) else {}
        self._recorded_track: str | None = of_task.get("track")
        self._columns: Mapping[str, str] = assignments.columns or {
            role: name for role, name in of_task.get("columns", {}).items() if name in labels.header
        }
        self._by: dict[str, str] = {}
        self._problems: list[str] = []
        self._is_contrast = is_contrast(labels.header)
        self._judge = self._settled("judge", recorded_judge(self._record))
        self._name = read_file_name(labels.path, words_of(self._judge or ""))
        self._folders = read_folders(labels.path)

    def result(self, track_needed: bool, judge_needed: bool) -> Recognised:
        task = self._task()
        track = self._track(task, track_needed) if task else None
        judge = self._judge or self._judge_by_name(judge_needed)
        if task is None or self._problems:
            path = self._labels.path
            unknown_track = "" if self._is_contrast else "TRACK"
            known = f"{path}={task or 'TASK'}:{track or unknown_track}:{judge or 'JUDGE'}"
            raise UsageError(f'{path}: {"; ".join(self._problems)}; settle it with --as "{known}"')
        prompt = self._prompt(task)
        return Recognised(self._layout(task, track), judge, prompt, self._record, self._by)

    def _settled(self, what: str, recorded: str | None) -> str | None:
        """Look up what the user, the run record or a column of that name says, in that order."""
        for value, by in (
            (getattr(self._own, what), self._own.by),
            (getattr(self._everywhere, what), f"--{what}"),
            (recorded, "run record"),
            (self._told.get(what), f"column {what}"),
        ):
            if value:
                self._by[what] = by
                return str(value)
        return None

    def _task(self) -> TaskName | None:
        if task := self._settled("task", self._record.get("task")):
            return cast(TaskName, task) if self._is_one(task, TASKS, "task") else None
        found = self._decide(
            "task",
            TASKS,
            [task_by_columns(self._labels), named("name", self._name.tasks, TASKS)],
            task_by_folder(self._folders),
            task_by_rows(self._labels),
        )
        if found is None and not self._problems:
            file = record_path(self._labels.path).name
            none = "" if self._record else f", and there is no {file} beside it that does"
            self._problems.append(f"its columns, rows, name and folders tell no task{none}")
        return found

    def _track(self, task: TaskName, needed: bool) -> Track | None:
        if self._is_contrast:
            if self._own.track:
                self._problems.append(
                    f"it is a contrast set (it has {', '.join(CONTRAST_COLUMNS)}), which has no "
                    f"track, but {self._own.by} says {self._own.track}"
                )
            return None
        if track := self._settled("track", self._recorded_track):
            return cast(Track, track) if self._is_one(track, TRACKS, "track") else None
        by_columns = None
        if TASKS[task].output_role not in self._columns:
            by_columns = track_by_columns(self._labels, self._named_as(task))
        found = self._decide(
            "track",
            TRACKS,
            [by_columns, track_by_rows(self._labels), named("name", self._name.tracks, TRACKS)],
            track_by_folder(self._folders),
            named("name", self._name.hints, TRACKS),
        )
        if found is None and not self._problems and needed:
            self._problems.append("its columns, rows, name and folders tell no track")
        return found

    def _decide(
        self,
        what: str,
        everything: Iterable[Value],
        readings: Sequence[Reading[Value] | None],
        folder: Reading[Value] | None,
        hint: Reading[Value] | None,
    ) -> Value | None:
        """Find the one value that readings leave possible; None if they leave none, or several.

        A folder gives way to two other readings that agree, because anything can be put into it. A
        hint decides only what everything else leaves open.
        """
        spoken = [reading for reading in readings if reading]
        left = _common(everything, spoken)
        if folder and (len(left) != 1 or sum(len(each.values) == 1 for each in spoken) < 2):
            spoken.append(folder)
            left = _common(everything, spoken)
        if not left:
            self._problems.append(f"its {what} is contradictory: {_listed(spoken)}")
            return None
        if hint and len(left) > 1 and left & hint.values:
            spoken.append(hint)
            left &= hint.values
        if len(left) > 1:
            return None
        self._by[what] = ", ".join(
            reading.source if reading.source == "columns" else f"{reading.source} ({reading.why})"
            for reading in spoken
        )
        return next(iter(left))

    def _is_one(self, value: str, of: Iterable[str], what: str) -> bool:
        if value in of:
            return True
        self._problems.append(f"{value!r}, by its {self._by[what]}, is no {what}")
        return False

    def _judge_by_name(self, needed: bool) -> str:
        judge = "_".join(self._name.rest)
        if judge:
            self._by["judge"] = "name"
        elif needed:
            self._problems.append("its name tells no judge")
        return judge

    def _prompt(self, task: TaskName) -> str:
        prompt = self._settled("prompt", recorded_prompt(self._record))
        if prompt is None and self._name.style:
            prompt, self._by["prompt"] = self._name.style, f"name ({self._name.style})"
        if prompt is None and not self._record and "judge" not in self._told:
            # Published files name the prompt only if it is another.
            prompt, self._by["prompt"] = "standard", "default"
        return f"{task}.{prompt}" if prompt in STYLES else prompt or ""

    def _layout(self, task: TaskName, track: Track | None) -> Layout:
        header = self._labels.header
        columns = dict(self._columns)
        if self._named_as(task) is not TASKS[task]:
            columns = {r: r for r in ("context", "question") if r in header} | columns
        role = TASKS[task].output_role
        if role not in columns and (output := self._output(task, track)):
            columns[role] = output
        layout = find_layout(header, task, track, columns, str(self._labels.path))
        return replace(layout, track=None) if self._is_contrast else layout

    def _named_as(self, task: TaskName) -> Task:
        """Find the task whose column names the table has.

        The published TigerLLM files hold code-mixed texts under QA's names.
        """
        plain = task == "codemix" and "codemix_question" not in self._labels.header
        return TASKS["qa" if plain else task]

    def _output(self, task: TaskName, track: Track | None) -> str | None:
        """Find the judged column, where `find_layout` would not find it by itself."""
        header, of_task = self._labels.header, self._named_as(task)
        judged, gold = judged_column(header, of_task), gold_column(header, of_task)
        if judged and judged not in of_task.outputs["candidates"]:
            return judged
        if track and (judged or gold):
            if self._by["track"] == "--track" and not self._gold_is_judged(of_task):
                # It is given for all files, so it must not override the columns of this one.
                return None
            return gold or judged if track == "main" else judged or gold
        if of_task is TASKS[task]:
            return None
        return next((name for name in of_task.outputs[None] if name in header), None)

    def _gold_is_judged(self, task: Task) -> bool:
        """Whether the judged texts are the gold outputs beside them."""
        reading = track_by_columns(self._labels, task)
        return reading is not None and reading.source == "rows"


def _common(everything: Iterable[Value], readings: Iterable[Reading[Value]]) -> frozenset[Value]:
    """Intersect the values that the readings leave possible."""
    return frozenset(everything).intersection(*(reading.values for reading in readings))


def _listed(readings: Iterable[Reading[Value]]) -> str:
    return ", ".join(
        f"{_SAYS[each.source]} {' or '.join(sorted(each.values))} ({each.why})" for each in readings
    )
