"""What a labelled file holds: task, track, judge and prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pandas as pd
import regex

from banglahallueval.errors import UsageError
from banglahallueval.io.layouts import Layout, detect_task, find_layout
from banglahallueval.judges.ecot.evidence import GOLD_ON_MAIN
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track

_TRACK_WORDS: Mapping[Track, str] = {
    "main": r"main|gold|gt|ground|truth|correct",
    "candidates": r"candidates?|hallu|hallucinations?|hallucinated|generations?",
}
# What a file name says besides the judge.
_NOT_JUDGE = regex.compile(
    rf"{'|'.join(_TRACK_WORDS.values())}|{'|'.join(TASKS)}|summ|reason|dataset|answers?|sample|"
    r"samples|labels?|labell?ed|eval|evaluation|results?|cot|corrected|selected|banglahallueval|"
    r"somadhan|hallucination|\d{3,}"
)


@dataclass(frozen=True, slots=True)
class LabelledSource:
    """What one labelled file (or the part of it that one judge labelled) is.

    Attributes:
        path: The file.
        task, track, judge, prompt: What it holds; the track is None only where that is allowed,
            and the prompt is empty where nothing tells it.
        record: The run record beside it; empty where there is none.
        rows: How many rows it has.
        notes: What a reader of the scores should know about how the file was read.
    """

    path: Path
    task: TaskName
    track: Track | None
    judge: str
    prompt: str
    record: Mapping[str, Any]
    rows: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """What flags say of all the files given; None leaves it to the files."""

    task: TaskName | None = None
    track: Track | None = None
    judge: str | None = None
    prompt: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)


class _Name:
    """What a file's name says, read as words."""

    def __init__(self, path: Path) -> None:
        self.words = [w for w in regex.split(r"[^\p{L}\p{N}]+|_", path.stem.casefold()) if w]
        self._stem = path.stem

    def task(self) -> TaskName | None:
        found = (name for name in TASKS if name in self.words or name[:4] in self.words)
        return next(found, None)

    def track(self) -> Track | None:
        said = [t for t in TRACKS if any(regex.fullmatch(_TRACK_WORDS[t], w) for w in self.words)]
        return said[0] if len(said) == 1 else None

    def prompt(self, task: TaskName) -> str:
        return f"{task}.cot" if "cot" in self.words else ""

    def judge(self) -> str:
        rest = [word for word in self.words if not _NOT_JUDGE.fullmatch(word)]
        return "_".join(rest) or self._stem


def identify(
    path: Path,
    named: Named,
    record: Mapping[str, Any],
    told: Mapping[str, str],
    frame: pd.DataFrame,
    *,
    track_needed: bool,
) -> tuple[LabelledSource, Layout]:
    """Find what a file holds, and where: by flags, else its run record, its columns, its name.

    Args:
        path: The file.
        named: What flags say.
        record: The run record beside it.
        told: What columns named `task`, `track`, `judge`, `prompt` say.
        frame: Its rows.
        track_needed: Whether a file whose track nothing tells is an error.

    Raises:
        UsageError: If nothing tells something that is needed.
    """
    header = [str(column) for column in frame.columns]
    name = _Name(path)
    task = named.task or record.get("task") or told.get("task") or detect_task(header)
    task = task or name.task()
    if task not in TASKS:
        raise UsageError(f"{path}: which task it is cannot be told; give --task")
    track = named.track or record.get("track") or told.get("track")
    if track is not None and track not in TRACKS:
        raise UsageError(f"{path}: {track!r} is no track; give --track main or candidates")
    columns = named.columns or record.get("columns") or {}
    layout = find_layout(header, cast(TaskName, task), track, columns, str(path))

    notes = []
    found = layout.track or _track_of_patterns(layout, frame)
    if found is None and (found := name.track()):
        notes.append(f"track {found} by the file's name")
    if found is None and track_needed:
        raise UsageError(
            f"{path}: its columns and name tell no track; give --track main|candidates"
        )
    judge = named.judge or _judge(record) or told.get("judge")
    if judge is None:
        judge = name.judge()
        notes.append("judge by the file's name")
    prompt = named.prompt or _prompt(record) or told.get("prompt") or name.prompt(layout.task.name)
    if _gold_on_main(layout.task.name, found, record):
        notes.append(GOLD_ON_MAIN)
    source = LabelledSource(path, layout.task.name, found, judge, prompt, record, len(frame))
    return replace(source, notes=tuple(notes)), layout


def _track_of_patterns(layout: Layout, frame: pd.DataFrame) -> Track | None:
    made = layout.pattern is not None and frame[layout.pattern].ne("").any()
    return "candidates" if made else None


def _gold_on_main(task: TaskName, track: Track | None, record: Mapping[str, Any]) -> bool:
    evidence = (record.get("judge") or {}).get("evidence")
    return task == "reasoning" and track == "main" and evidence == "gold"


def _judge(record: Mapping[str, Any]) -> str | None:
    judge = record.get("judge") or {}
    model = judge.get("model")
    name = model.get("name") if isinstance(model, dict) else model or judge.get("name")
    # A hybrid combined from a file says so in its name; one that asked a model has that model's.
    asked = judge.get("kind") == "hybrid" and "offline_first" not in judge
    return f"hybrid {name}" if asked else name


def _prompt(record: Mapping[str, Any]) -> str | None:
    prompt = (record.get("judge") or {}).get("prompt")
    return prompt.get("name") if isinstance(prompt, dict) else prompt
