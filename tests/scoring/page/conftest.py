"""Labels of three judges on small files of two tasks, and their page in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from banglahallueval.scoring.load import load
from banglahallueval.scoring.report_command import report
from banglahallueval.scoring.results import Results, results
from tests.browsing import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SOURCES = 24
JUDGES = ("good", "turned:round-with-a-long-name", "hasty <b>judge</b>")


def label(judge: str, n: int, *, wrong: bool) -> tuple[str, str, str]:
    """What a judge says: good errs on each eighth, turned round ranks wrong ones low."""
    if judge == JUDGES[2] and n % 6 == 0:
        return "unknown", "timeout", ""
    if judge == JUDGES[1]:
        return ("yes" if n % 2 else "no"), "", str((0.2 if wrong else 0.7) + n % 4 / 20)
    yes = wrong != (n % 8 == 0)
    return ("yes" if yes else "no"), "", str(0.8 if yes else 0.1)


@pytest.fixture(scope="session")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of labelled files."""
    folder = tmp_path_factory.mktemp("labelled")
    for task, context, question, column in (
        ("qa", "context", "question", "correct_answer"),
        ("codemix", "codemix_context", "codemix_question", "codemix_answer"),
    ):
        for track in ("main", "candidates"):
            wrong = track == "candidates"
            for judge in JUDGES:
                said = [label(judge, n, wrong=wrong) for n in range(SOURCES)]
                pd.DataFrame(
                    {
                        "id": range(SOURCES),
                        context: [f"নদী {n} পদ্মা" for n in range(SOURCES)],
                        question: "নাম কী?",
                        "hallucinated_answer" if wrong else column: "যমুনা" if wrong else "পদ্মা",
                        **({"pattern": ["factualness", "inference"] * 12} if wrong else {}),
                        "task": task,
                        "track": track,
                        "judge": judge,
                        "is_hallucinated": [each[0] for each in said],
                        "unknown_reason": [each[1] for each in said],
                        "p_hallucinated": [each[2] for each in said],
                    }
                ).to_csv(folder / f"{task}_{track}_{JUDGES.index(judge)}.csv", index=False)
    return folder


@pytest.fixture(scope="session")
def found(labelled: Path) -> Results:
    """Their scores."""
    return results(load([labelled]))


@pytest.fixture(scope="session")
def written(labelled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Their page."""
    output = tmp_path_factory.mktemp("page") / "report.html"
    assert report("doc", [str(labelled), "--output", str(output)]) == 0
    return output


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A fresh chromium without network services."""
    with chromium() as launched:
        yield launched
