"""train_span_encoder.py: flags."""

from __future__ import annotations

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.models.huggingface.local import refuse_missing
from banglahallueval.spans.detection.commands import detect_main
from banglahallueval.spans.training.commands import train_main
from tests.in_process import ended


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:x", ""])
def test_a_device_is_the_same_wherever_a_model_runs(
    device: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fault: training took `cuda` alone, and detection `cuda:0` and any other text."""
    paths = ["--train", "t.csv", "--validation", "v.csv", "--output", "model"]
    words = f"argument --device: {device!r} is no device; name auto, cpu, cuda or cuda:0"
    trained = ended(capsys, lambda: train_main("", ["--model", "m", *paths, "--device", device]))
    flags = ["--data", "v.csv", "--detector", "encoder", "--model", "m", "--device", device]
    detected = ended(capsys, lambda: detect_main("", flags))
    assert (trained.code, detected.code) == (2, 2)
    assert words in trained.err
    assert words in detected.err


def test_training_takes_a_numbered_device(capsys: pytest.CaptureFixture[str]) -> None:
    """It is past its flags: what is missing is the file."""
    paths = ["--train", "t.csv", "--validation", "v.csv", "--output", "model"]
    done = ended(capsys, lambda: train_main("", ["--model", "m", *paths, "--device", "cuda:0"]))
    assert (done.code, done.err) == (2, "error: no file t.csv\n")


def test_a_gpu_beyond_the_last_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    refuse_missing("m", [], "cuda:1")
    with pytest.raises(UsageError, match="--device cuda:2: it is not among the GPUs"):
        refuse_missing("m", [], "cuda:2")
