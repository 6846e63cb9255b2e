"""The flags that name the files of several tasks and tracks at once, and the files they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from banglahallueval.errors import UsageError, suggestion
from banglahallueval.io.paths import repository_root, short
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track


def read_sources(
    named: Iterable[str], tasks: Sequence[TaskName], tracks: Sequence[Track], *, samples: bool
) -> dict[tuple[TaskName, Track], Path]:
    """Find the file of each task and track: named, published, or (asked for) a sample.

    Args:
        named: What `--input` says, each TASK.TRACK=CSV.
        tasks: The tasks of the run.
        tracks: Its tracks.
        samples: Whether the committed samples stand in for the published files.

    Raises:
        UsageError: If a file is absent, or one is named for no task and track of the run.
    """
    given: dict[str, Path] = {}
    for text in named:
        where, equals, name = text.partition("=")
        if not equals or where not in {f"{task}.{track}" for task in TASKS for track in TRACKS}:
            raise UsageError(f"--input {text}: give TASK.TRACK=CSV, as in qa.main=answers.csv")
        given[where] = Path(name)
    found = {}
    for task in tasks:
        for track in tracks:
            default = TASKS[task].samples if samples else TASKS[task].files
            path = given.pop(f"{task}.{track}", None) or repository_root() / default[track]
            if not path.exists():
                raise UsageError(
                    f"no file {short(path)}; obtain the published one with `python "
                    f"scripts/fetch_datasets.py {task}`, name your own with --input "
                    f"{task}.{track}=CSV, leave its task or track out, or try the "
                    "committed samples with --samples"
                )
            found[task, track] = path
    if given:
        raise UsageError(f"--input {next(iter(given))}: not a task and track of this run")
    return found


def read_names(text: str, known: Sequence[str], flag: str) -> list[str]:
    """Read names separated by commas.

    Raises:
        UsageError: If one is not among those known.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise UsageError(
                f"{flag}: invalid choice: {name!r}{suggestion(name, known)} (choose from "
                f"{', '.join(known)})"
            )
    return names
