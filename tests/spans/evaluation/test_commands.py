"""Flags of evaluate_spans.py that do not go together are refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.spans.evaluation.commands import evaluate_main
from tests.in_process import ended
from tests.scripting import ROOT

GOLD = ROOT / "Spans" / "samples" / "bangla_gold.csv"


def test_the_scored_file_is_not_written_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = tmp_path / "it.csv"
    found.write_text("id,spans\n1,[]\n", encoding="utf-8")
    words = [f"mine={found}", "--gold", str(GOLD), "--output", str(found)]
    done = ended(capsys, lambda: evaluate_main("Evaluate.", words))
    assert (done.code, "is an input" in done.err) == (2, True)
    assert found.read_text(encoding="utf-8") == "id,spans\n1,[]\n"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["x.csv"], "nothing to score against"),
        (["--gold", str(GOLD)], "nothing to score; name the files of detectors"),
        (["x.csv", "--gold", str(GOLD)], "no file x.csv"),
        (["x", "--gold", "y", "--against", "union"], "give --annotators, no --gold"),
        (["x", "--gold", "y", "--own-spans", "--validation", "z"], "needs no thresholds"),
        (["x", "--gold", "y", "--validation", "z"], "give both"),
        (["x", "--annotators", "y", "z", "--split", "test"], "--split is that of --gold"),
        (["x", "--gold", str(GOLD), "--output", "x.xlsx"], "ends in .csv, .md, .json"),
    ],
)
def test_evaluations_that_cannot_be_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    done = ended(capsys, lambda: evaluate_main("Evaluate.", words))
    assert done.code == 2
    assert problem in done.err
    assert done.err.count("\n") == 1
