"""Read annotators' files into one table of labels per form, with a list of invalid labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.annotation.arguments import NamedFile, path_text
from banglahallueval.annotation.forms import FORMS, Form, FormName, form_of
from banglahallueval.annotation.marks import Marks, read_marks
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table
from banglahallueval.runs.summary import read_as

_TRUE = frozenset({"yes", "y", "true", "1", "unsure", "x", "হ্যাঁ"})
_MOST_SECONDS = 1e6  # eleven days in use on one item: no annotator's


@dataclass(frozen=True, slots=True)
class Problem:
    """A label that does not count.

    Attributes:
        annotator, blind_id, question: Whose label of what.
        problem: `missing` or `invalid`.
        value: The cell's text.
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
        answers: Valid answers, by annotator, question and blind id.
        unsure: Items flagged as unsure, by annotator.
        notes: Notes, by annotator and blind id.
        problems: Labels that are missing or invalid.
        seconds: Seconds of reading and labelling, by annotator and blind id, where they are known.
        marks: What annotators marked in the judged texts, by annotator and blind id: nothing in an
            item labelled no; an item labelled yes that was not marked is not there.
        texts: The judged text by blind id, where the study asks for marks; else None.
    """

    form: Form
    items: list[str]
    answers: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    unsure: dict[str, set[str]] = field(default_factory=dict)
    notes: dict[str, dict[str, str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    seconds: dict[str, dict[str, float]] = field(default_factory=dict)
    marks: dict[str, dict[str, Marks]] = field(default_factory=dict)
    texts: Mapping[str, str] | None = None

    @property
    def annotators(self) -> list[str]:
        """Annotators in the order of their files."""
        return list(self.answers)

    def answers_to(self, question: str, blind_id: str) -> list[str]:
        """Return the valid answers to a question about an item, in the annotators' order."""
        answers = (self.answers[name][question].get(blind_id, "") for name in self.annotators)
        return [answer for answer in answers if answer]

    def markings_of(self, blind_id: str) -> dict[str, Marks]:
        """Return the marks in an item, by annotator, without those who did not mark it."""
        return {name: marks[blind_id] for name, marks in self.marks.items() if blind_id in marks}

    def bare(self, annotator: str) -> list[str]:
        """List the items that an annotator labelled yes but did not mark, in sheet order."""
        answers = self.answers[annotator][self.form.questions[0].name]
        return [
            item
            for item in self.items
            if answers.get(item) == "yes" and item not in self.marks[annotator]
        ]


@dataclass(frozen=True, slots=True)
class SheetItems:
    """The items that labels must belong to.

    Attributes:
        blind_ids: Blind ids in sheet order.
        digest: The sheet's digest; empty if labels of any sheet with these ids are taken.
        texts: The judged text by blind id, where the study asks for marks; else None.
    """

    blind_ids: Sequence[str]
    digest: str = ""
    texts: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of a labels file."""

    path: Path
    annotator: str
    blind_id: str
    cells: Mapping[str, str]
    digest: str


def read_labels(
    files: Iterable[NamedFile], sheets: Mapping[FormName, SheetItems] | None = None
) -> dict[FormName, Labels]:
    """Read any number of annotators' files: page exports, spreadsheets, Label Studio exports.

    Args:
        files: The files, each with the annotator's name or without; then the column `annotator`
            names the annotator, and without that column the file's name does.
        sheets: The items that must be labelled, by form; None for all that occur in the files.

    Raises:
        UsageError: If a file holds no labels, belongs to another sheet than the rest, names an
            unknown item, or labels one twice.
    """
    rows: dict[FormName, dict[str, list[_Row]]] = {}
    for file in files:
        for form, annotator, group in _read_file(file):
            if sheets is not None and form not in sheets:
                raise UsageError(f"{file.path}: the study has no form {form}")
            annotators = rows.setdefault(form, {})
            if annotator in annotators:
                raise UsageError(
                    f"{file.path}: there are labels of {annotator} for {form} already; "
                    "name annotators apart with NAME=PATH"
                )
            annotators[annotator] = group
    labels: dict[FormName, Labels] = {}
    for name in FORMS:
        if name in rows:
            sheet = sheets[name] if sheets is not None else _sheet_of(rows[name])
            labels[name] = _combine(FORMS[name], rows[name], sheet)
    return labels


def _read_file(file: NamedFile) -> Iterator[tuple[FormName, str, list[_Row]]]:
    """Read a file's rows, grouped by form and annotator."""
    table = Table(file.path)
    read_as(table)
    frame = table.frame()
    if "blind_id" not in frame.columns:
        raise UsageError(f"{file.path} holds no labels: it has no column blind_id")
    groups: dict[tuple[FormName, str], list[_Row]] = {}
    for record in frame.to_dict("records"):
        cells = {str(column): str(cell) for column, cell in record.items()}
        if any(cell.strip() for cell in cells.values()):  # spreadsheets leave empty lines behind
            form, row = _read_row(cells, file)
            groups.setdefault((form, row.annotator), []).append(row)
    if not groups:
        raise UsageError(f"{file.path} holds no labels: it has no rows")
    for (name, annotator), group in groups.items():
        yield name, annotator, group


def _read_row(cells: Mapping[str, str], file: NamedFile) -> tuple[FormName, _Row]:
    blind_id = cells["blind_id"].strip()
    form = form_of(blind_id, str(file.path))
    for question in form.questions:
        if question.name not in cells:
            raise UsageError(
                f"{file.path} holds no labels of {form.name}: no column {question.name}"
            )
    annotator = file.name or cells.get("annotator", "").strip() or path_text(Path(file.path.stem))
    return form.name, _Row(file.path, annotator, blind_id, cells, cells.get("sheet", "").strip())


def _sheet_of(rows: Mapping[str, Sequence[_Row]]) -> SheetItems:
    """Collect the items that occur in the rows themselves."""
    return SheetItems(sorted({row.blind_id for group in rows.values() for row in group}))


def _combine(form: Form, rows: Mapping[str, Sequence[_Row]], sheet: SheetItems) -> Labels:
    _check_digests(form, rows, sheet)
    labels = Labels(form, list(sheet.blind_ids), texts=sheet.texts)
    known = set(sheet.blind_ids)
    for annotator, group in rows.items():
        labels.answers[annotator] = {question.name: {} for question in form.questions}
        labels.unsure[annotator], labels.notes[annotator] = set(), {}
        labels.marks[annotator], labels.seconds[annotator] = {}, {}
        labelled: set[str] = set()
        for row in group:
            if row.blind_id not in known:
                raise UsageError(
                    f"{annotator}, {form.name}: the study has no item {row.blind_id!r}"
                )
            if row.blind_id in labelled:
                raise UsageError(f"{annotator}, {form.name}: {row.blind_id} is labelled twice")
            labelled.add(row.blind_id)
            _add_row(labels, row)
        labels.problems += [
            Problem(annotator, item, question.name, "missing", "")
            for item in labels.items
            if item not in labelled
            for question in form.questions
        ]
    return labels


def _check_digests(form: Form, rows: Mapping[str, Sequence[_Row]], sheet: SheetItems) -> None:
    digests = {row.digest for group in rows.values() for row in group if row.digest}
    if sheet.digest and digests - {sheet.digest}:
        raise UsageError(
            f"{form.name}: labels of sheet {', '.join(sorted(digests - {sheet.digest}))}, but the "
            f"study's sheet is {sheet.digest}; it was drawn again after they were labelled"
        )
    if len(digests) > 1:
        raise UsageError(
            f"{form.name}: the files belong to different sheets ({', '.join(sorted(digests))}); "
            "take those of one study"
        )


def _add_row(labels: Labels, row: _Row) -> None:
    for question in labels.form.questions:
        cell = row.cells[question.name]
        answer = question.read(cell)
        if answer:
            labels.answers[row.annotator][question.name][row.blind_id] = answer
        else:
            problem = "missing" if answer == "" else "invalid"
            labels.problems.append(
                Problem(row.annotator, row.blind_id, question.name, problem, cell)
            )
    if row.cells.get("unsure", "").strip().casefold() in _TRUE:
        labels.unsure[row.annotator].add(row.blind_id)
    if note := row.cells.get("note", "").strip():
        labels.notes[row.annotator][row.blind_id] = note
    if cell := row.cells.get("seconds", "").strip():
        labels.seconds[row.annotator][row.blind_id] = _read_seconds(cell, row)
    if labels.form.judged is not None:
        _add_marks(labels, row)


def _read_seconds(cell: str, row: _Row) -> float:
    """Read a number of seconds; spreadsheets may have given it a decimal comma.

    Raises:
        UsageError: If it is none.
    """
    try:
        seconds = float(cell.replace(",", "."))
    except ValueError:
        seconds = float("nan")
    if not 0 <= seconds <= _MOST_SECONDS:
        raise UsageError(
            f"{row.path}, {row.blind_id}: {cell!r} is no number of seconds; export the labels "
            "again, or leave seconds blank"
        )
    return seconds


def _add_marks(labels: Labels, row: _Row) -> None:
    """Take up a row's marks.

    Raises:
        UsageError: If they are no spans of the judged text, or contradict the label.
    """
    cell = row.cells.get("spans", "").strip()
    where = f"{row.path}, {row.blind_id}"
    marks = read_marks(cell, where, (labels.texts or {}).get(row.blind_id))
    question = labels.form.questions[0].name
    answer = labels.answers[row.annotator][question].get(row.blind_id)
    if answer == "no" and marks:
        raise UsageError(f"{where}: {question} is no, but spans {cell} are marked; correct one")
    if answer == "yes" and cell and not marks:
        raise UsageError(
            f"{where}: {question} is yes, but spans is {cell}; mark the item, or leave spans blank"
        )
    if answer == "no" or (answer == "yes" and marks):
        labels.marks[row.annotator][row.blind_id] = marks
