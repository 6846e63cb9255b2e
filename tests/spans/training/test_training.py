"""An encoder is trained in seconds by the project's own command, and detects unseen rows."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import regex

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.models.options import ClassifierOptions
from banglahallueval.spans.detectors.classifier import ClassifierDetector, encoder_detector
from banglahallueval.spans.metrics import iou
from banglahallueval.spans.training.plan import TrainingPlan
from banglahallueval.spans.training.run import train
from banglahallueval.spans.types import Detection, Sample, Span
from tests.in_process import run_script
from tests.scripting import Finished
from tests.spans.training.toy import UNSEEN, base, toy

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def write(path: Path, samples: Sequence[Sample]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "language", "question", "evidence", "answer", "spans"])
        for each in samples:
            spans = json.dumps(each.spans)
            rows.writerow([each.id, "bn", each.question, each.evidence, each.answer, spans])
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("training")


@pytest.fixture(scope="module")
def trained(folder: Path) -> tuple[Path, Finished]:
    """The folder of a model that the command trained, and what the command printed."""
    done = run_script(
        "scripts/train_span_encoder.py",
        *("--model", base(folder / "base"), "--output", folder / "model"),
        *("--train", write(folder / "train.csv", toy(600, 1))),
        *("--validation", write(folder / "validation.csv", toy(60, 2))),
        *("--lr", "3e-3", "--batch-size", 16, "--epochs", 6, "--device", "cpu", "--quiet"),
    )
    assert done.code == 0, done.err
    return folder / "model", done


async def detections(
    model: Path, samples: Sequence[Sample], batch_size: int = 8
) -> list[Detection]:
    detector = encoder_detector(ClassifierOptions(str(model), batch_size, device="cpu"))
    try:
        await detector.prepare()
        return await asyncio.gather(*map(detector.detect, samples))
    finally:
        await detector.close()


def mean_iou(samples: Sequence[Sample], spans: Sequence[Sequence[Span]]) -> float:
    pairs = zip(samples, spans, strict=True)
    return sum(iou(s.spans or (), found, len(s.answer)) for s, found in pairs) / len(samples)


def test_the_command_tells_each_epoch_and_its_iou(trained: tuple[Path, Finished]) -> None:
    _, done = trained
    lines = [line for line in done.out.splitlines() if "validation IoU" in line]
    assert len(lines) == 7
    assert lines[0].startswith("epoch 1 of 6: validation IoU 0.")
    assert "(mark-all 0." in lines[0]
    assert "mark-none 0.5000)" in lines[6]
    assert "no better than" not in done.out
    assert "pin_memory" not in done.err
    assert "train: 600 answers, 300 with spans; 0 do not fit" in done.out


async def test_it_marks_unseen_numbers_better_than_mark_all_or_none(
    trained: tuple[Path, Finished],
) -> None:
    """The test rows pair numbers that no training row pairs."""
    samples = toy(40, 3, UNSEEN)
    found = await detections(trained[0], samples)
    everything = [(Span(0, len(sample.answer)),) for sample in samples]
    ours = mean_iou(samples, [each.spans for each in found])
    assert ours > mean_iou(samples, everything) + 0.1
    assert ours > mean_iou(samples, [()] * len(samples)) + 0.1


async def test_batches_mark_what_single_rows_do(trained: tuple[Path, Finished]) -> None:
    samples = toy(12, 4)
    together = await detections(trained[0], samples)
    alone = await detections(trained[0], samples, batch_size=1)
    assert [each.spans for each in together] == [each.spans for each in alone]


def test_the_folder_says_what_it_was_taught(trained: tuple[Path, Finished]) -> None:
    model, _ = trained
    config = transformers.AutoConfig.from_pretrained(model)
    assert config.id2label == {0: "supported", 1: "hallucinated"}
    assert config.span_template == "request"
    record = json.loads(Path(f"{model}.run.json").read_text(encoding="utf-8"))
    assert record["answers"]["train"]["used"] == 600
    assert [epoch["number"] for epoch in record["epochs"]] == [1, 2, 3, 4, 5, 6]
    assert all(epoch["loss"] > 0 for epoch in record["epochs"])
    assert record["training"]["template"]["text"].startswith("User request:")
    assert not Path(f"{model}.training").exists()


def plan(folder: Path, name: str, **changes: object) -> TrainingPlan:
    if not (folder / "small" / "config.json").exists():
        base(folder / "small")
    made = TrainingPlan(
        str(folder / "small"), Path("train.csv"), Path("validation.csv"), folder / name
    )
    settings = {"epochs": 3, "learning_rate": 1e-3, "batch_size": 8, "device": "cpu"}
    return replace(made, **{**settings, "quiet": True, **changes})  # type: ignore[arg-type]


def weights(model: Path) -> str:
    return file_sha256(model / "model.safetensors")


def test_a_stopped_training_goes_on_and_ends_with_the_same_model(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped in its second epoch, with a checkpoint half written."""
    from banglahallueval.spans.training import fine_tuning

    rows = toy(40, 5), toy(10, 6)
    epochs = train(plan(folder, "whole"), *rows)
    measured = fine_tuning.mean_iou
    calls = iter([measured])

    def stop(*args: object) -> float:
        measure = next(calls, None)
        if measure is None:
            raise KeyboardInterrupt
        return measure(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(fine_tuning, "mean_iou", stop)
    with pytest.raises(KeyboardInterrupt):
        train(plan(folder, "stopped"), *rows)
    monkeypatch.setattr(fine_tuning, "mean_iou", measured)
    (folder / "stopped.training" / "checkpoint-9999").mkdir()
    assert not (folder / "stopped").exists()
    with pytest.raises(UsageError, match=r"an unfinished training; go on with it: .*--resume"):
        train(plan(folder, "stopped"), *rows)
    with pytest.raises(UsageError, match="a training with another learning rate"):
        train(plan(folder, "stopped", resume=True, learning_rate=0.1), *rows)
    with pytest.raises(UsageError, match="a training with another samples"):
        train(plan(folder, "stopped", resume=True), rows[1], rows[1])
    assert train(plan(folder, "stopped", resume=True), *rows) == epochs
    assert weights(folder / "stopped") == weights(folder / "whole")
    with pytest.raises(UsageError, match="is there already"):
        train(plan(folder, "stopped", resume=True), *rows)


def test_a_failed_record_loses_no_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A training that fails behind its last epoch is resumed without training again."""
    rows = toy(40, 5), toy(10, 6)
    if not (folder / "whole").exists():
        train(plan(folder, "whole"), *rows)

    def fail(*given: object) -> None:
        raise TypeError("keys must be str")

    monkeypatch.setattr("banglahallueval.spans.training.run.write_record", fail)
    with pytest.raises(TypeError):
        train(plan(folder, "unrecorded"), *rows)
    assert not (folder / "unrecorded").exists()
    assert not Path(folder / "unrecorded.run.json").exists()
    monkeypatch.undo()
    epochs = train(plan(folder, "unrecorded", resume=True), *rows)
    assert [epoch.number for epoch in epochs] == [1, 2, 3]
    assert weights(folder / "unrecorded") == weights(folder / "whole")
    record = json.loads(Path(f"{folder / 'unrecorded'}.run.json").read_text(encoding="utf-8"))
    assert record["answers"]["train"]["used"] == 40


def test_answers_that_are_left_out_are_recorded_by_reason(folder: Path) -> None:
    """Fault: their count broke the record after the last epoch, and the model was lost."""
    rows = [*toy(8, 7), replace(toy(1, 8)[0], spans=None)], toy(4, 8)
    train(plan(folder, "left", epochs=1), *rows)
    record = json.loads(Path(f"{folder / 'left'}.run.json").read_text(encoding="utf-8"))
    assert record["answers"]["train"]["left_out"] == {"nobody marked spans": 1}
    assert record["answers"]["validation"]["left_out"] == {}


def test_a_model_that_learned_nothing_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside each IoU stands what marking all and marking nothing reach."""
    known = toy(8, 7)
    train(plan(folder, "nothing", epochs=1, learning_rate=1e-9), known, [*toy(2, 8), known[0]])
    out = capsys.readouterr().out
    baselines = r"\(mark-all 0\.\d{4}, mark-none 0\.6667\)"
    assert regex.search(rf"epoch 1 of 1: validation IoU 0\.\d{{4}} {baselines}\n", out)
    assert "Note: it is no better than mark-none on the validation answers" in out
    assert "of 3 validation answers are in --train, too" in out
    record = json.loads(Path(f"{folder / 'nothing'}.run.json").read_text(encoding="utf-8"))
    assert record["validation_iou_of"]["mark-none"] == pytest.approx(2 / 3)


def test_one_file_is_no_training_and_validation(folder: Path) -> None:
    same = Path("validation.csv")
    with pytest.raises(UsageError, match="--train and --validation are one file"):
        train(plan(folder, "same", train=same), toy(4, 9), toy(4, 9))


def test_one_device_is_used_and_memory_pinned_for_gpus_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault: torch warned of pinned memory in each epoch on a machine without a GPU."""
    from banglahallueval.spans.training import fine_tuning

    chosen: list[str] = []
    monkeypatch.setattr(fine_tuning.torch.cuda, "set_device", chosen.append)
    for device, used in [("auto", "cpu"), ("cpu", "cpu"), ("cuda:1", "cuda:1")]:
        arguments = transformers.TrainingArguments(output_dir=str(tmp_path), use_cpu=used == "cpu")
        arguments._n_gpu = 4
        fine_tuning.use_device(arguments, device)
        assert (str(arguments.device), arguments.n_gpu) == (used, 1)
        assert arguments.dataloader_pin_memory is (used != "cpu")
    assert chosen == ["cuda:1"]


def test_overwrite_begins_anew(folder: Path) -> None:
    rows = toy(8, 7), toy(4, 8)
    train(plan(folder, "again", epochs=1), *rows)
    before = weights(folder / "again")
    train(plan(folder, "again", epochs=1, overwrite=True, seed=9), *rows)
    assert weights(folder / "again") != before


def test_answers_without_marks_are_no_training(folder: Path) -> None:
    unmarked = [replace(sample, spans=None) for sample in toy(4, 9)]
    with pytest.raises(UsageError, match="--train: no answer with marked spans is left"):
        train(plan(folder, "none"), unmarked, toy(4, 9))
    with pytest.raises(UsageError, match="no such folder"):
        train(plan(folder, "none", base=str(folder / "absent")), toy(4, 9), toy(4, 9))


async def test_a_trained_detector_reads_no_more_than_it_was_taught(folder: Path) -> None:
    """Long evidence is windowed in detection as it was in training."""
    model = plan(folder, "short", epochs=1, max_length=64)
    train(model, toy(8, 7), toy(4, 8))
    (sample,) = toy(1, 10)
    long = replace(sample, evidence=sample.evidence * 20)
    detector: ClassifierDetector = encoder_detector(
        ClassifierOptions(str(model.output), device="cpu")
    )
    await detector.prepare()
    found = await detector.detect(long)
    blank = await detector.detect(replace(sample, answer=" \n"))
    bare = await detector.detect(replace(sample, evidence=""))
    await detector.close()
    assert detector.record()["model"]["max_tokens"] == 64
    assert len(found.scores) == len(sample.answer)
    assert (blank.scores, blank.failure) == ((), "blank answer")
    assert (bare.scores, bare.failure) == ((), "no evidence")
