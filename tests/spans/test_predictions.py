"""Anyone's predictions are matched by id, checked, and what is missing is counted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import writing
from banglahallueval.spans.formats.predictions import Predictions, read_predictions
from banglahallueval.spans.tables import (
    COLUMNS,
    DETECTION_COLUMNS,
    detection_cells,
    sample_cells,
)
from banglahallueval.spans.types import Detection, Sample, Span

SAMPLES = [Sample("a", "ঢাকা", (Span(0, 2),)), Sample("b", "abc", ())]


def found(tmp_path: Path, *rows: Mapping[str, Any]) -> Predictions:
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return read_predictions(path, SAMPLES)


def fault(tmp_path: Path, *rows: Mapping[str, Any]) -> str:
    with pytest.raises(UsageError) as error:
        found(tmp_path, *rows)
    assert "\n" not in str(error.value)
    return str(error.value).replace(str(tmp_path / "p.jsonl"), "FILE")


def test_predictions_are_matched_by_id(tmp_path: Path) -> None:
    read = found(
        tmp_path,
        {"id": "b", "spans": [], "scores": [0, 0.5, 0]},
        {"id": "a", "spans": [[1, 2]], "scores": [0, 1, 0, 0]},
    )
    assert read.detections == (
        Detection((0, 1, 0, 0), (Span(1, 2),)),
        Detection((0, 0.5, 0)),
    )
    assert (read.own_spans, read.ranked, read.notes) == (True, True, ())


def test_spans_alone_are_scores_of_0_and_1(tmp_path: Path) -> None:
    spans = [{"start": 1, "end": 2, "text": "া", "confidence": 0.9}]
    read = found(tmp_path, {"id": "a", "spans": spans}, {"id": "b", "spans": []})
    assert read.detections[0] == Detection((0, 1, 0, 0), (Span(1, 2),))
    assert (read.own_spans, read.ranked) == (True, False)


def test_scores_alone_have_no_spans_of_their_own(tmp_path: Path) -> None:
    read = found(tmp_path, {"id": "a", "scores": [1] * 4}, {"id": "b", "scores": [0] * 3})
    assert read.detections[0] == Detection((1, 1, 1, 1))
    assert (read.own_spans, read.ranked) == (False, True)


def test_mushroom_s_predictions_are_read(tmp_path: Path) -> None:
    soft = [{"start": 0, "end": 2, "prob": 0.75}]
    read = found(
        tmp_path,
        {"id": "a", "soft_labels": soft},
        {"id": "b", "soft_labels": [], "hard_labels": []},
    )
    assert read.detections[0] == Detection((0.75, 0.75, 0, 0), (Span(0, 2),))


def test_the_output_of_a_run_is_read(tmp_path: Path) -> None:
    """Its gold spans are not taken for predictions."""
    path = tmp_path / "p.csv"
    detections = (Detection((0.5, 0, 0, 0), (Span(0, 1),)), Detection(failure="no reply"))
    with writing(path, [*COLUMNS, *DETECTION_COLUMNS]) as writer:
        for sample, detection in zip(SAMPLES, detections, strict=True):
            writer.writerow([*sample_cells(sample), *detection_cells(detection)])
    assert read_predictions(path, SAMPLES).detections == detections


def test_missing_and_unknown_ids_are_counted(tmp_path: Path) -> None:
    """An answer without a prediction is a failure, never a clean verdict."""
    read = found(tmp_path, {"id": "a", "spans": []}, {"id": "z", "spans": [[0, 99]]})
    assert read.detections[1] == Detection(failure="no prediction")
    assert [note.split(": ")[1] for note in read.notes] == [
        "1 ids are none of the answers'",
        "1 answers have no prediction, which counts 0",
    ]


def test_gold_spans_as_predictions_are_noticed(tmp_path: Path) -> None:
    read = found(tmp_path, {"id": "a", "spans": [[0, 2]]}, {"id": "b", "spans": []})
    assert "are they predictions?" in read.notes[0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "a"}, "line 1: has neither spans nor scores"),
        ({"spans": []}, "line 1: has no 'id'"),
        ({"id": "a", "spans": [[0, 5]]}, "line 1: the span [0, 5] reaches outside"),
        ({"id": "a", "scores": [1, 2]}, "line 1: 2 scores for an answer of 4 code points"),
        ({"id": "a", "scores": "high"}, "which is no JSON"),
        ({"id": "a", "spans": [], "answer": "নীল"}, "its 'answer' is not the answer 'a'"),
        (
            {"id": "a", "spans": [{"start": 0, "end": 3, "text": "ঢ"}]},
            "cuts out 'ঢাক', not its text 'ঢ'",
        ),
        ({"id": "z", "spans": []}, "FILE: none of its 1 ids is one of the answers', such as 'a'"),
    ],
)
def test_wrong_predictions_are_errors(tmp_path: Path, row: Mapping[str, Any], message: str) -> None:
    assert message in fault(tmp_path, row)


def test_an_id_is_predicted_once(tmp_path: Path) -> None:
    row = {"id": "a", "spans": []}
    assert fault(tmp_path, row, row) == "FILE, line 2: the id 'a' is there twice"


def test_rows_hold_the_same_things(tmp_path: Path) -> None:
    told = fault(tmp_path, {"id": "a", "spans": []}, {"id": "b", "scores": [0, 0, 0]})
    assert told == "FILE, line 1 has spans, and FILE, line 2 has scores; give the same in all rows"


def test_answers_with_one_id_cannot_be_matched(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "a", "spans": []}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="two answers have the id 'a'"):
        read_predictions(path, [SAMPLES[0], SAMPLES[0]])
