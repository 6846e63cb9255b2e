"""Annotators' files become one table of labels, with everything wrong in them listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.annotation.forms import FORMS, Form, FormName, form_of
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table
from banglahallueval.runs.summary import read_as

_TRUE = frozenset({"yes", "y", "true", "1", "unsure", "x", "হ্যাঁ"})


@dataclass(frozen=True, slots=True)
class Problem:
    """A label that does not count.

    Attributes:
        annotator, blind_id, question: Whose label of what.
        problem: `missing` or `invalid`.
        value: What stands there.
    """

    annotator: str
    blind_id: str
    question: str
    problem: str
    value: str


@dataclass
class Labels:
    """All labels of one form.

    Attributes:
        form: The form.
        items: Blind ids in sheet order.
        answers: Per annotator, question and blind id the valid answers.
        unsure: Per annotator the items flagged.
        notes: Per annotator and blind id the notes.
        problems: What is missing or invalid.
        sheet: The sheet's digest; empty where the files do not say.
    """

    form: Form
    items: list[str]
    answers: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    unsure: dict[str, set[str]] = field(default_factory=dict)
    notes: dict[str, dict[str, str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    sheet: str = ""

    @property
    def annotators(self) -> list[str]:
        """Annotators in the order of their files."""
        return list(self.answers)

    def of(self, question: str, blind_id: str) -> list[str]:
        """All valid answers to a question about an item, in the annotators' order."""
        given = (self.answers[name][question].get(blind_id, "") for name in self.annotators)
        return [answer for answer in given if answer]


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a labels file."""

    annotator: str
    blind_id: str
    cells: Mapping[str, str]
    sheet: str


def read_labels(
    files: Iterable[str], items: Mapping[FormName, Sequence[str]] | None = None
) -> dict[FormName, Labels]:
    """Read any number of annotators' files: page exports, spreadsheets, Label Studio exports.

    Args:
        files: Paths, each `NAME=PATH` to name the annotator; else the column `annotator` tells, and
            without it the file's name.
        items: The blind ids that must be labelled, by form; else all that occur in the files.

    Raises:
        UsageError: If a file is no labels file, belongs to another sheet than the rest, names an
            item that is not there, or labels one twice.
    """
    rows: dict[FormName, dict[str, list[_Row]]] = {}
    for given in files:
        for form, annotator, part in _read(given):
            people = rows.setdefault(form.name, {})
            if annotator in people:
                raise UsageError(
                    f"{given}: there are labels of {annotator} for {form.name} already; "
                    "name annotators apart with NAME=PATH"
                )
            people[annotator] = part
    order = [name for name in FORMS if name in rows]
    return {name: _combine(FORMS[name], rows[name], (items or {}).get(name)) for name in order}


def _read(given: str) -> list[tuple[Form, str, list[_Row]]]:
    named, _, rest = given.rpartition("=")
    path = Path(given) if not named or Path(given).exists() else Path(rest)
    name = "" if path == Path(given) else named
    table = Table(path)
    read_as(table)
    frame = table.frame()
    if "blind_id" not in frame.columns:
        raise UsageError(f"{path} holds no labels: it has no column blind_id")
    grouped: dict[tuple[FormName, str], list[_Row]] = {}
    for cells in frame.to_dict("records"):
        row = {str(column): str(cell) for column, cell in cells.items()}
        blind_id = row["blind_id"].strip()
        if not blind_id and not any(row.values()):
            continue  # spreadsheets leave empty lines behind
        form = form_of(blind_id, str(path))
        missing = [q.name for q in form.questions if q.name not in row]
        if missing:
            raise UsageError(f"{path} holds no labels of {form.name}: no column {missing[0]}")
        annotator = name or row.get("annotator", "").strip() or path.stem
        line = _Row(annotator, blind_id, row, row.get("sheet", "").strip())
        grouped.setdefault((form.name, annotator), []).append(line)
    return [(FORMS[form], annotator, part) for (form, annotator), part in grouped.items()]


def _combine(form: Form, people: Mapping[str, list[_Row]], wanted: Sequence[str] | None) -> Labels:
    lines = [line for part in people.values() for line in part]
    sheets = sorted({line.sheet for line in lines if line.sheet})
    if len(sheets) > 1:
        raise UsageError(
            f"{form.name}: the files belong to different sheets ({', '.join(sheets)}); "
            "take those of one study"
        )
    items = list(wanted) if wanted is not None else sorted({line.blind_id for line in lines})
    labels = Labels(form, items, sheet="".join(sheets))
    known = set(items)
    for annotator, part in people.items():
        labels.answers[annotator] = {question.name: {} for question in form.questions}
        labels.unsure[annotator], labels.notes[annotator] = set(), {}
        seen: set[str] = set()
        for line in part:
            if line.blind_id not in known:
                raise UsageError(
                    f"{annotator}, {form.name}: the study has no item {line.blind_id!r}"
                )
            if line.blind_id in seen:
                raise UsageError(f"{annotator}, {form.name}: {line.blind_id} is there twice")
            seen.add(line.blind_id)
            _take(labels, line)
        labels.problems += [
            Problem(annotator, item, question.name, "missing", "")
            for item in items
            if item not in seen
            for question in form.questions
        ]
    return labels


def _take(labels: Labels, line: _Row) -> None:
    for question in labels.form.questions:
        cell = line.cells[question.name]
        answer = question.read(cell)
        if answer:
            labels.answers[line.annotator][question.name][line.blind_id] = answer
        else:
            problem = "missing" if answer == "" else "invalid"
            labels.problems.append(
                Problem(line.annotator, line.blind_id, question.name, problem, cell)
            )
    if line.cells.get("unsure", "").strip().casefold() in _TRUE:
        labels.unsure[line.annotator].add(line.blind_id)
    if note := line.cells.get("note", "").strip():
        labels.notes[line.annotator][line.blind_id] = note
