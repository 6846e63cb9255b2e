"""Adjudicate items that annotators disagree on: a page for the adjudicator, and final labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from banglahallueval.annotation.agreement import majority
from banglahallueval.annotation.arguments import NamedFile, check_not_inputs
from banglahallueval.annotation.forms import FormName, Question, Sheet
from banglahallueval.annotation.labels import Labels, SheetItems, read_labels
from banglahallueval.annotation.page import build_page
from banglahallueval.annotation.study import read_study
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import replacing, write_frame

# Marks this far apart are a disagreement; neighbouring marks are within the scale's precision.
_MARKS_APART = 2


@dataclass(frozen=True, slots=True)
class AdjudicationOptions:
    """What to adjudicate, and how.

    Attributes:
        labels: The annotators' files.
        study: The study's folder.
        output_dir: Folder of the pages or gold files.
        adjudicator: Name of the person who decides.
        show_votes: Whether pages show the annotators' labels and notes, without their names.
        include_unsure: Whether flagged items are decided too.
        decisions: The adjudicator's files.
    """

    labels: tuple[NamedFile, ...]
    study: Path
    output_dir: Path
    adjudicator: str = "adjudicator"
    show_votes: bool = False
    include_unsure: bool = False
    decisions: tuple[NamedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class FormResult:
    """What was written of one form.

    Attributes:
        form: The form.
        items: Number of its items.
        open: Number of items to decide on a page, or of labels undecided in a gold file.
        path: The page or gold file; None where there is nothing to decide.
        invalid: Lines on decisions that are invalid.
    """

    form: FormName
    items: int
    open: int
    path: Path | None
    invalid: tuple[str, ...] = ()


def write_pages(options: AdjudicationOptions) -> list[FormResult]:
    """Write a page of the items to decide, for each form that has some.

    Raises:
        UsageError: If a file is unfit.
    """
    study = read_study(options.study)
    results = []
    for name, labels in read_labels(options.labels, study.items()).items():
        sheet = study.read_sheet(name)
        items = items_to_decide(labels, options.include_unsure)
        path = options.output_dir / f"{name}_{options.adjudicator}.html" if items else None
        if path is not None:
            write_page(path, sheet, labels, items, options.adjudicator, options.show_votes)
        results.append(FormResult(name, len(labels.items), len(items), path))
    return results


def write_gold_files(options: AdjudicationOptions) -> list[FormResult]:
    """Write the final labels of each form.

    Raises:
        UsageError: If a file is unfit, or decides on a form that has no labels.
    """
    study = read_study(options.study)
    sheets = study.items()
    labels_by_form = read_labels(options.labels, sheets)
    # A page of split items has a digest of its own.
    any_digest = {form: SheetItems(sheet.blind_ids) for form, sheet in sheets.items()}
    decisions_by_form = read_labels(options.decisions, any_digest)
    for name in decisions_by_form:
        if name not in labels_by_form:
            raise UsageError(f"--adjudicated decides on {name}, but no labels of it are given")
    results = []
    inputs = [file.path for file in (*options.labels, *options.decisions)]
    for name, labels in labels_by_form.items():
        path = options.output_dir / f"{name}_gold.csv"
        check_not_inputs([path], inputs)
        decisions = decisions_by_form.get(name)
        final = final_labels(labels, decisions)
        undecided = write_gold(path, final, study.read_sheet(name), study.read_key(name))
        invalid = _invalid_lines(decisions) if decisions is not None else ()
        results.append(FormResult(name, len(final), undecided, path, invalid))
    return results


def _invalid_lines(decisions: Labels) -> tuple[str, ...]:
    return tuple(
        f"{decisions.form.name}: {problem.blind_id}: {problem.value!r} is no answer to "
        f"{problem.question}"
        for problem in decisions.problems
        if problem.problem == "invalid"
    )


def is_split(question: Question, answers: Sequence[str]) -> bool:
    """Tell whether an item needs a decision: fewer than two labels, or unlike (marks: by 2)."""
    if len(answers) < 2:
        return True
    if question.is_scale:
        marks = [question.answers.index(answer) for answer in answers]
        return max(marks) - min(marks) >= _MARKS_APART
    return len(set(answers)) > 1


def items_to_decide(labels: Labels, include_unsure: bool = False) -> list[str]:
    """List the blind ids that need a decision, in sheet order.

    Args:
        labels: The annotators' labels.
        include_unsure: Whether items that anyone flagged as unsure are listed too.
    """
    flagged = set().union(*labels.unsure.values()) if include_unsure else set()
    return [
        item
        for item in labels.items
        if item in flagged
        or any(is_split(q, labels.answers_to(q.name, item)) for q in labels.form.questions)
    ]


def write_page(
    path: Path, sheet: Sheet, labels: Labels, items: Sequence[str], name: str, show_votes: bool
) -> None:
    """Write the page that an adjudicator decides in.

    Args:
        path: The page.
        sheet: The study's sheet.
        labels: The annotators' labels.
        items: Blind ids to decide.
        name: The adjudicator.
        show_votes: Whether the page shows the annotators' labels and notes, without their names.
    """
    wanted = set(items)
    rows = [(blind_id, texts) for blind_id, texts in sheet.rows if blind_id in wanted]
    page_sheet = Sheet(f"{sheet.study} adjudication".strip(), sheet.form, rows)
    votes = {item: _votes(labels, item) for item in items} if show_votes else None
    with replacing(path) as file:
        file.write(build_page(page_sheet, name, votes))


def _votes(labels: Labels, item: str) -> list[str]:
    votes = []
    for number, annotator in enumerate(labels.annotators, 1):
        given = labels.answers[annotator]
        answers = ", ".join(given[q.name].get(item, "–") for q in labels.form.questions)
        unsure = " (?)" if item in labels.unsure[annotator] else ""
        note = labels.notes[annotator].get(item, "")
        votes.append(f"{number}: {answers}{unsure}" + (f" — {note}" if note else ""))
    return votes


def final_labels(labels: Labels, decisions: Labels | None) -> pd.DataFrame:
    """Settle each label: the annotators' where they agree, the adjudicator's where they do not.

    A split item without a decision stays `unknown`; no majority stands in for one.

    Args:
        labels: The annotators' labels.
        decisions: The adjudicator's labels; None before anything is decided.

    Raises:
        UsageError: If several people adjudicated.
    """
    if decisions is not None and len(decisions.annotators) != 1:
        raise UsageError(
            f"adjudicated by {', '.join(decisions.annotators)}; give one adjudicator's decisions"
        )
    rows = []
    for item in labels.items:
        row = {"blind_id": item}
        for question in labels.form.questions:
            answers = labels.answers_to(question.name, item)
            decided = decisions.answers_to(question.name, item) if decisions is not None else []
            label, origin = _settle(question, answers, decided)
            row[question.name] = label
            row[f"{question.name}_by"] = origin
            row[f"{question.name}_votes"] = " ".join(answers)
        rows.append(row)
    return pd.DataFrame(rows)


def _settle(question: Question, answers: Sequence[str], decided: Sequence[str]) -> tuple[str, str]:
    """Return the final label and its origin."""
    if decided:
        return decided[0], "adjudicated"
    if is_split(question, answers):
        return "unknown", "undecided"
    return majority(question, answers), "unanimous" if len(set(answers)) == 1 else "median"


def write_gold(path: Path, final: pd.DataFrame, sheet: Sheet, key: pd.DataFrame) -> int:
    """Write the gold file: what each item is, its texts as shown, its final labels.

    Returns:
        Number of labels that are still undecided.
    """
    identity = key[["task", "track", "pattern", "expected", "id"]].loc[final["blind_id"]]
    shown = dict(sheet.rows)
    texts = pd.DataFrame([shown[item] for item in final["blind_id"]])
    parts = [final[["blind_id"]], identity, texts, final.drop(columns="blind_id")]
    write_frame(path, pd.concat([part.reset_index(drop=True) for part in parts], axis=1))
    return int((final == "undecided").to_numpy().sum())
