"""Gold spans and the files of detectors become scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.records import write_record
from banglahallueval.spans.evaluation.run import Evaluation, EvaluationOptions, run_evaluation
from banglahallueval.spans.evaluation.summary import in_words
from banglahallueval.spans.types import Sample
from tests.spans.making import REPEATED, TRICKY, sample, scores_of, write_gold, write_lines

SAMPLES = [
    *(sample(f"bn{n}", TRICKY, REPEATED, source=f"s{n // 2}") for n in range(8)),
    *(sample(f"en{n}", "It is in Dhaka.", (9, 14), language="en") for n in range(4)),
    *(sample(f"clean{n}", "It is.", language="en") for n in range(2)),
]


def gold(folder: Path) -> str:
    return str(write_gold(folder / "gold.csv", SAMPLES))


def row(of: Sample, **fields: object) -> dict[str, object]:
    return {"id": of.id, **fields}


def right(of: Sample) -> dict[str, object]:
    """A prediction that is the gold, with scores."""
    return row(of, spans=of.spans, scores=scores_of(of.answer, of.spans or ()))


def found(folder: Path, name: str, rows: list[dict[str, object]]) -> str:
    return str(write_lines(folder / f"{name}.jsonl", rows))


def run(folder: Path, *detections: str, **options: Any) -> Evaluation:
    return run_evaluation(EvaluationOptions(gold(folder), detections, **options))


def fault(folder: Path, *detections: str, **options: Any) -> str:
    with pytest.raises(UsageError) as error:
        run(folder, *detections, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_right_detector_scores_one_after_calibration(tmp_path: Path) -> None:
    """Emoji, joiners, both forms of য় and repeated words move no offset."""
    made = run(tmp_path, found(tmp_path, "it", list(map(right, SAMPLES))))
    assert list(made.scores) == ["it", "mark-all", "mark-none"]
    assert made.scores["it"].languages["bn"].iou.value == 1
    assert made.scores["it"].languages["en"].ap_marked.value == 1
    assert 0 < made.scores["mark-all"].macro.iou.value < 1
    assert "fitted on half of the sources" in made.notes[-1]
    assert set(made.thresholds["it"]) == {"bn", "en"}
    assert len(made.samples) < len(SAMPLES)


def test_own_spans_report_every_answer(tmp_path: Path) -> None:
    whole = [row(of, spans=[[0, len(of.answer)]]) for of in SAMPLES]
    made = run(tmp_path, found(tmp_path, "it", whole), own_spans=True)
    assert len(made.samples) == len(SAMPLES)
    assert made.thresholds == {}
    assert made.scores["it"].pooled.iou == made.scores["mark-all"].pooled.iou
    assert made.scores["it"].pooled.clean == 2


def test_spans_alone_need_no_threshold(tmp_path: Path) -> None:
    """Beside a detector with scores, both are reported on the same answers."""
    spans = [row(of, spans=of.spans) for of in SAMPLES]
    alone = run(tmp_path, found(tmp_path, "spans", spans))
    assert len(alone.samples) == len(SAMPLES)
    assert any("spans has no scores" in note for note in alone.notes)
    scores = found(tmp_path, "scores", list(map(right, SAMPLES)))
    both = run(tmp_path, found(tmp_path, "spans", spans), scores)
    assert list(both.thresholds) == ["scores"]
    assert len(both.samples) < len(SAMPLES)
    assert both.scores["spans"].pooled.iou.value == 1


def test_validation_fits_and_everything_is_reported(tmp_path: Path) -> None:
    validation = [sample("v", TRICKY, REPEATED), sample("w", "Dhaka", (0, 5), language="en")]
    path = str(write_gold(tmp_path / "validation.csv", validation))
    theirs = found(tmp_path, "v", list(map(right, validation)))
    ours = found(tmp_path, "it", list(map(right, SAMPLES)))
    made = run(tmp_path, f"it={ours}", validation=path, validation_detections=(f"it={theirs}",))
    assert len(made.samples) == len(SAMPLES)
    assert made.notes[-1] == "thresholds fitted on validation, per language"
    assert made.thresholds["it"]["bn"].answers == 1
    missing = fault(
        tmp_path, f"it={ours}", validation=path, validation_detections=(f"other={theirs}",)
    )
    assert "no file of it" in missing
    further = (f"it={theirs}", f"x={theirs}")
    strange = fault(tmp_path, f"it={ours}", validation=path, validation_detections=further)
    assert "is of x, which needs no threshold here" in strange


def test_a_failure_counts_nothing_and_is_counted(tmp_path: Path) -> None:
    rows = [row(of, failure="no reply: timeout") for of in SAMPLES[:1]]
    rows += [row(of, spans=of.spans) for of in SAMPLES[2:]]
    made = run(tmp_path, found(tmp_path, "it", rows), own_spans=True)
    assert made.scores["it"].languages["bn"].failed == 2
    assert made.scores["it"].languages["bn"].iou.value == 6 / 8
    assert [each.failure for each in made.found["it"]][:2] == ["no reply: timeout", "no prediction"]
    assert any("1 answers have no prediction" in note for note in made.notes)


def test_a_language_without_any_result_has_no_threshold(tmp_path: Path) -> None:
    """Fault: one language that a detector cannot examine stopped the whole evaluation."""
    rows = [
        row(of, failure="no calculation") if of.language == "bn" else right(of) for of in SAMPLES
    ]
    made = run(tmp_path, found(tmp_path, "it", rows))
    assert set(made.thresholds["it"]) == {"en"}
    assert made.scores["it"].languages["bn"].iou.value == 0


def test_scores_alone_without_a_threshold_are_no_result(tmp_path: Path) -> None:
    """Fault: they counted as answers in which nothing is marked."""
    path = str(write_gold(tmp_path / "validation.csv", [sample("v", TRICKY, REPEATED)]))
    theirs = found(tmp_path, "v", [{"id": "v", "failure": "refused"}])
    ours = found(tmp_path, "it", [row(of, scores=[0.1] * len(of.answer)) for of in SAMPLES[:8]])
    made = run_evaluation(
        EvaluationOptions(
            str(write_gold(tmp_path / "bn.csv", SAMPLES[:8])),
            (f"it={ours}",),
            validation=path,
            validation_detections=(f"it={theirs}",),
        )
    )
    assert made.scores["it"].pooled.failed == 8
    assert "bn none (no result to fit it to; own spans count, if any)" in in_words(made)


def test_thresholds_fitted_to_the_scored_answers_are_told(tmp_path: Path) -> None:
    """Fault: one file as gold and validation passed for a fair comparison."""
    path = found(tmp_path, "it", list(map(right, SAMPLES)))
    made = run(tmp_path, path, validation=gold(tmp_path), validation_detections=(path,))
    assert any(note.startswith("14 of 14 validation answers are among") for note in made.notes)


def test_answers_that_share_an_id_are_told_with_their_file(tmp_path: Path) -> None:
    path = write_gold(tmp_path / "twice.csv", [SAMPLES[0], SAMPLES[0]])
    with pytest.raises(UsageError, match=r"twice\.csv: two answers have the id 'bn0'"):
        run_evaluation(EvaluationOptions(str(path), (found(tmp_path, "it", []),)))


def test_names_come_from_the_user_the_record_or_the_file(tmp_path: Path) -> None:
    path = Path(found(tmp_path, "file", list(map(right, SAMPLES))))
    assert list(run(tmp_path, str(path)).found) == ["file"]
    whole = {"detector": {"label": "llm tiny"}, "output": {"sha256": file_sha256(path)}}
    write_record(path, whole)
    assert list(run(tmp_path, str(path)).found) == ["llm tiny"]
    assert list(run(tmp_path, f"mine={path}").found) == ["mine"]
    assert run(tmp_path, str(path)).record["detectors"]["llm tiny"]["detector"] == {
        "label": "llm tiny"
    }
    write_record(path, {**whole, "output": {"sha256": "0"}})
    changed = run(tmp_path, str(path))
    assert list(changed.found) == ["file"]
    assert any("changed since" in note for note in changed.notes)


def test_a_file_whose_name_holds_the_sign_is_a_file(tmp_path: Path) -> None:
    path = found(tmp_path, "t=0", list(map(right, SAMPLES)))
    assert list(run(tmp_path, path).found) == ["t=0"]


def test_names_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    path = found(tmp_path, "it", list(map(right, SAMPLES)))
    assert "are both of it" in fault(tmp_path, path, path)
    assert "always among the results" in fault(tmp_path, f"mark-all={path}")
    assert "no name before the '='" in fault(tmp_path, f"={path}")
    assert "no file" in fault(tmp_path, "it=nowhere.jsonl")


def test_thresholds_of_another_detector_are_refused(tmp_path: Path) -> None:
    ours, theirs = (Path(found(tmp_path, name, list(map(right, SAMPLES)))) for name in "ab")
    for path, model in ((ours, "large"), (theirs, "small")):
        detector = {"label": "llm", "model": model}
        write_record(path, {"detector": detector, "output": {"sha256": file_sha256(path)}})
    message = fault(
        tmp_path, str(ours), validation=gold(tmp_path), validation_detections=(str(theirs),)
    )
    assert "run records tell of different detectors" in message


def test_own_spans_that_are_not_there_are_refused(tmp_path: Path) -> None:
    rows = [row(of, scores=scores_of(of.answer, ())) for of in SAMPLES]
    assert "leave out --own-spans" in fault(tmp_path, found(tmp_path, "it", rows), own_spans=True)


def test_unmarked_gold_is_refused(tmp_path: Path) -> None:
    path = write_gold(tmp_path / "unmarked.csv", [Sample("x", "abc")])
    with pytest.raises(UsageError, match="1 of 1 answers have no gold spans, as 'x'"):
        run_evaluation(EvaluationOptions(str(path), ()))


def test_tagged_answers_are_predictions(tmp_path: Path) -> None:
    """As in PsiloQA's annotation files; a repeated word is marked where its tags stand."""
    start, end = REPEATED
    tagged = f"{TRICKY[:start]}[HAL]{TRICKY[start:end]}[/HAL]{TRICKY[end:]}"
    path = write_gold(tmp_path / "one.csv", [sample("a", TRICKY, REPEATED)])
    rows: list[dict[str, object]] = [{"id": "a", "annotated_span": tagged}]
    made = run_evaluation(EvaluationOptions(str(path), (found(tmp_path, "it", rows),)))
    assert made.found["it"][0].spans == (REPEATED,)
    rows = [{"id": "a", "annotated_span": json.dumps(tagged)}]
    with pytest.raises(UsageError, match="without tags is not the answer 'a'"):
        run_evaluation(EvaluationOptions(str(path), (found(tmp_path, "it", rows),)))
