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


def identify(
    path: Path,
    named: Named,
    record: Mapping[str, Any],
    told: Mapping[str, Any],
    frame: pd.DataFrame,
    *,
    track_needed: bool,
) -> tuple[LabelledSource, Layout]:
    """What a file holds, and where: by flags, else its run record, its columns, its name.

    Args:
        path: The file.
        named: What flags say.
        record: The run record beside it.
        told: What columns named `task`, `track`, `judge`, `prompt` say.
        frame: Its rows.
        track_needed: Whether a file whose track nothing tells is an error.

    Raises:
        UsageError: If something needed cannot be told.
    """
    header = [str(name) for name in frame.columns]
    words = regex.split(r"[^\p{L}\p{N}]+|_", path.stem.casefold())
    notes = []

    task = named.task or record.get("task") or told.get("task") or detect_task(header)
    task = task or next((name for name in TASKS if name in words or name[:4] in words), None)
    if task not in TASKS:
        raise UsageError(f"{path}: which task it is cannot be told; give --task")
    track = named.track or record.get("track") or told.get("track")
    if track is not None and track not in TRACKS:
        raise UsageError(f"{path}: {track!r} is no track; give --track main or candidates")
    columns = named.columns or record.get("columns") or {}
    layout = find_layout(header, cast(TaskName, task), track, columns, str(path))
    track = layout.track
    if track is None and layout.pattern is not None and frame[layout.pattern].ne("").any():
        track = "candidates"
    by_name = [t for t in TRACKS if any(regex.fullmatch(_TRACK_WORDS[t], w) for w in words)]
    if track is None and len(by_name) == 1:
        track = by_name[0]
        notes.append(f"track {track} by the file's name")
    if track is None and track_needed:
        raise UsageError(
            f"{path}: its columns and name tell no track; give --track main|candidates"
        )

    judge = named.judge or _judge(record) or told.get("judge")
    if judge is None:
        rest = [w for w in words if w and not _NOT_JUDGE.fullmatch(w)]
        judge = "_".join(rest) or path.stem
        notes.append("judge by the file's name")
    told_judge = record.get("judge") or {}
    prompt = named.prompt or _prompt(record) or told.get("prompt") or ""
    if not prompt and "cot" in words:
        prompt = f"{task}.cot"
    if task == "reasoning" and track == "main" and told_judge.get("evidence") == "gold":
        notes.append(GOLD_ON_MAIN)
    source = LabelledSource(path, cast(TaskName, task), track, judge, prompt, record, len(frame))
    return replace(source, notes=tuple(notes)), layout


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
