"""Adjudicate items that annotators disagree on: a page for the adjudicator, and final labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from banglahallueval.annotation.arguments import NamedFile
from banglahallueval.annotation.forms import FormName, Sheet
from banglahallueval.annotation.labels import Labels, read_labels
from banglahallueval.annotation.page import build_page
from banglahallueval.annotation.settling import final_label, is_split, settled_marks
from banglahallueval.annotation.span_rows import span_rows, write_spans
from banglahallueval.annotation.study import Study, read_study
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import check_not_inputs, keep_apart
from banglahallueval.io.span_columns import listed
from banglahallueval.io.tables import replacing, write_frame


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
        spans_output: CSV of the hallucinated characters as far as they are settled; None for none.
    """

    labels: tuple[NamedFile, ...]
    study: Path
    output_dir: Path
    adjudicator: str = "adjudicator"
    show_votes: bool = False
    include_unsure: bool = False
    decisions: tuple[NamedFile, ...] = ()
    spans_output: Path | None = None


@dataclass(frozen=True, slots=True)
class Votes:
    """What is known of the items to adjudicate.

    Attributes:
        study: The study.
        labels: The annotators' labels by form.
        decisions: The adjudicator's labels by form.
    """

    study: Study
    labels: Mapping[FormName, Labels]
    decisions: Mapping[FormName, Labels]


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


def read_votes(options: AdjudicationOptions) -> Votes:
    """Read the labels and decisions.

    Raises:
        UsageError: If a file is unfit, decides on a form that has no labels, or would be
            overwritten, or if no form of the study has marks to write.
    """
    study = read_study(options.study)
    sheets = study.items()
    labels = read_labels(options.labels, sheets)
    # A page of split items has a digest of its own.
    any_digest = {form: replace(sheet, digest="") for form, sheet in sheets.items()}
    decisions = read_labels(options.decisions, any_digest)
    for name in decisions:
        if name not in labels:
            raise UsageError(f"--adjudicated decides on {name}, but no labels of it are given")
    if options.spans_output is not None:
        if not any(each.texts for each in labels.values()):
            raise UsageError(
                "--spans-output: these labels hold no marks; draw the study with --spans"
            )
        for file in (*options.labels, *options.decisions):
            keep_apart(file.path, **{"spans-output": options.spans_output})
    return Votes(study, labels, decisions)


def write_pages(options: AdjudicationOptions, votes: Votes) -> list[FormResult]:
    """Write a page of the items to decide, for each form that has some.

    Raises:
        UsageError: If a file is unfit.
    """
    results = []
    for name, labels in votes.labels.items():
        sheet = votes.study.read_sheet(name)
        items = items_to_decide(labels, options.include_unsure)
        path = options.output_dir / f"{name}_{options.adjudicator}.html" if items else None
        if path is not None:
            write_page(path, sheet, labels, items, options.adjudicator, options.show_votes)
        results.append(FormResult(name, len(labels.items), len(items), path))
    return results


def write_gold_files(options: AdjudicationOptions, votes: Votes) -> list[FormResult]:
    """Write the final labels of each form.

    Raises:
        UsageError: If a file is unfit.
    """
    study, results = votes.study, []
    inputs = [file.path for file in (*options.labels, *options.decisions)]
    for name, labels in votes.labels.items():
        path = options.output_dir / f"{name}_gold.csv"
        check_not_inputs([path], inputs)
        decisions = votes.decisions.get(name)
        final = final_labels(labels, decisions)
        undecided = write_gold(path, final, study.read_sheet(name), study.read_key(name))
        invalid = _invalid_lines(decisions) if decisions is not None else ()
        results.append(FormResult(name, len(final), undecided, path, invalid))
    return results


def write_agreed_spans(path: Path, votes: Votes) -> tuple[int, int]:
    """Write the hallucinated characters of each item of a form with marks.

    Returns:
        Number of rows, and of those whose characters are undecided.

    Raises:
        UsageError: If a file is unfit.
    """
    rows: list[list[str]] = []
    undecided = 0
    for name, labels in votes.labels.items():
        if labels.texts is None:
            continue
        settled = settled_marks(labels, votes.decisions.get(name))
        # What a form stratifies by is the model only where models' answers are judged.
        patterns = votes.study.read_key(name)["pattern"]
        models = {item: patterns[item] if name == "model_outputs" else "" for item in labels.items}
        rows += span_rows(votes.study.read_sheet(name), settled, models)
        undecided += sum(found.marks is None for found in settled.values())
    return write_spans(path, rows), undecided


def _invalid_lines(decisions: Labels) -> tuple[str, ...]:
    return tuple(
        f"{decisions.form.name}: {problem.blind_id}: {problem.value!r} is no answer to "
        f"{problem.question}"
        for problem in decisions.problems
        if problem.problem == "invalid"
    )


def items_to_decide(labels: Labels, include_unsure: bool = False) -> list[str]:
    """List the blind ids that need a decision, in sheet order.

    Args:
        labels: The annotators' labels.
        include_unsure: Whether items that anyone flagged as unsure are listed too.
    """
    flagged = set().union(*labels.unsure.values()) if include_unsure else set()
    settled = {} if labels.texts is None else settled_marks(labels, None)
    return [
        item
        for item in labels.items
        if item in flagged
        or any(is_split(q, labels.answers_to(q.name, item)) for q in labels.form.questions)
        or (item in settled and settled[item].marks is None)
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
    page_sheet = replace(sheet, study=f"{sheet.study} adjudication".strip(), rows=rows)
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
        text = (labels.texts or {}).get(item, "")
        marks = labels.marks[annotator].get(item, ()) if text else ()
        marked = "".join(f" [{text[start:end]}]" for start, end in marks)
        votes.append(f"{number}: {answers}{marked}{unsure}" + (f" — {note}" if note else ""))
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
    settled = {} if labels.texts is None else settled_marks(labels, decisions)
    rows = []
    for item in labels.items:
        row = {"blind_id": item}
        for question in labels.form.questions:
            label, origin = final_label(labels, decisions, question, item)
            row[question.name] = label
            row[f"{question.name}_by"] = origin
            row[f"{question.name}_votes"] = " ".join(labels.answers_to(question.name, item))
        if found := settled.get(item):
            row["spans"] = "" if found.marks is None else listed(found.marks)
            row["spans_by"] = found.origin
        rows.append(row)
    return pd.DataFrame(rows)


def write_gold(path: Path, final: pd.DataFrame, sheet: Sheet, key: pd.DataFrame) -> int:
    """Write the gold file: what each item is, its texts as shown, its final labels.

    Returns:
        Number of labels that are still undecided, and of items whose marks alone are.
    """
    identity = key[["task", "track", "pattern", "expected", "id"]].loc[final["blind_id"]]
    shown = dict(sheet.rows)
    texts = pd.DataFrame([shown[item] for item in final["blind_id"]])
    parts = [final[["blind_id"]], identity, texts, final.drop(columns="blind_id")]
    write_frame(path, pd.concat([part.reset_index(drop=True) for part in parts], axis=1))
    return int((final == "undecided").to_numpy().sum())
