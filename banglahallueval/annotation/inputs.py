"""From the benchmark's files to drawn forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.annotation.forms import FORMS, FormName
from banglahallueval.annotation.pool import Pool, read_answers, read_conversion, read_task
from banglahallueval.annotation.sampling import Design, draw
from banglahallueval.annotation.study import Part
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import repository_root, short
from banglahallueval.tasks import TASKS, TRACKS, Task, TaskName, Track


@dataclass(frozen=True, slots=True)
class Files:
    """Where rows come from.

    Attributes:
        samples: Whether the repository's samples stand in for the benchmark's files.
        main, candidates: `TASK=CSV` that stand in for either.
        answers: `[MODEL=]CSV` with models' answers.
    """

    samples: bool = False
    main: Sequence[str] = ()
    candidates: Sequence[str] = ()
    answers: Sequence[str] = ()

    def of(self, task: Task) -> dict[Track, Path]:
        """A task's two files.

        Raises:
            UsageError: If one of the benchmark's is not there.
        """
        by_default = task.samples if self.samples else task.files
        given: dict[Track, Sequence[str]] = {"main": self.main, "candidates": self.candidates}
        found = {}
        for track in TRACKS:
            path = _named(given[track], f"--{track}").get(task.name)
            if path is None:
                path = repository_root() / by_default[track]
                if not path.exists():
                    raise UsageError(
                        f"no file {short(path)}; fetch it: python "
                        f"scripts/fetch_datasets.py {task.name}, or take the committed samples "
                        "with --samples"
                    )
            found[track] = path
        return found


def _named(given: Sequence[str], flag: str) -> dict[TaskName, Path]:
    found: dict[TaskName, Path] = {}
    for text in given:
        name, equals, path = text.partition("=")
        task = next((task for task in TASKS if task == name), None)
        if not equals or task is None:
            raise UsageError(f"{flag} {text}: give TASK=CSV, TASK being one of {', '.join(TASKS)}")
        found[task] = Path(path)
    return found


def draw_parts(designs: Mapping[FormName, Design], files: Files) -> list[Part]:
    """Draw each form; code-mixed QA and conversion never share a source.

    Raises:
        UsageError: If a file is missing or unfit.
    """
    parts: list[Part] = []
    for name in FORMS:
        if name not in designs:
            continue
        pool = _pool(name, files)
        taken: frozenset[bytes] = frozenset()
        if name == "conversion":
            drawn = [part.drawn for part in parts if part.pool.form.name == "codemix"]
            taken = frozenset(entry.source for each in drawn for entry in each.entries)
            shared = sum(entry.source in taken for entry in pool.entries)
            pool.left_out["its source is in the codemix sample"] += shared
        parts.append(Part(pool, designs[name], draw(pool, designs[name], taken)))
    return parts


def _pool(name: FormName, files: Files) -> Pool:
    task = FORMS[name].task
    if task is not None:
        return read_task(TASKS[task], files.of(TASKS[task]))
    if name == "conversion":
        return read_conversion(files.of(TASKS["codemix"])["main"])
    if not files.answers:
        raise UsageError("model_outputs needs --answers [MODEL=]CSV, the answers that models gave")
    split = [
        text.rpartition("=") if not Path(text).exists() else ("", "", text)
        for text in files.answers
    ]
    return read_answers((model, Path(path)) for model, _, path in split)
