"""What a sample is drawn from: rows of the benchmark's files as entries, whatever their form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import regex

from banglahallueval.annotation import normalise_layout
from banglahallueval.annotation.forms import FORMS, Form
from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest, file_sha256
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.tasks import TRACKS, Item, Task, Track

# What published scripts wrote where a model failed; "Error: 500" stands for any status.
_FAILURE = regex.compile(r"ERROR|NA|Error: .*")


@dataclass(frozen=True, slots=True)
class Entry:
    """One row that may be drawn.

    Attributes:
        texts: The texts of its form, as they are shown.
        source: Stands for what it was made from: its evidence.
        stratum: What the sample is divided by: a pattern, a model, or nothing.
        track: Its track; None in forms without tracks.
        id: The row's own id, as the file has it.
        file: The file it stands in.
        row: 0-based row there.
        item: The raw item that judges see; None in forms that no judge labels.
        set: Number of the look-alike set it was drawn in; None before, and for rows drawn alone.
    """

    texts: Mapping[str, str]
    source: bytes
    stratum: str
    track: Track | None
    id: str
    file: str
    row: int
    item: Item | None = None
    set: int | None = None


@dataclass
class Pool:
    """All entries of one form, and what had to be left out.

    Attributes:
        form: The form.
        entries: What can be drawn.
        left_out: Reasons and counts of rows that cannot be drawn.
        files: SHA-256 of the files read, by path.
    """

    form: Form
    entries: list[Entry] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    files: dict[str, str] = field(default_factory=dict)
    _seen: set[bytes] = field(default_factory=set, repr=False)

    def add(self, entry: Entry) -> None:
        """Take an entry in unless it cannot be labelled or is there already."""
        shown = list(entry.texts.values())
        if not all(shown):
            self.left_out["a text is blank"] += 1
        elif any(_FAILURE.fullmatch(entry.texts[name]) for name in self.form.field_names("output")):
            self.left_out["a model had failed (ERROR, NA)"] += 1
        elif (key := digest([entry.track or "", entry.stratum, *shown])) in self._seen:
            self.left_out["a copy of another row"] += 1
        else:
            self._seen.add(key)
            self.entries.append(entry)


def read_task(task: Task, files: Mapping[Track, Path]) -> Pool:
    """Both tracks of a task.

    Raises:
        UsageError: If a file is missing, malformed or of another task or track.
    """
    pool = Pool(FORMS[task.name])
    for track in TRACKS:
        path = files[track]
        table = Table(path)
        layout = find_layout(table.columns, task.name, track, where=str(path))
        column = {name: at for at, name in enumerate(table.columns)}
        pool.files[str(path)] = file_sha256(path)
        for row, cells in enumerate(table.rows()):
            item = layout.item(cells)
            texts = _shown(pool.form, item)
            pattern = cells[column[layout.pattern]] if layout.pattern else ""
            pool.add(
                Entry(
                    texts=texts,
                    source=digest([normalise_layout.evidence(item.evidence)]),
                    stratum=pattern if track == "candidates" else "",
                    track=track,
                    id=cells[column[layout.id]] if layout.id else "",
                    file=str(path),
                    row=row,
                    item=item,
                )
            )
    return pool


def _shown(form: Form, item: Item) -> dict[str, str]:
    raw = {"summarization": [item.context], "reasoning": [item.question]}.get(
        form.name, [item.context, item.question]
    )
    output = normalise_layout.output(item.output, steps=form.name == "reasoning")
    texts = [*map(normalise_layout.evidence, raw), output]
    return dict(zip((field.name for field in form.fields), texts, strict=True))


def read_conversion(path: Path) -> Pool:
    """Bangla rows beside their code-mixed conversion.

    Raises:
        UsageError: If the file lacks one of the two.
    """
    pool = Pool(FORMS["conversion"])
    table = Table(path)
    columns = {
        "bangla_context": ("context",),
        "codemix_context": ("codemix_context",),
        "bangla_question": ("question",),
        "codemix_question": ("codemix_question",),
        "bangla_answer": ("correct_answer", "right_answer"),
        "codemix_answer": ("codemix_answer",),
    }
    at = {name: _position(table, names) for name, names in columns.items()}
    id_at = table.columns.index("id") if "id" in table.columns else None
    pool.files[str(path)] = file_sha256(path)
    for row, cells in enumerate(table.rows()):
        pool.add(
            Entry(
                texts={name: normalise_layout.evidence(cells[place]) for name, place in at.items()},
                source=digest([normalise_layout.evidence(cells[at["codemix_context"]])]),
                stratum="",
                track=None,
                id="" if id_at is None else cells[id_at],
                file=str(path),
                row=row,
            )
        )
    return pool


def read_answers(files: Iterable[tuple[str, Path]]) -> Pool:
    """Answers that models gave, beside the reference answer.

    A file holds one answer per row (`model_answer`, with a column `model` or one model per file),
    or one column per model (`qwen_answer`, `gemma_answer`).

    Args:
        files: Model name, empty to go by the columns or the file's name, and path.

    Raises:
        UsageError: If a file has no question, reference or model's answer.
    """
    pool = Pool(FORMS["model_outputs"])
    reference = ("reference_answer", "correct_answer", "right_answer", "answer_text")
    for model, path in files:
        table = Table(path)
        question_at, reference_at = _position(table, ("question",)), _position(table, reference)
        answers = _answer_columns(table, model, path)
        model_at = table.columns.index("model") if "model" in table.columns else None
        pool.files[str(path)] = file_sha256(path)
        for row, cells in enumerate(table.rows()):
            for name, place in answers.items():
                texts = {
                    "question": normalise_layout.evidence(cells[question_at]),
                    "reference_answer": normalise_layout.evidence(cells[reference_at]),
                    "answer": normalise_layout.output(cells[place]),
                }
                named = cells[model_at] if model_at is not None and not model else name
                source = digest([texts["question"]])
                pool.add(Entry(texts, source, named, None, "", str(path), row))
    return pool


def _answer_columns(table: Table, model: str, path: Path) -> dict[str, int]:
    if "model_answer" in table.columns:
        return {model or path.stem: table.columns.index("model_answer")}
    others = {"correct", "right", "reference"}
    found = {
        name.removesuffix("_answer"): at
        for at, name in enumerate(table.columns)
        if name.endswith("_answer") and name.removesuffix("_answer") not in others
    }
    if not found:
        raise UsageError(f"{path} has no answers of models: a column model_answer, or NAME_answer")
    return found


def _position(table: Table, names: Sequence[str]) -> int:
    for name in names:
        if name in table.columns:
            return table.columns.index(name)
    raise UsageError(f"{table.path} has no column {' or '.join(names)}")
