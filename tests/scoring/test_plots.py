"""Figures: what is drawn is seen."""

from __future__ import annotations

import warnings
from pathlib import Path
from unittest.mock import patch

from banglahallueval.io.assignments import Assignment, Assignments
from banglahallueval.io.tables import writing
from banglahallueval.scoring import plots
from banglahallueval.scoring.load import load
from banglahallueval.scoring.results import results


def test_long_names_of_panels_leave_room_for_what_is_drawn(tmp_path: Path) -> None:
    """Fault: beside the name of a panel the axes shrank to nothing, with a warning."""
    panel = "panel of gpt-4.1-mini ×2, gpt-4.1-nano, qwen2.5:32b-instruct, deepseek-r1:14b"
    names = ("context", "question", "hallucinated_answer", "pattern", "is_hallucinated")
    path = tmp_path / "labelled.csv"
    with writing(path, names) as writer:
        writer.writerow(["প্রসঙ্গ।", "কী?", "ক", "factualness", "yes"])
    made = plots.figures(results(load([path], Assignments(Assignment(judge=panel)))))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plots.inline_svg(made["patterns"], "patterns")


def test_letters_that_a_font_lacks_print_no_warnings(tmp_path: Path) -> None:
    """Fault: each Bangla letter of a judge's name warned once per figure and file."""
    path = tmp_path / "labelled.csv"
    with writing(path, ("context", "question", "correct_answer", "is_hallucinated")) as writer:
        writer.writerow(["প্রসঙ্গ।", "কী?", "ক", "unknown"])
    with patch.object(plots, "bengali_font", lambda: None), warnings.catch_warnings():
        warnings.simplefilter("error")
        made = plots.figures(results(load([path], Assignments(Assignment(judge="জাজ")))))
        plots.inline_svg(made["unknown"], "unknown")
        plots.save({"unknown": made["unknown"]}, tmp_path)
