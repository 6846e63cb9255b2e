"""Find the files that a study draws from, and draw its forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.annotation.arguments import NamedFile
from banglahallueval.annotation.forms import FORMS, FormName
from banglahallueval.annotation.pool import Pool, read_answers, read_conversion, read_task
from banglahallueval.annotation.sampling import Design, draw
from banglahallueval.annotation.study_writer import FormSample
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import no_file, repository_root
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track


@dataclass(frozen=True, slots=True)
class InputFiles:
    """The files that entries come from.

    Attributes:
        use_samples: Whether the repository's samples replace the benchmark's files.
        given: Files that replace either, by track and task.
        answers: Files of models' answers.
    """

    use_samples: bool = False
    given: Mapping[Track, Mapping[TaskName, Path]] = field(default_factory=dict)
    answers: tuple[NamedFile, ...] = ()

    def find(self, task: TaskName, track: Track) -> Path:
        """Find the file of a task and track.

        Raises:
            UsageError: If it is the benchmark's and has not been fetched.
        """
        if given := self.given.get(track, {}).get(task):
            return given
        by_default = TASKS[task].samples if self.use_samples else TASKS[task].files
        path = repository_root() / by_default[track]
        if not path.exists():
            raise UsageError(no_file(path, "--samples"))
        return path


def draw_forms(designs: Mapping[FormName, Design], files: InputFiles) -> list[FormSample]:
    """Draw each form; code-mixed QA and conversion never share a source.

    Raises:
        UsageError: If a file is missing or unfit.
    """
    samples: list[FormSample] = []
    codemix_sources: frozenset[bytes] = frozenset()
    for name in FORMS:
        if name not in designs:
            continue
        pool, design = _read_pool(name, files), designs[name]
        excluded = codemix_sources if name == "conversion" else frozenset()
        if shared := sum(entry.source in excluded for entry in pool.entries):
            pool.left_out["its source is in the codemix sample"] += shared
        sample = draw(pool, design, excluded)
        if name == "codemix":
            codemix_sources = frozenset(entry.source for entry in sample.entries)
        samples.append(FormSample(pool, design, sample))
    return samples


def _read_pool(name: FormName, files: InputFiles) -> Pool:
    task = FORMS[name].task
    if task is not None:
        return read_task(TASKS[task], {track: files.find(task, track) for track in TRACKS})
    if name == "conversion":
        return read_conversion(files.find("codemix", "main"))
    return read_answers(files.answers)
