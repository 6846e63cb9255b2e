"""A model of this machine's own answers about captions: a real processor, a real generate."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.calling import Call
from tests.vision.discriminative.calling import Workspace


def test_a_tiny_model_is_asked_and_resumed(workspace: Workspace, hal_eval: Call) -> None:
    """Its words mean nothing, so every answer is unknown for a reason of the model's own."""
    pytest.importorskip("torch", reason="needs the extra hf")
    pytest.importorskip("transformers", reason="needs the extra hf")
    from tests.models.vision_models import llava

    model = llava(workspace.path / "llava")
    call = workspace.flags(
        *("--provider", "hf", "--model", model, "--device", "cpu", "--dtype", "float32"),
        *("--max-tokens", "4", "--kinds", "event", "--limit", "2"),
    )
    done = hal_eval(*call)
    assert done.code == 0, done.err
    rows = workspace.rows()
    assert [row["kind"] for row in rows] == ["true", "event"] * 2
    assert all(row["image_sha256"] for row in rows)
    assert not any(row["unknown_reason"].startswith(("no reply", "image")) for row in rows)
    record = workspace.record()
    assert record["model"]["provider"] == "hf"
    assert record["runs"][0]["asked"] == 4
    before = Path(workspace.output).read_bytes()
    assert hal_eval(*call, "--overwrite").code == 0
    assert workspace.output.read_bytes() == before
    assert workspace.record()["runs"][-1]["asked"] == 0
