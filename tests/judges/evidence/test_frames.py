"""A judge reacts to what an answer says: frames, hedges and formats around it change no label."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.judges.evidence import judge_item
from banglahallueval.tasks import Item
from tests.judges.evidence.frames import BANGLA, MIXED

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = {
    "qa": ROOT / "QA" / "1000 Selected Samples" / "qa_sample.csv",
    "codemix": ROOT / "Codemix" / "Main dataset" / "codemix_sample.csv",
}


def gold(task: str) -> list[Item]:
    table = Table(SAMPLES[task])
    layout = find_layout(table.columns, "qa" if task == "qa" else "codemix", "main")
    return [layout.item(cells) for cells in table.rows()]


@pytest.mark.parametrize(
    ("task", "frame"),
    [*(("qa", frame) for frame in BANGLA), *(("codemix", frame) for frame in MIXED)],
)
def test_a_frame_around_a_right_answer_changes_no_label(task: str, frame: str) -> None:
    """At least thirty frames a task, none of which the weights were fitted on."""
    for item in gold(task):
        framed = replace(item, output=frame.format(item.output))
        assert judge_item(framed).label == judge_item(item).label, framed.output
