"""The judge scores on the published rows, if present, as it was measured to."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from banglahallueval.io.tables import read_frame
from banglahallueval.judges.evidence import judge_item
from banglahallueval.tasks import Item, TaskName
from banglahallueval.verdicts import Verdict

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the published rows are absent")

COLUMNS: dict[TaskName, tuple[str, str, str, str, str]] = {
    # question, context of main, of candidates, output of main, of candidates
    "qa": ("question", "context", "context", "correct_answer", "hallucinated_answer"),
    "codemix": (
        "codemix_question",
        "codemix_context",
        "codemix_context",
        "codemix_answer",
        "hallucinated_answer",
    ),
    "summarization": ("", "question", "document", "summary", "hallucinated_summary"),
}


@cache
def items(task: TaskName, track: str) -> list[Item]:
    question, main, candidates, gold, hallucinated = COLUMNS[task]
    context, output = (main, gold) if track == "main" else (candidates, hallucinated)
    rows = read_frame(DATA / f"{task}_{track}.csv").to_dict("records")
    return [Item(task, row.get(question, ""), row[context], row[output]) for row in rows]


@cache
def verdicts(task: TaskName, track: str) -> list[Verdict]:
    return [judge_item(item) for item in items(task, track)]


def rate(task: TaskName, track: str, label: str) -> float:
    mine = verdicts(task, track)
    return sum(verdict.label == label for verdict in mine) / len(mine)


@pytest.mark.parametrize(
    ("task", "alarms", "score"),
    [("codemix", 0.19, 24.5), ("qa", 0.14, 18.0), ("summarization", 0.22, 17.0)],
)
def test_error_rates_stay_within_the_measured(task: TaskName, alarms: float, score: float) -> None:
    """False alarms and BenHalluScore stay below the measured values plus some slack."""
    false_alarms, misses = rate(task, "main", "yes"), rate(task, "candidates", "no")
    assert false_alarms <= alarms
    assert 50 * (false_alarms + misses) <= score


@pytest.mark.parametrize("task", ["qa", "codemix"])
@pytest.mark.parametrize(
    "pad",
    [
        lambda item: f"{item.question} {item.output}",
        lambda item: f"{item.output} {item.question}",
        lambda item: f"{item.question}\n{item.output}\n{item.question}",
    ],
)
def test_gold_padded_with_its_question_is_judged_alike(
    task: TaskName, pad: Callable[[Item], str]
) -> None:
    """Neither length nor sentence shape counts: false alarms stay within 2.5 points."""
    gold = items(task, "main")
    padded = [judge_item(replace(item, output=pad(item))).label for item in gold]
    assert abs(padded.count("yes") / len(gold) - rate(task, "main", "yes")) <= 0.025


@pytest.mark.parametrize("task", ["qa", "codemix", "summarization"])
def test_gold_is_hardly_ever_proven_wrong(task: TaskName) -> None:
    """At most one gold output in two hundred has a proven finding."""
    gold = verdicts(task, "main")
    proven = [each for each in gold if any(finding.proven for finding in each.findings)]
    assert len(proven) <= len(gold) / 200
