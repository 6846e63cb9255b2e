"""A judge's own p_hallucinated as a sweep."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from banglahallueval.abstention.judged import NO_PROBABILITY, read_verdicts
from banglahallueval.abstention.metrics import measure
from banglahallueval.abstention.types import Trial
from banglahallueval.abstention.verdicts import evaluate_verdicts
from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignments
from banglahallueval.runs.options import RunOptions

CONTEXT = "বাংলাদেশের দীর্ঘতম নদীর নাম পদ্মা।"


def label(path: Path, track: str, verdicts: list[tuple[str, str]], judge: str = "alpha") -> Path:
    """Write a labelled file of QA: label and p_hallucinated per row, each of its own context."""
    output = {"main": "correct_answer", "candidates": "hallucinated_answer"}[track]
    pd.DataFrame(
        {
            "id": range(len(verdicts)),
            "context": [f"{CONTEXT} {n}" for n in range(len(verdicts))],
            "question": "নাম কী?",
            output: "পদ্মা" if track == "main" else "যমুনা",
            "judge": judge,
            "is_hallucinated": [said for said, _ in verdicts],
            "unknown_reason": ["timeout" if said == "unknown" else "" for said, _ in verdicts],
            "p_hallucinated": [p for _, p in verdicts],
        }
    ).to_csv(path, index=False)
    return path


def outcomes(made: list[Trial], t: float) -> list[str]:
    """The outcomes at a threshold."""
    return [trial.outcome for trial in made if trial.t == t]


def test_the_label_is_right_where_the_track_expects_it(tmp_path: Path) -> None:
    """Main rows expect no, candidates yes."""
    main = label(tmp_path / "qa_main.csv", "main", [("no", "0.1"), ("yes", "0.8")])
    candidates = label(tmp_path / "qa_candidates.csv", "candidates", [("yes", "0.9"), ("no", "0")])
    made = read_verdicts([main, candidates], [0.0]).trials
    assert outcomes(made, 0.0) == ["correct", "wrong", "correct", "wrong"]
    assert [trial.confidence for trial in made] == [0.9, 0.8, 0.9, 1.0]
    assert [trial.question.gold for trial in made] == ["no", "no", "yes", "yes"]
    assert [trial.question.subject for trial in made] == ["qa main"] * 2 + ["qa candidates"] * 2
    assert [trial.question.text for trial in made] == ["পদ্মা"] * 2 + ["যমুনা"] * 2


def test_the_labelled_file_is_not_written_over(tmp_path: Path) -> None:
    """Fault: with --overwrite, a file named results.csv was replaced by its own curve."""
    path = label(tmp_path / "results.csv", "main", [("no", "0.1")])
    before = path.read_bytes()
    with pytest.raises(UsageError, match="is an input and would be overwritten"):
        evaluate_verdicts([path], (0.5,), Assignments(), tmp_path, RunOptions(overwrite=True))
    assert path.read_bytes() == before


def test_a_judge_abstains_where_it_is_not_more_than_t_sure(tmp_path: Path) -> None:
    """A confidence equal to t abstains, also where it is 1 − p."""
    path = label(tmp_path / "qa_main.csv", "main", [("no", "0.1"), ("yes", "0.9"), ("no", "0.05")])
    made = read_verdicts([path], [0.5, 0.9]).trials
    assert outcomes(made, 0.5) == ["correct", "wrong", "correct"]
    assert outcomes(made, 0.9) == ["abstained", "abstained", "correct"]


def test_ties_are_answered_together(tmp_path: Path) -> None:
    """Rows of one confidence are on the same side of every threshold."""
    path = label(tmp_path / "qa_main.csv", "main", [("no", "0.3"), ("yes", "0.7"), ("no", "0.3")])
    for t in (0.69, 0.7, 0.71):
        made = read_verdicts([path], [t]).trials
        assert len({trial.outcome == "abstained" for trial in made}) == 1


def test_rows_without_p_are_no_reply(tmp_path: Path) -> None:
    """Unknown rows, and those without a probability, have their reasons."""
    path = label(tmp_path / "qa_main.csv", "main", [("no", "0.2"), ("unknown", "0.5"), ("no", "")])
    made = read_verdicts([path], [0.5]).trials
    assert [trial.reason for trial in made] == ["", "timeout", NO_PROBABILITY]
    (found,) = measure(made)
    assert (found.n, found.no_reply) == (1, 2)


def test_a_confidence_is_that_of_the_label_said(tmp_path: Path) -> None:
    """A judge that says yes at .3 is .3 sure."""
    path = label(tmp_path / "qa_main.csv", "main", [("yes", "0.3")])
    (trial,) = read_verdicts([path], [0.0]).trials
    assert trial.confidence == 0.3


def test_the_judge_is_named(tmp_path: Path) -> None:
    """Its name comes with its trials."""
    path = label(tmp_path / "qa_main.csv", "main", [("no", "0.2")])
    assert read_verdicts([path], [0.5]).judge == "alpha"


def test_ids_are_the_files_name_and_the_row(tmp_path: Path) -> None:
    """Rows count from 1; the folder is told only where two files have one name."""
    path = label(tmp_path / "qa.csv", "main", [("no", "0.1"), ("no", "0.2")])
    made = read_verdicts([path], [0.5]).trials
    assert [trial.question.id for trial in made] == ["qa.csv, row 1", "qa.csv, row 2"]
    (tmp_path / "more").mkdir()
    other = label(tmp_path / "more" / "qa.csv", "candidates", [("yes", "0.9")])
    ids = {trial.question.id for trial in read_verdicts([path, other], [0.5]).trials}
    assert all(name.startswith(str(tmp_path)) for name in ids)


def test_rows_of_one_text_are_one_source(tmp_path: Path) -> None:
    """Main and candidate of one context are drawn together."""
    main = label(tmp_path / "qa_main.csv", "main", [("no", "0.1"), ("no", "0.2")])
    candidates = label(tmp_path / "qa_candidates.csv", "candidates", [("yes", "0.9")])
    first, second, third = read_verdicts([main, candidates], [0.5]).trials
    assert first.question.source == third.question.source != second.question.source
    assert len({trial.question.id for trial in (first, second, third)}) == 3


def test_several_judges_are_refused(tmp_path: Path) -> None:
    """One curve is of one judge."""
    one = label(tmp_path / "qa_main_a.csv", "main", [("no", "0.1")])
    other = label(tmp_path / "qa_main_b.csv", "main", [("no", "0.1")], judge="beta")
    with pytest.raises(UsageError, match=r"alpha.*beta.*one judge"):
        read_verdicts([one, other], [0.5])


def test_labels_without_any_probability_are_refused(tmp_path: Path) -> None:
    """There is no curve without p_hallucinated."""
    path = label(tmp_path / "qa_main.csv", "main", [("no", ""), ("unknown", "0.5")])
    with pytest.raises(UsageError, match="p_hallucinated"):
        read_verdicts([path], [0.5])
