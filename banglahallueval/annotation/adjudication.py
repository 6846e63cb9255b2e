"""Items the annotators are split on: a page for whoever decides, and the final labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from banglahallueval.annotation.agreement import majority
from banglahallueval.annotation.forms import Question, Sheet
from banglahallueval.annotation.labels import Labels
from banglahallueval.annotation.page import build_page
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import replacing, write_frame

# Marks this far apart are a disagreement; neighbouring marks are the scale's grain.
_MARKS_APART = 2


def is_split(question: Question, answers: Sequence[str]) -> bool:
    """Whether an item needs a decision: no two labels, or labels that differ (marks: by 2)."""
    if len(answers) < 2:
        return True
    if question.is_scale:
        places = [question.answers.index(answer) for answer in answers]
        return max(places) - min(places) >= _MARKS_APART
    return len(set(answers)) > 1


def split_items(labels: Labels, include_unsure: bool = False) -> list[str]:
    """Blind ids that need a decision, in sheet order.

    Args:
        labels: The annotators' labels.
        include_unsure: Whether an item that anyone flagged needs one too.
    """
    flagged = set().union(*labels.unsure.values()) if include_unsure else set()
    return [
        item
        for item in labels.items
        if item in flagged
        or any(is_split(q, labels.of(q.name, item)) for q in labels.form.questions)
    ]


def write_page(
    path: Path, sheet: Sheet, labels: Labels, items: Sequence[str], name: str, show_votes: bool
) -> None:
    """Write the page an adjudicator decides in.

    Args:
        path: Where to.
        sheet: The study's sheet.
        labels: The annotators' labels.
        items: What to decide.
        name: The adjudicator.
        show_votes: Whether the page shows the annotators' labels and notes, without their names.
    """
    wanted = set(items)
    rows = [(blind_id, texts) for blind_id, texts in sheet.rows if blind_id in wanted]
    part = Sheet(f"{sheet.study} adjudication".strip(), sheet.form, rows)
    votes = {item: _votes(labels, item) for item in items} if show_votes else None
    with replacing(path) as file:
        file.write(build_page(part, name, votes))


def _votes(labels: Labels, item: str) -> list[str]:
    shown = []
    for number, name in enumerate(labels.annotators, 1):
        answers = [labels.answers[name][q.name].get(item, "–") for q in labels.form.questions]
        unsure = " (?)" if item in labels.unsure[name] else ""
        note = labels.notes[name].get(item, "")
        shown.append(f"{number}: {', '.join(answers)}{unsure}" + (f" — {note}" if note else ""))
    return shown


def final_labels(labels: Labels, decided: Labels | None) -> pd.DataFrame:
    """Final labels: the annotators' where they agree, the adjudicator's where not.

    A split item without a decision stays `unknown`; no majority stands in for one.

    Args:
        labels: The annotators' labels.
        decided: The adjudicator's; None before anything is decided.

    Raises:
        UsageError: If several people adjudicated.
    """
    if decided is not None and len(decided.annotators) != 1:
        raise UsageError(f"adjudicated by {', '.join(decided.annotators)}: one person decides")
    rows = []
    for item in labels.items:
        row = {"blind_id": item}
        for question in labels.form.questions:
            given = labels.of(question.name, item)
            decision = decided.of(question.name, item) if decided is not None else []
            if decision:
                row[question.name], how = decision[0], "adjudicated"
            elif is_split(question, given):
                row[question.name], how = "unknown", "undecided"
            else:
                row[question.name] = majority(question, given)
                how = "unanimous" if len(set(given)) == 1 else "median"
            row[f"{question.name}_by"] = how
            row[f"{question.name}_votes"] = " ".join(given)
        rows.append(row)
    return pd.DataFrame(rows)


def write_final(
    path: Path,
    final: pd.DataFrame,
    sheet_texts: Mapping[str, Mapping[str, str]],
    key: pd.DataFrame,
) -> int:
    """Write the gold file: what each item is, its texts as shown, its final labels.

    Returns:
        How many labels are still undecided.
    """
    told = key[["task", "track", "pattern", "expected", "id"]].loc[final["blind_id"]]
    texts = pd.DataFrame([sheet_texts[item] for item in final["blind_id"]])
    parts = [final[["blind_id"]], told, texts, final.drop(columns="blind_id")]
    write_frame(path, pd.concat([part.reset_index(drop=True) for part in parts], axis=1))
    return int((final == "undecided").to_numpy().sum())
