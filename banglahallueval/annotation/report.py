"""Report agreement as tables: summary, pairs, items and problems."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import product
from pathlib import Path

import pandas as pd

from banglahallueval.annotation.agreement import (
    AnnotatorAgreement,
    Coefficient,
    agreement,
    majority,
    pair_agreement,
)
from banglahallueval.annotation.arguments import NamedFile
from banglahallueval.annotation.comparison import HumanLabels, compare_with_humans, majority_labels
from banglahallueval.annotation.forms import Question
from banglahallueval.annotation.labels import Labels, read_labels
from banglahallueval.annotation.pace import pace_lines, pace_tables
from banglahallueval.annotation.span_tables import bare_lines, span_tables
from banglahallueval.annotation.study import read_study
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import check_not_inputs
from banglahallueval.scoring.load import find_files
from banglahallueval.scoring.tables import ReportTable, write

_NOTE = (
    "Items that some annotator did not label count in alpha alone. exact: mean share of agreeing "
    "pairs (the published 'exact agreement'). Brackets: 95 % bootstrap interval over items. Words: "
    "Landis & Koch 1977."
)
_LONG = ("_items", "_problems")
_KEY_COLUMNS = ("task", "track", "pattern", "expected")
_ITEM_COLUMNS = (
    "blind_id",
    *_KEY_COLUMNS,
    "labels",
    "majority",
    "unanimous",
    "agreement",
    "unsure",
    "notes",
    "judged",
    "iou",
)


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """What to report agreement of.

    Attributes:
        labels: The annotators' files.
        output_dir: Folder of the tables.
        study: The study's folder; None to go without its keys.
        judges: Judges' labelled files, folders or globs, to be measured by the humans' labels.
    """

    labels: tuple[NamedFile, ...]
    output_dir: Path
    study: Path | None = None
    judges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Agreement of all forms.

    Attributes:
        tables: All tables.
        problems: Lines that summarise missing and invalid labels.
        notes: Lines on judges and marks that are left out, on items that lack marks, and on items
            labelled too fast.
    """

    tables: tuple[ReportTable, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def summary(self) -> list[ReportTable]:
        """The tables that are short enough to print."""
        return [table for table in self.tables if not table.name.endswith(_LONG)]


def report_agreement(options: AgreementOptions) -> AgreementReport:
    """Measure agreement, and with a study the key and judges, and write all tables.

    Raises:
        UsageError: If a file is unfit, or a form has labels of one annotator alone.
    """
    study = None if options.study is None else read_study(options.study)
    labels_by_form = read_labels(options.labels, None if study is None else study.items())
    for labels in labels_by_form.values():
        _check_annotators(labels)
    judges = find_files(options.judges)
    tables: list[ReportTable] = []
    notes: list[str] = []
    human_labels: dict[Path, HumanLabels] = {}
    for form, labels in labels_by_form.items():
        key = None if study is None else study.read_key(form)
        tables += agreement_tables(labels, key)
        sheet = None if study is None else study.read_sheet(form)
        tables += pace_tables(labels, sheet)
        notes += pace_lines(labels, sheet)
        if labels.texts is not None:
            tables += span_tables(labels, labels.texts)
            notes += bare_lines(labels)
        elif any(marks for given in labels.marks.values() for marks in given.values()):
            notes.append(f"{form}: spans are left out; give --study, which holds the marked texts")
        if key is not None and labels.form.task is not None:
            humans = HumanLabels(labels.form.task, key, majority_labels(labels))
            table, left_out = compare_with_humans(humans, judges)
            human_labels[options.output_dir / f"{form}_human_labels.csv"] = humans
            tables.append(table)
            notes += left_out
    problems = [line for labels in labels_by_form.values() for line in problem_lines(labels)]
    report = AgreementReport(tuple(tables), tuple(problems), tuple(notes))
    _write(report, human_labels, options.output_dir, [*(f.path for f in options.labels), *judges])
    return report


def _write(
    report: AgreementReport,
    human_labels: Mapping[Path, HumanLabels],
    folder: Path,
    inputs: Sequence[Path],
) -> None:
    tables = [folder / f"{table.name}.csv" for table in report.tables]
    summary = [folder / "scores.json", folder / "scores.md"]
    check_not_inputs([*human_labels, *tables, *summary], inputs)
    for path, humans in human_labels.items():
        humans.write(path)
    write(report.tables, folder, ["csv"])
    write(report.summary, folder, ["json", "markdown"])


def _check_annotators(labels: Labels) -> None:
    """Refuse labels that no agreement can be reported of.

    Raises:
        UsageError: If there is one annotator alone, or one named like a column of the item table.
    """
    if len(labels.annotators) < 2:
        raise UsageError(
            f"{labels.form.name}: labels of {labels.annotators[0]} alone; agreement needs two"
        )
    for name in labels.annotators:
        if name in _ITEM_COLUMNS:
            raise UsageError(
                f"an annotator is named {name!r}, like a column of the item table; give the file "
                "as OTHER_NAME=CSV"
            )


def agreement_tables(labels: Labels, key: pd.DataFrame | None) -> Iterator[ReportTable]:
    """Make all tables of one form: agreement, pairs, items, problems.

    Args:
        labels: The annotators' labels.
        key: The key, indexed by blind id, to show what each item is.
    """
    form = labels.form.name
    measured = {question: agreement(labels, question) for question in labels.form.questions}
    yield ReportTable(
        f"{form}_agreement",
        f"{form}: agreement of {len(labels.annotators)} annotators",
        pd.DataFrame([_summary(question, found) for question, found in measured.items()]),
        _NOTE,
    )
    pairs = [
        {"question": question.name, "first": first, "second": second, **_columns("kappa", kappa)}
        for question, found in measured.items()
        for (first, second), kappa in found.cohen.items()
    ]
    yield ReportTable(f"{form}_pairs", f"{form}: Cohen's kappa by pair", pd.DataFrame(pairs))
    for question in labels.form.questions:
        yield ReportTable(
            f"{form}_{question.name}_items",
            f"{form}: {question.name} by item",
            item_table(labels, question, key),
        )
    yield ReportTable(
        f"{form}_problems",
        f"{form}: labels that do not count",
        pd.DataFrame(
            [astuple(problem) for problem in labels.problems],
            columns=["annotator", "blind_id", "question", "problem", "value"],
        ),
    )


def _summary(question: Question, found: AnnotatorAgreement) -> dict[str, object]:
    return {
        "question": question.name,
        "items": found.items,
        "complete": found.complete,
        "dropped": found.items - found.complete,
        "exact": found.exact,
        "unanimous": found.unanimous,
        "unanimity": found.unanimous / found.complete if found.complete else float("nan"),
        **{f"share_{answer}": share for answer, share in found.prevalence.items()},
        **_columns("fleiss", found.fleiss),
        **_columns("alpha", found.alpha),
    }


def _columns(name: str, found: Coefficient) -> dict[str, object]:
    return {
        name: found.value,
        f"{name}_low": found.low,
        f"{name}_high": found.high,
        f"{name}_items": found.items,
        f"{name}_words": found.interpretation,
    }


def item_table(labels: Labels, question: Question, key: pd.DataFrame | None) -> pd.DataFrame:
    """List each item: what it is (given a key), labels, majority, agreement, flags and notes."""
    rows = []
    for item in labels.items:
        answers = labels.answers_to(question.name, item)
        row: dict[str, object] = {"blind_id": item}
        if key is not None:
            row |= {name: key.loc[item, name] for name in _KEY_COLUMNS}
        for annotator, given in labels.answers.items():
            row[annotator] = given[question.name].get(item, "")
        unanimous = len(answers) > 1 and len(set(answers)) == 1
        rows.append(
            row
            | {
                "labels": len(answers),
                "majority": majority(question, answers),
                "unanimous": "yes" if unanimous else "no",
                "agreement": pair_agreement(answers),
                "unsure": ", ".join(n for n, items in labels.unsure.items() if item in items),
                "notes": " / ".join(
                    f"{n}: {notes[item]}" for n, notes in labels.notes.items() if item in notes
                ),
            }
        )
    return pd.DataFrame(rows)


def problem_lines(labels: Labels) -> list[str]:
    """Summarise missing and invalid labels, one line per annotator and kind."""
    items: dict[tuple[str, str], list[str]] = defaultdict(list)
    for problem in labels.problems:
        value = f" {problem.value!r}" if problem.value else ""
        items[problem.annotator, problem.problem].append(problem.blind_id + value)
    lines = []
    for annotator, kind in product(labels.annotators, ("missing", "invalid")):
        if found := items[annotator, kind]:
            shown = ", ".join(found[:10]) + (", …" if len(found) > 10 else "")
            lines.append(f"{labels.form.name}: {annotator}: {len(found)} {kind}: {shown}")
    if any(problem.problem == "invalid" for problem in labels.problems):
        taken = "; ".join(f"{q.name}: {' '.join(q.answers)}" for q in labels.form.questions)
        lines.append(f"{labels.form.name}: valid answers are {taken} (y, TRUE and 1 are yes too)")
    return lines
