"""Agreement as tables: the summary, each item, each problem."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from banglahallueval.annotation.agreement import (
    AnnotatorAgreement,
    Coefficient,
    agreement,
    majority,
    pair_agreement,
)
from banglahallueval.annotation.forms import Question
from banglahallueval.annotation.labels import Labels
from banglahallueval.scoring.tables import ReportTable

_NOTE = (
    "Items that not all annotators labelled are left out of all columns but alpha. exact: mean "
    "share of agreeing pairs (the published 'exact agreement'). Brackets: 95 % bootstrap interval "
    "over items. Words: Landis & Koch 1977."
)


def tables(labels: Labels, key: pd.DataFrame | None) -> Iterator[ReportTable]:
    """All tables of one form: agreement, pairs, items, problems.

    Args:
        labels: The annotators' labels.
        key: The key, indexed by blind id, for what each item is.
    """
    name = labels.form.name
    found = {question: agreement(labels, question) for question in labels.form.questions}
    yield ReportTable(
        f"{name}_agreement",
        f"{name}: agreement of {len(labels.annotators)} annotators",
        pd.DataFrame([_summary(question, each) for question, each in found.items()]),
        _NOTE,
    )
    yield ReportTable(
        f"{name}_pairs",
        f"{name}: Cohen's kappa of each two",
        pd.DataFrame(
            [
                {"question": q.name, "first": a, "second": b, **_columns("kappa", each)}
                for q, agreed in found.items()
                for (a, b), each in agreed.cohen.items()
            ]
        ),
    )
    for question in labels.form.questions:
        yield ReportTable(
            f"{name}_{question.name}_items",
            f"{name}: {question.name} by item",
            item_table(labels, question, key),
        )
    yield ReportTable(
        f"{name}_problems",
        f"{name}: labels that do not count",
        pd.DataFrame(
            [
                [each.annotator, each.blind_id, each.question, each.problem, each.value]
                for each in labels.problems
            ],
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
        f"{name}_words": found.words,
    }


def item_table(labels: Labels, question: Question, key: pd.DataFrame | None) -> pd.DataFrame:
    """Each item: what it is (with a key), each label, majority, unanimity, agreement, flags."""
    rows = []
    for item in labels.items:
        given = labels.of(question.name, item)
        known = {} if key is None else dict(key.loc[item])
        notes = [f"{n}: {t[item]}" for n, t in labels.notes.items() if item in t]
        rows.append(
            {
                "blind_id": item,
                **{name: known[name] for name in ("task", "track", "pattern", "expected") if known},
                **{
                    name: labels.answers[name][question.name].get(item, "")
                    for name in labels.annotators
                },
                "labels": len(given),
                "majority": majority(question, given),
                "unanimous": _yes_no(len(given) > 1 and len(set(given)) == 1),
                "agreement": pair_agreement(given),
                "unsure": ", ".join(n for n, items in labels.unsure.items() if item in items),
                "notes": " / ".join(notes),
            }
        )
    return pd.DataFrame(rows)


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def problem_lines(labels: Labels) -> list[str]:
    """What is missing or invalid, one line per annotator and kind."""
    lines = []
    for name in labels.annotators:
        for kind in ("missing", "invalid"):
            items = [
                p.blind_id + (f" {p.value!r}" if p.value else "")
                for p in labels.problems
                if (p.annotator, p.problem) == (name, kind)
            ]
            if items:
                shown = ", ".join(items[:10]) + (", …" if len(items) > 10 else "")
                lines.append(f"{labels.form.name}: {name}: {len(items)} {kind}: {shown}")
    if any(p.problem == "invalid" for p in labels.problems):
        taken = "; ".join(f"{q.name}: {' '.join(q.answers)}" for q in labels.form.questions)
        lines.append(f"{labels.form.name}: valid answers are {taken} (y, TRUE and 1 are yes too)")
    return lines
