"""The pool that a sample is drawn from: rows of the benchmark's files as entries of one form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import regex

from banglahallueval.annotation.arguments import NamedFile, path_text
from banglahallueval.annotation.forms import FORMS, Form
from banglahallueval.annotation.normalise_layout import normalise_evidence, normalise_output
from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest, file_sha256
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.tasks import TRACKS, Item, Task, Track

# What published scripts wrote where a model failed; "Error: 500" stands for any status.
_FAILURE = regex.compile(r"ERROR|NA|Error: .*")
_REFERENCE_COLUMNS = ("reference_answer", "correct_answer", "right_answer", "answer_text")
_NOT_MODELS = frozenset({"correct", "right", "reference"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One row that may be drawn.

    Attributes:
        texts: The texts of its form, as they are shown.
        source: Hash of its evidence; entries made from one source share it.
        stratum: What the sample is stratified by: a pattern, a model, or nothing.
        track: Its track; None in forms without tracks.
        id: The row's own id, as in the file.
        file: The file it stands in.
        row: 0-based row there.
        item: The raw item that judges see; None in forms that no judge labels.
        matched_set: Number of the matched set it was drawn in; None if it was drawn alone.
    """

    texts: Mapping[str, str]
    source: bytes
    stratum: str
    track: Track | None
    id: str
    file: str
    row: int
    item: Item | None = None
    matched_set: int | None = None


@dataclass
class Pool:
    """All entries of one form.

    Attributes:
        form: The form.
        entries: What can be drawn.
        left_out: Number of rows that cannot be drawn, by reason.
        files: SHA-256 of the files read, by path.
    """

    form: Form
    entries: list[Entry] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    files: dict[str, str] = field(default_factory=dict)
    _seen: set[bytes] = field(default_factory=set, repr=False)

    def add(self, entry: Entry) -> None:
        """Add an entry unless it cannot be labelled or duplicates another."""
        shown = list(entry.texts.values())
        if not all(shown):
            self.left_out["a text is blank"] += 1
        elif any(_FAILURE.fullmatch(entry.texts[name]) for name in self.form.field_names("output")):
            self.left_out["the model failed (ERROR, NA)"] += 1
        elif (key := digest([entry.track or "", entry.stratum, *shown])) in self._seen:
            self.left_out["a duplicate of another row"] += 1
        else:
            self._seen.add(key)
            self.entries.append(entry)


def read_task(task: Task, files: Mapping[Track, Path]) -> Pool:
    """Read both tracks of a task.

    Raises:
        UsageError: If a file is missing, malformed, or of another task or track.
    """
    pool = Pool(FORMS[task.name])
    for track in TRACKS:
        path = files[track]
        table = Table(path)
        layout = find_layout(table.columns, task.name, track, where=str(path))
        pattern_at = table.columns.index(layout.pattern) if layout.pattern else None
        id_at = table.columns.index(layout.id) if layout.id else None
        pool.files[path_text(path)] = file_sha256(path)
        for row, cells in enumerate(table.rows()):
            item = layout.item(cells)
            is_stratified = track == "candidates" and pattern_at is not None
            pool.add(
                Entry(
                    texts=_shown_texts(pool.form, item),
                    source=digest([normalise_evidence(item.evidence)]),
                    stratum=_cell(cells, pattern_at) if is_stratified else "",
                    track=track,
                    id=_cell(cells, id_at),
                    file=path_text(path),
                    row=row,
                    item=item,
                )
            )
    return pool


def _cell(cells: Sequence[str], at: int | None) -> str:
    return "" if at is None else cells[at]


def _shown_texts(form: Form, item: Item) -> dict[str, str]:
    evidence = {"summarization": [item.context], "reasoning": [item.question]}.get(
        form.name, [item.context, item.question]
    )
    output = normalise_output(item.output, steps=form.name == "reasoning")
    texts = [*map(normalise_evidence, evidence), output]
    return dict(zip((field.name for field in form.fields), texts, strict=True))


def read_conversion(path: Path) -> Pool:
    """Read Bangla rows beside their code-mixed conversion.

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
    positions = {name: _position(table, names) for name, names in columns.items()}
    id_at = table.columns.index("id") if "id" in table.columns else None
    pool.files[path_text(path)] = file_sha256(path)
    for row, cells in enumerate(table.rows()):
        texts = {name: normalise_evidence(cells[at]) for name, at in positions.items()}
        pool.add(
            Entry(
                texts=texts,
                source=digest([texts["codemix_context"]]),
                stratum="",
                track=None,
                id=_cell(cells, id_at),
                file=path_text(path),
                row=row,
            )
        )
    return pool


def read_answers(files: Iterable[NamedFile]) -> Pool:
    """Read models' answers beside the reference answer.

    A file holds one answer per row (`model_answer`, with a column `model` or one model per file),
    or one column per model (`qwen_answer`, `gemma_answer`).

    Args:
        files: The files, each with the model's name or without, to go by the columns or the file's
            name.

    Raises:
        UsageError: If a file has no question, reference or model's answer.
    """
    pool = Pool(FORMS["model_outputs"])
    for file in files:
        path = file.path
        table = Table(path)
        question_at = _position(table, ("question",))
        reference_at = _position(table, _REFERENCE_COLUMNS)
        answer_columns = _answer_columns(table, file)
        model_at = None
        if not file.name and "model" in table.columns:
            model_at = table.columns.index("model")
        pool.files[path_text(path)] = file_sha256(path)
        for row, cells in enumerate(table.rows()):
            for model, at in answer_columns.items():
                texts = {
                    "question": normalise_evidence(cells[question_at]),
                    "reference_answer": normalise_evidence(cells[reference_at]),
                    "answer": normalise_output(cells[at]),
                }
                stratum = model if model_at is None else cells[model_at]
                source = digest([texts["question"]])
                pool.add(Entry(texts, source, stratum, None, "", path_text(path), row))
    return pool


def _answer_columns(table: Table, file: NamedFile) -> dict[str, int]:
    """Find the positions of the columns of answers, by model."""
    if "model_answer" in table.columns:
        model = file.name or path_text(Path(file.path.stem))
        return {model: table.columns.index("model_answer")}
    models = {
        name.removesuffix("_answer"): at
        for at, name in enumerate(table.columns)
        if name.endswith("_answer")
    }
    columns = {model: at for model, at in models.items() if model not in _NOT_MODELS}
    if not columns:
        raise UsageError(
            f"{file.path} has no column of a model's answers: name it model_answer, or MODEL_answer"
        )
    return columns


def _position(table: Table, names: Sequence[str]) -> int:
    for name in names:
        if name in table.columns:
            return table.columns.index(name)
    raise UsageError(f"{table.path} has no column {' or '.join(names)}")
